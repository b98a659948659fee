import type { DefectFacts } from '../../../src/catalogue/load-defects.ts';
import type { Catalogue } from '../../../src/catalogue/types.ts';
import type { ProvenDefect } from '../second-order/facts.ts';

/**
 * What keeps the defects from proving that every check can fail.
 *
 * @param behaviours ids of the defects that the emulator has
 * @returns one sentence each: requirements that too few defects break, facts without behaviour, behaviour without facts
 */
export function incompleteness(
  catalogue: Catalogue,
  facts: readonly DefectFacts[],
  behaviours: readonly string[],
): readonly string[] {
  return [
    ...catalogue.requirements.flatMap(({ id, level }) =>
      tooFew(
        id,
        level === 'documented',
        facts.filter(({ breaks }) => breaks.includes(id)),
      ),
    ),
    ...counterparts(facts, behaviours),
    ...facts.flatMap((defect) => oddFacts(defect, catalogue)),
  ];
}

/**
 * What is wrong with the defects of second order, one sentence each: facts without behaviour, behaviour without facts,
 * clauses and requirements that the catalogue does not have. No check need find them.
 */
export function secondOrderIncompleteness(
  catalogue: Catalogue,
  facts: readonly ProvenDefect[],
  behaviours: readonly string[],
): readonly string[] {
  return [
    ...counterparts(facts, behaviours),
    ...facts.flatMap((defect) => oddBreaks(defect, catalogue)),
    ...facts
      .filter(({ clause }) => !catalogue.clauses.some((known) => known.clause === clause))
      .map(({ id, clause }) => `${id} is of clause ${clause}, which is none`),
  ];
}

function tooFew(id: string, documented: boolean, breakers: readonly ProvenDefect[]): readonly string[] {
  if (breakers.length === 0) return [`no defect breaks ${id}`];
  if (!documented) return [];
  return (['blunt', 'subtle'] as const)
    .filter((severity) => !breakers.some((defect) => defect.severity === severity))
    .map((severity) => `no ${severity} defect breaks ${id}, which is documented`);
}

function counterparts(facts: readonly ProvenDefect[], behaviours: readonly string[]): readonly string[] {
  const ids: readonly string[] = facts.map(({ id }) => id);
  return [
    ...repeated(ids).map((id) => `${id} stands twice among the facts`),
    ...repeated(behaviours).map((id) => `${id} stands twice among the behaviours`),
    ...ids.filter((id) => !behaviours.includes(id)).map((id) => `${id} has facts and no behaviour`),
    ...behaviours.filter((id) => !ids.includes(id)).map((id) => `${id} has behaviour and no facts`),
  ];
}

function oddFacts(defect: DefectFacts, catalogue: Catalogue): readonly string[] {
  const { id, slug, clause } = defect;
  const home = catalogue.clauses.find((c) => c.clause === clause);
  return [
    ...oddBreaks(defect, catalogue),
    ...(home !== undefined && slug.startsWith(home.slug)
      ? []
      : [`${id} stands in ${slug}.yaml, which is no file of clause ${clause}`]),
  ];
}

function oddBreaks({ id, breaks }: ProvenDefect, catalogue: Catalogue): readonly string[] {
  const known = new Set<string>(catalogue.requirements.map((requirement) => requirement.id));
  return [
    ...(breaks.length === 0 ? [`${id} breaks nothing`] : []),
    ...repeated(breaks).map((broken) => `${id} breaks ${broken} twice`),
    ...breaks
      .filter((broken) => !known.has(broken))
      .map((broken) => `${id} breaks ${broken}, which is no requirement`),
  ];
}

function repeated(values: readonly string[]): readonly string[] {
  return [...new Set(values.filter((value, index) => values.indexOf(value) !== index))];
}
