import type { JournalEntry } from '../../emulator/control-types.ts';
import type { Episode } from './episode.ts';
import { gotTokens } from './journal.ts';

/** Real milliseconds after a token answer in which another request of the same client may still be in progress. */
const ON_ITS_WAY_MS = { accessToken: 1_000, refreshToken: 100 } as const;

export interface Newest {
  /** Newest last. More than one after concurrent refreshes, because any of them may have been stored last. */
  readonly accepted: readonly string[];
  readonly newest: string;
}

/**
 * Returns the tokens that the client should have presented; undefined if it had received none for this grant. With
 * steps, a token counts from the step after its own, because calls overlap within a step. Without steps, it counts some
 * real time after its answer.
 */
export function newestBefore(
  episode: Episode,
  entry: JournalEntry,
  member: 'accessToken' | 'refreshToken',
): Newest | undefined {
  const learned = episode.entries
    .filter(
      (issue) =>
        isSameHolder(episode, issue, entry) && gotTokens(issue) && isBefore(episode, issue, entry, member),
    )
    .toSorted((a, b) => a.answeredMs - b.answeredMs);
  const last = learned.at(-1);
  const newest = last?.issued[member];
  if (last === undefined || newest === undefined) return undefined;
  const accepted = learned
    .filter((issue) => issue === last || overlap(issue, last))
    .flatMap(({ issued }) => issued[member] ?? []);
  return { accepted, newest };
}

/** Compares token holders: a new sign-in makes a new grant. The integrator's own tests may keep several grants for one owner. */
function isSameHolder({ steps }: Episode, one: JournalEntry, other: JournalEntry): boolean {
  return steps.length === 0 ? one.grant === other.grant : one.user !== undefined && one.user === other.user;
}

function isBefore(
  episode: Episode,
  issue: JournalEntry,
  entry: JournalEntry,
  member: 'accessToken' | 'refreshToken',
): boolean {
  if (episode.steps.length === 0) return issue.answeredMs + ON_ITS_WAY_MS[member] < entry.arrivedMs;
  return stepOf(episode, issue) < stepOf(episode, entry);
}

/** Returns the index of the step that a request belongs to; a request between two steps belongs to the next. */
export function stepOf({ steps }: Episode, { arrival }: JournalEntry): number {
  const index = steps.findIndex(({ until }) => arrival <= until);
  return index < 0 ? steps.length : index;
}

/** True for concurrent refreshes or refreshes of the same token: a race decides which result was stored last. */
function overlap(one: JournalEntry, other: JournalEntry): boolean {
  const { refreshToken } = one.presented;
  if (refreshToken !== undefined && refreshToken === other.presented.refreshToken) return true;
  return one.arrivedMs <= other.answeredMs && other.arrivedMs <= one.answeredMs;
}

export function restartedAfter({ steps }: Episode): number {
  return steps.find(({ act }) => act === 'restart' || act === 'kill')?.after ?? Number.POSITIVE_INFINITY;
}
