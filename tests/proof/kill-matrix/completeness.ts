import type { Catalogue } from '../../../src/document/types.ts';
import type { DefectFacts } from '../../../src/emulator/defects/index.ts';
import type { ProvenDefect } from '../second-order/define-second-order.ts';

/** Names, one sentence each, what keeps the defects from proving that every check can fail. */
export function incompleteness(catalogue: Catalogue, facts: readonly DefectFacts[]): readonly string[] {
  return [
    ...catalogue.requirements.flatMap(({ id, level }) =>
      tooFew(
        id,
        level === 'documented',
        facts.filter(({ breaks }) => breaks.includes(id)),
      ),
    ),
    ...oddFacts(facts),
    ...facts
      .filter(({ clause, slug }) => !slug.startsWith(slugOf(clause, catalogue)))
      .map(({ id, slug, clause }) => `${id} stands in ${slug}, which is no file of clause ${clause}`),
  ];
}

/** Names ids that stand twice, and defects that break nothing, or one requirement twice. */
export function oddFacts(facts: readonly ProvenDefect[]): readonly string[] {
  return [
    ...repeated(facts.map(({ id }) => id)).map((id) => `${id} stands twice`),
    ...facts.flatMap(({ id, breaks }) => [
      ...(breaks.length === 0 ? [`${id} breaks nothing`] : []),
      ...repeated(breaks).map((broken) => `${id} breaks ${broken} twice`),
    ]),
  ];
}

function tooFew(id: string, documented: boolean, breakers: readonly DefectFacts[]): readonly string[] {
  if (breakers.length === 0) return [`no defect breaks ${id}`];
  if (!documented) return [];
  return (['blunt', 'subtle'] as const)
    .filter((severity) => !breakers.some((defect) => defect.severity === severity))
    .map((severity) => `no ${severity} defect breaks ${id}, which is documented`);
}

function slugOf(clause: string, { clauses }: Catalogue): string {
  return clauses.find((one) => one.clause === clause)?.slug ?? 'no clause';
}

function repeated(values: readonly string[]): readonly string[] {
  return [...new Set(values.filter((value, index) => values.indexOf(value) !== index))];
}
