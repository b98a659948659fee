/** Two lists of one project that were asked for at once: the ids in each. */
export type ListPair = readonly [ReadonlySet<string>, ReadonlySet<string>];

/** How many pairs must differ within: a change of another client may fall between the two lists of a pair, but hardly this often. */
const ENOUGH = 3;

/** Why the lists of a project differ although the suite has sent nothing that changes it. */
export type ListChanger = 'the service' | 'another client' | 'unknown';

/**
 * Tells lists that differ by themselves from what another client does: that shows in both lists of a pair, and stays for a while.
 * Lists that differ by themselves differ within pairs too, more often than from one pair to the next. What was otherwise once and is now
 * as it was before may be either.
 *
 * @param before what the list held before it differed
 * @param pairs what it held afterwards, in the order of asking
 */
export function whoChanges(before: ReadonlySet<string>, pairs: readonly ListPair[]): ListChanger {
  const whole = pairs.filter(([one, other]) => sameIds(one, other)).map(([one]) => one);
  const split = pairs.length - whole.length;
  const likeEach = whole.map((list) => whole.filter((other) => sameIds(list, other)).length);
  const unusual = whole.length - Math.max(0, ...likeEach);
  if (split >= ENOUGH && split >= 2 * unusual) return 'the service';
  if (unusual > split) return 'another client';
  const stays = whole.length > 0 && split === 0;
  return stays && !whole.some((list) => sameIds(list, before)) ? 'another client' : 'unknown';
}

/** Whether two lists hold the same users. */
export function sameIds(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return one.size === other.size && [...one].every((id) => other.has(id));
}
