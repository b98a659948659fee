import { presentId } from '../catalogue/former-ids.ts';
import type { Catalogue } from '../catalogue/types.ts';
import type { RequirementResult, Results } from '../report/results.ts';
import { RESULT_WORD } from '../report/words.ts';
import type { CatalogueDifference, CatalogueEntry } from './changes.ts';

/**
 * Returns the requirements that only one of two runs' catalogues has. Only a complete run shows its catalogue.
 *
 * @returns undefined if both runs used the same catalogue
 */
export function catalogueDifference(
  before: Results,
  after: Results,
  { requirements }: Pick<Catalogue, 'requirements'>,
): CatalogueDifference | undefined {
  const [old, now] = [before, after].map((run) => idsOf(run));
  const renamed = [...(old ?? [])].flatMap((from) => {
    const to = presentId(requirements, from);
    return to !== from && now?.has(to) ? [{ from, to }] : [];
  });
  if (before.catalogueDigest === after.catalogueDigest && renamed.length === 0) return undefined;
  const sameNow = ({ id }: RequirementResult) => presentId(requirements, id);
  const lacking = (run: Results, other: Results): readonly CatalogueEntry[] => {
    if (other.selection === 'partial') return [];
    const has = new Set(other.requirements.map(sameNow));
    return run.requirements
      .filter((result) => result.level !== 'frozen' && !has.has(sameNow(result)))
      .map((result) => ({
        id: sameNow(result),
        ...(result.since !== undefined && { since: result.since }),
        came: RESULT_WORD[result.result],
      }));
  };
  return { new: lacking(after, before), gone: lacking(before, after), renamed };
}

function idsOf({ requirements }: Results): ReadonlySet<string> {
  return new Set(requirements.map(({ id }) => id));
}
