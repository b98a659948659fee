import type { RequirementId } from '../../generated/ids.ts';
import { presentId } from '../catalogue/former-ids.ts';
import type { Catalogue } from '../catalogue/types.ts';
import { didYouMean, nearest } from '../input/usage-error.ts';

export interface Selection {
  readonly ids: readonly RequirementId[];
  readonly partial: boolean;
}

export class UnknownSelection extends Error {}

export function select(catalogue: Catalogue, only: readonly string[], where = '--only'): Selection {
  const all = catalogue.clauses.flatMap((clause) => clause.requirements);
  if (only.length === 0) return { ids: all.map((r) => r.id), partial: false };
  const wanted = new Set<string>();
  for (const asked of only) {
    const word = presentId(all, asked);
    const hits = all.filter((r) => r.id === word || r.id.split('.')[0] === word || inClause(r.clause, word));
    if (hits.length === 0) throw new UnknownSelection(`${where}: ${explain(word, catalogue)}`);
    for (const hit of hits) wanted.add(hit.id);
  }
  const ids = all.map((r) => r.id).filter((id) => wanted.has(id));
  return { ids, partial: ids.length < all.length };
}

/** `4` matches 4.1, 4.2 and so on; `4.2` matches itself. */
function inClause(clause: string, word: string): boolean {
  return clause === word || clause.startsWith(`${word}.`);
}

function explain(word: string, catalogue: Catalogue): string {
  const ids: readonly string[] = catalogue.clauses.flatMap((clause) => clause.requirements.map((r) => r.id));
  const [group = '', slug] = word.split('.');
  const ofGroup = ids.filter((id) => id.startsWith(`${group}.`));
  if (slug !== undefined && ofGroup.length > 0) {
    const slugs = ofGroup.map((id) => id.slice(group.length + 1));
    const meant = nearest(slug, slugs);
    const hint =
      meant === undefined ? ` ${group} has ${slugs.join(', ')}.` : ` Did you mean "${group}.${meant}"?`;
    return `expected a requirement of the group ${group}, got ${JSON.stringify(word)}.${hint}`;
  }
  const near = ids.filter((id) => id.includes(word) || word.includes(id.split('.')[1] ?? id)).slice(0, 3);
  const clauses = catalogue.clauses.filter((c) => c.requirements.length > 0).map((c) => c.clause);
  const known = [...ids, ...clauses, ...ids.map((id) => id.split('.')[0] ?? id)];
  const hint = didYouMean(word, known) || (near.length > 0 ? ` Did you mean ${near.join(' or ')}?` : '');
  return (
    `expected a requirement (exchange.code-single-use), a group (exchange) or a clause ` +
    `(${clauses.join(', ')}), got ${JSON.stringify(word)}.${hint}`
  );
}
