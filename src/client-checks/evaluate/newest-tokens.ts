import type { JournalEntry } from '../../emulator/control-types.ts';
import type { Episode } from './episode.ts';
import { gotTokens } from './journal.ts';

/** Real milliseconds after a token answer within which another request of the same client may still be on its way. */
const ON_ITS_WAY_MS = { accessToken: 1_000, refreshToken: 100 } as const;

/** The newest tokens that a client had learned of before it sent a request, for the grant of that request. */
export interface Newest {
  /** Newest last: more than one where refreshes ran at the same time, as any of them may have been stored last. */
  readonly accepted: readonly string[];
  readonly newest: string;
}

/**
 * What the client should have presented. Undefined where it had learned of nothing for this grant.
 *
 * With steps, tokens count from the step after the one in which they came: within one step calls overlap. Without, from some real time
 * after their answer.
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

/** A user who signs in again has a new pair, of another grant. Tests of the integrator's own may keep several for one owner. */
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

/** Index of the step that a request belongs to; what came between two belongs to the next. */
export function stepOf({ steps }: Episode, { arrival }: JournalEntry): number {
  const index = steps.findIndex(({ until }) => arrival <= until);
  return index < 0 ? steps.length : index;
}

/** At the same time, or from the same refresh token: whichever was stored last, a race decided. */
function overlap(one: JournalEntry, other: JournalEntry): boolean {
  const { refreshToken } = one.presented;
  if (refreshToken !== undefined && refreshToken === other.presented.refreshToken) return true;
  return one.arrivedMs <= other.answeredMs && other.arrivedMs <= one.answeredMs;
}

/** The arrival after which the process is another one; Infinity where it stayed. */
export function restartedAfter({ steps }: Episode): number {
  return steps.find(({ act }) => act === 'restart' || act === 'kill')?.after ?? Number.POSITIVE_INFINITY;
}
