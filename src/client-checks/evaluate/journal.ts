import type { JournalEntry } from '../../emulator/control-types.ts';
import type { Act, Episode } from './episode.ts';

/** Situations whose codes and tokens have another form. A client that damages them breaks the requirement on that form. */
export const ODD_TOKENS: readonly Episode['situation'][] = ['token-characters', 'token-length'];

export type NameAndValue = readonly [name: string, value: string];

export function headerOf({ headers }: JournalEntry, name: string): string | undefined {
  return headers.find(([key]) => key.toLowerCase() === name)?.[1];
}

export function rawQuery({ target }: JournalEntry): string {
  const mark = target.indexOf('?');
  return mark < 0 ? '' : target.slice(mark + 1);
}

export function pathOf({ target }: JournalEntry): string {
  return target.split('?')[0] ?? target;
}

export function mediaTypeOf(entry: JournalEntry): string | undefined {
  return headerOf(entry, 'content-type')?.split(';')[0]?.trim().toLowerCase();
}

export function isForm(entry: JournalEntry): boolean {
  return mediaTypeOf(entry) === 'application/x-www-form-urlencoded';
}

export function formOf(entry: JournalEntry): readonly NameAndValue[] {
  return isForm(entry) ? [...new URLSearchParams(entry.body)] : [];
}

export function valuesOf(pairs: readonly NameAndValue[], name: string): readonly string[] {
  return pairs.filter(([key]) => key === name).map(([, value]) => value);
}

export function tokenRequests({ entries }: Episode): readonly JournalEntry[] {
  return entries.filter(({ endpoint }) => endpoint === 'token');
}

export function exchanges(episode: Episode): readonly JournalEntry[] {
  return tokenRequests(episode).filter(
    ({ grantType, presented }) =>
      grantType === 'authorization_code' || (grantType === undefined && presented.code !== undefined),
  );
}

export function refreshes(episode: Episode): readonly JournalEntry[] {
  return tokenRequests(episode).filter(
    ({ grantType, presented }) => grantType === 'refresh_token' || presented.refreshToken !== undefined,
  );
}

export function operations({ entries }: Episode): readonly JournalEntry[] {
  return entries.filter(
    ({ endpoint }) => endpoint === 'list' || endpoint === 'assign' || endpoint === 'unassign',
  );
}

/** True for a resource under /v2 that the document does not show. */
export function isOtherResource(entry: JournalEntry): boolean {
  const path = pathOf(entry);
  return entry.endpoint === 'resource' && path.startsWith('/v2/') && !/assigned[-_]?users?/i.test(path);
}

export function authorizationRequests({ entries }: Episode): readonly JournalEntry[] {
  return entries.filter((entry) => entry.endpoint === 'authorize' && consentFor(entry) === undefined);
}

/** Returns the client's parameters behind an issued code or a denial. The consent form carries the query along. */
export function authorizationParameters(entry: JournalEntry): readonly NameAndValue[] {
  return [...new URLSearchParams(consentFor(entry) ?? rawQuery(entry))];
}

function consentFor({ method, body }: JournalEntry): string | undefined {
  return (method === 'POST' && new URLSearchParams(body).get('request')) || undefined;
}

/** True if the service refused the client itself. A library that then sends the credentials in the other place is not at fault. */
export function clientRefused({ refusal }: JournalEntry): boolean {
  return refusal?.refused.startsWith('client-') ?? false;
}

export function delivered({ fault, clientGone, status }: JournalEntry): boolean {
  const lost = fault === 'reset' || fault === 'stall' || fault === 'truncate';
  const replaced = (fault === 'status' || fault === 'html') && status !== undefined;
  return !lost && !replaced && !clientGone && status !== undefined;
}

export function gotTokens(entry: JournalEntry): boolean {
  return entry.issued.accessToken !== undefined && delivered(entry);
}

export function during({ entries }: Episode, step: Act): readonly JournalEntry[] {
  return entries.filter((entry) => isDuring(step, entry));
}

export function within(episode: Episode, step: Act): Episode {
  return { ...episode, entries: during(episode, step) };
}

export function isDuring({ after, until }: Act, { arrival }: JournalEntry): boolean {
  return arrival > after && arrival <= until;
}

export function stepsOf({ steps }: Episode, act: Act['act'], as?: string): readonly Act[] {
  return steps.filter((step) => step.act === act && (as === undefined || step.as === as));
}

/** Returns the steps before the first act without an answer: its late requests would arrive during other acts. */
export function untilSilence({ steps }: Episode): readonly Act[] {
  const silent = steps.findIndex(({ outcome }) => outcome === 'no-answer');
  return silent < 0 ? steps : steps.slice(0, silent + 1);
}

export function refusedCalls(episode: Episode): readonly Act[] {
  return stepsOf(episode, 'call', 'refused').filter((step) =>
    operations(within(episode, step)).some(({ status = 0 }) => status >= 400),
  );
}

