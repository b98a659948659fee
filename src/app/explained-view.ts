import { explanationOf } from '../catalogue/load-explanations.ts';
import type { Catalogue } from '../catalogue/types.ts';
import type { CatalogueView } from '../report/catalogue-view.ts';
import type { Run } from '../report/verdict.ts';
import { BY_ATTENTION } from '../report/words.ts';

/** Results that a report explains; a run without them loads no explanations. */
const ASKED: ReadonlySet<string> = new Set(
  BY_ATTENTION.filter((kind) => kind !== 'pass' && kind !== 'not-applicable'),
);

export function explainedView(
  catalogue: Pick<Catalogue, 'clauses' | 'openPoints'>,
  { requirements }: Pick<Run, 'requirements'>,
): CatalogueView {
  const asked = new Set(requirements.filter(({ result }) => ASKED.has(result)).map(({ id }) => id));
  if (asked.size === 0) return catalogue;
  return {
    openPoints: catalogue.openPoints,
    clauses: catalogue.clauses.map(({ clause, title, requirements: all }) => ({
      clause,
      title,
      requirements: all.map((requirement) =>
        asked.has(requirement.id)
          ? { ...requirement, explanation: explanationOf(requirement.id) }
          : requirement,
      ),
    })),
  };
}
