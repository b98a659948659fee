import { type RequirementId, requirementIds } from '../../../generated/ids.ts';
import { didYouMean, UsageError } from '../../document/input/usage-error.ts';
import { loadCatalogue } from '../../document/load-catalogue.ts';
import type { Risk } from '../../document/types.ts';
import type { Results } from '../../report/results.ts';

/** The requirements that a run checks. */
export interface Selection {
  readonly ids: readonly RequirementId[];
  readonly selection: Results['selection'];
}

/**
 * Selects requirements by ids, groups and clauses; all without a word.
 *
 * @throws UsageError for an unknown word
 */
export function selectRequirements(only: readonly string[], where = '--only'): Selection {
  const all = loadCatalogue().requirements;
  if (only.length === 0) return { ids: requirementIds, selection: 'complete' };
  const wanted = new Set<string>();
  for (const word of only) {
    // `4` matches 4.1, 4.2 and so on; `4.2` matches itself.
    const hits = all.filter(
      ({ id, clause }) => [id, id.split('.')[0], clause].includes(word) || clause.startsWith(`${word}.`),
    );
    if (hits.length === 0) throw new UsageError(`${where}: ${whyNone(word, where)}`);
    for (const hit of hits) wanted.add(hit.id);
  }
  const ids = requirementIds.filter((id) => wanted.has(id));
  return { ids, selection: ids.length < all.length ? 'partial' : 'complete' };
}

/**
 * Leaves out the requirements whose checks an account with real data may not afford.
 *
 * @param only the words of `--only`
 * @throws UsageError for one that names such a requirement
 */
export function withoutCarelessChecks({ ids }: Selection, only: readonly string[]): Selection {
  const careless = new Set<string>(
    loadCatalogue().requirements.flatMap((one) => (one.careless ? one.id : [])),
  );
  const left = only.find((word) => careless.has(word));
  if (left !== undefined) throw new UsageError(`--only: \`care: careful\` leaves out ${left}`);
  return { ids: ids.filter((id) => !careless.has(id)), selection: 'careful' };
}

function whyNone(word: string, where: string): string {
  const catalogue = loadCatalogue();
  if (catalogue.clauses.some(({ clause }) => clause === word))
    return `clause ${word} has no requirements: the document demands nothing there`;
  const clauses = catalogue.clauses.filter((c) => c.requirements.length > 0).map((c) => c.clause);
  const groups = requirementIds.map((id) => id.split('.')[0] ?? id);
  const known = [...(where === 'explain' ? ['defects'] : []), ...requirementIds, ...clauses, ...groups];
  return (
    `expected a requirement (exchange.code-single-use), a group (exchange) or a clause ` +
    `(${clauses.join(', ')}), got ${JSON.stringify(word)}.${didYouMean(word, known)}`
  );
}

const RISKS: readonly Risk[] = ['none', 'refusals', 'revokes', 'slow'];

/**
 * Returns the accepted risks. The emulator takes all unless some are named.
 *
 * @throws UsageError for an unknown one
 */
export function risksFrom(words: readonly string[], emulator: boolean, known = RISKS): ReadonlySet<Risk> {
  refuseUnknown('--risk', words, known);
  return new Set(emulator && words.length === 0 ? known : ['none', ...(words as Risk[])]);
}

/** @throws UsageError for a word that an option does not know */
export function refuseUnknown(option: string, words: readonly string[], known: readonly string[]): void {
  const unknown = words.find((word) => !known.includes(word));
  if (unknown === undefined) return;
  throw new UsageError(
    `${option}: expected one of ${known.join(', ')}; got ${JSON.stringify(unknown)}.${didYouMean(unknown, known)}`,
  );
}