/** Returns a line for each callback that sent an exchange, got no tokens, and was nevertheless shown as a success. */
export function shownSignedIn(episode: Episode, as: string, end: string): readonly string[] {
  return stepsOf(episode, 'callback', as)
    .filter((step) => step.shown === true && exchanges(within(episode, step)).length > 0)
    .filter((step) => !exchanges(within(episode, step)).some(gotTokens))
    .map(
      ({ detail }) => `the exchange ${end}, and the application showed the sign-in as a success (${detail})`,
    );
}

export function nameOf(entry: JournalEntry): string {
  const what =
    entry.endpoint !== 'token'
      ? entry.endpoint
      : entry.grantType === 'refresh_token'
        ? 'refresh'
        : entry.grantType === 'authorization_code'
          ? 'exchange'
          : 'token request';
  return `${what} (request ${entry.arrival})`;
}

/** Returns a text such as `answered 401 token-expired` or `answer lost`. */
export function endOf(entry: JournalEntry): string {
  if (entry.fault === 'reset' || entry.fault === 'stall' || entry.fault === 'truncate')
    return `answer lost (${entry.fault})`;
  if (entry.status === undefined) return 'no answer';
  const why = entry.refusal === undefined ? '' : ` ${entry.refusal.refused}`;
  return `answered ${entry.status}${why}`;
}

/** Returns what an unknown code or token resembles, such as ` (code#1, encoded twice)`. */
export function resembled({ refusal }: JournalEntry): string {
  return refusal?.resembles === undefined ? '' : ` (${refusal.resembles})`;
}

/** Returns a text such as `refresh_token#1 sent 5 times within 80 ms, by 5 connections`. */
export function sentTimes(ordinal: string, entries: readonly JournalEntry[]): string {
  const times = entries.map(({ arrivedMs }) => arrivedMs);
  const within = Math.round(Math.max(...times) - Math.min(...times));
  const sockets = new Set(entries.map(({ connection }) => connection)).size;
  const by = `${sockets} ${sockets === 1 ? 'connection' : 'connections'}`;
  return `${ordinal} sent ${entries.length} times within ${within} ms, by ${by} (${requestsOf(entries)})`;
}

const MOST_CITED = 10;

/** Returns a text such as `requests 4, 5, 6`; beyond ten the others are counted. */
export function requestsOf(entries: readonly JournalEntry[]): string {
  const cited = entries.slice(0, MOST_CITED).map(({ arrival }) => arrival);
  const more = entries.length - cited.length;
  return `requests ${cited.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

export function byOrdinal(
  entries: readonly JournalEntry[],
  member: 'code' | 'refreshToken' | 'accessToken',
): readonly (readonly [ordinal: string, entries: readonly JournalEntry[]])[] {
  const groups = Map.groupBy(entries, ({ presented }) => presented[member]);
  return [...groups].flatMap(([ordinal, members]) =>
    ordinal === undefined ? [] : [[ordinal, members] as const],
  );
}

/** Real milliseconds after a token answer in which another request of the same client may still be in progress. */
const ON_ITS_WAY_MS = 1_000;

export interface Newest {
  /** Newest last. More than one after concurrent refreshes, because any of them may have been stored last. */
  readonly accepted: readonly string[];
  readonly newest: string;
}

/**
 * Returns the tokens that the client should have presented; undefined if it had received none for this grant. With steps, a
 * token counts from the next step, because calls overlap within one; without steps, some real time after its answer.
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
  if (episode.steps.length > 0) return stepOf(episode, issue) < stepOf(episode, entry);
  if (member === 'refreshToken' && isUsedBefore(episode, issue, entry)) return true;
  return issue.answeredMs + ON_ITS_WAY_MS < entry.arrivedMs;
}

/**
 * Returns the refreshes of one token that raced in the integrator's own tests: sent again soon after the first got its pair, and
 * before the client used that pair. The emulator may answer faster than two calls race.
 */
export function sentBeforeUse(episode: Episode, entries: readonly JournalEntry[]): readonly JournalEntry[] {
  const first = entries.find(gotTokens);
  if (episode.steps.length > 0 || first === undefined) return [];
  const again = entries.filter(
    (entry) =>
      entry.arrival > first.arrival &&
      entry.arrivedMs <= first.answeredMs + ON_ITS_WAY_MS &&
      !isUsedBefore(episode, first, entry),
  );
  return again.length === 0 ? [] : [first, ...again];
}

/** True if the client has used the issued access token, so it has read the answer. */
function isUsedBefore({ entries }: Episode, { issued }: JournalEntry, { arrival }: JournalEntry): boolean {
  return entries.some((one) => one.arrival < arrival && one.presented.accessToken === issued.accessToken);
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
