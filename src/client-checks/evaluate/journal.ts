import type { JournalEntry } from '../../emulator/control/control-types.ts';
import type { Act, ActName, Episode } from './episode.ts';
import { type Cited, cited } from './line.ts';

/** Situations whose codes and tokens have another form. A client that damages them breaks the requirement on that form. */
export const ODD_TOKENS: readonly Episode['situation'][] = ['token-characters', 'token-length', 'disk-full'];

/** A request of the client, read once. */
export interface Sent extends JournalEntry {
  /** `refresh (request 5)`. */
  readonly name: string;
  /** `answered 401 token-expired` or `answer lost (reset)`. */
  readonly end: string;
  readonly path: string;
  readonly mediaType: string | undefined;
  readonly authorization: string | undefined;
  readonly bearer: string | undefined;
  /** Empty for a body that is no form. */
  readonly form: URLSearchParams;
  readonly query: URLSearchParams;
  /** The client's parameters behind an issued code or a denial. The consent form carries the query along. */
  readonly asked: URLSearchParams;
  /** The service refused the client itself. A library that then sends the credentials in the other place is not at fault. */
  readonly isClientRefused: boolean;
  readonly isDelivered: boolean;
  readonly gotTokens: boolean;
}

export const FORM_TYPE = 'application/x-www-form-urlencoded';

export function sentFrom(entry: JournalEntry): Sent {
  const { target, body, fault, status, refusal } = entry;
  const [path = target] = target.split('?', 1);
  const query = target.slice(path.length + 1);
  const mediaType = entryHeader(entry, 'content-type')?.split(';')[0]?.trim().toLowerCase();
  const authorization = entryHeader(entry, 'authorization');
  const isLost = fault === 'reset' || fault === 'stall' || fault === 'truncate';
  const isReplaced = fault === 'status' || fault === 'html';
  const isDelivered = !isLost && !isReplaced && !entry.clientGone && status !== undefined;
  return {
    ...entry,
    name: `${kindOf(entry)} (request ${entry.arrival})`,
    end: isLost ? `answer lost (${fault})` : endOf(entry),
    path,
    mediaType,
    authorization,
    bearer: /^bearer +(\S+)/i.exec(authorization ?? '')?.[1],
    form: new URLSearchParams(mediaType === FORM_TYPE ? body : ''),
    query: new URLSearchParams(query),
    asked: new URLSearchParams(consentFor(entry) ?? query),
    isClientRefused: refusal?.refused.startsWith('client-') ?? false,
    isDelivered,
    gotTokens: entry.issued.accessToken !== undefined && isDelivered,
  };
}

/** True if the service refused the refresh token of the request. */
export function isTokenRefused({ refusal }: JournalEntry): boolean {
  return refusal?.refused.startsWith('refresh-token-') === true;
}

/** Returns undefined for malformed percent-encoding. */
export function decodedOrUndefined(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

export function entryHeader({ headers }: JournalEntry, name: string): string | undefined {
  return headers.find(([key]) => key.toLowerCase() === name)?.[1];
}

function consentFor({ method, body }: JournalEntry): string | undefined {
  return (method === 'POST' && new URLSearchParams(body).get('request')) || undefined;
}

function kindOf({ endpoint, grantType }: JournalEntry): string {
  if (endpoint !== 'token') return endpoint;
  if (grantType === 'refresh_token') return 'refresh';
  return grantType === 'authorization_code' ? 'exchange' : 'token request';
}

function endOf({ status, refusal }: JournalEntry): string {
  if (status === undefined) return 'no answer';
  return `answered ${status}${refusal === undefined ? '' : ` ${refusal.refused}`}`;
}

/** An episode with its requests by kind. */
export interface Watched extends Omit<Episode, 'entries'> {
  readonly entries: readonly Sent[];
  readonly authorizations: readonly Sent[];
  readonly tokenRequests: readonly Sent[];
  readonly exchanges: readonly Sent[];
  readonly refreshes: readonly Sent[];
  /** List, assign and unassign. */
  readonly operations: readonly Sent[];
}

export function watchedEpisode({ entries, ...episode }: Episode): Watched {
  return sorted(episode, entries.map(sentFrom));
}

function sorted(episode: Omit<Episode, 'entries'>, entries: readonly Sent[]): Watched {
  const tokenRequests = entries.filter(({ endpoint }) => endpoint === 'token');
  return {
    ...episode,
    entries,
    authorizations: entries.filter(
      (entry) => entry.endpoint === 'authorize' && consentFor(entry) === undefined,
    ),
    tokenRequests,
    exchanges: tokenRequests.filter(
      ({ grantType, presented }) =>
        grantType === 'authorization_code' || (grantType === undefined && presented.code !== undefined),
    ),
    refreshes: tokenRequests.filter(
      ({ grantType, presented }) => grantType === 'refresh_token' || presented.refreshToken !== undefined,
    ),
    operations: entries.filter(({ endpoint }) => /^(?:list|assign|unassign)$/.test(endpoint)),
  };
}

/** True for a resource under /v2 that the document does not show. */
export function isOtherResource({ endpoint, path }: Sent): boolean {
  return endpoint === 'resource' && path.startsWith('/v2/') && !/assigned[-_]?users?/i.test(path);
}

export function episodeDuring(episode: Watched, step: Act): Watched {
  return sorted(
    episode,
    episode.entries.filter((entry) => isDuring(step, entry)),
  );
}

export function isDuring({ after, until }: Act, { arrival }: JournalEntry): boolean {
  return arrival > after && arrival <= until;
}

export function stepsOf({ steps }: Pick<Episode, 'steps'>, act: Act['act'], as?: ActName): readonly Act[] {
  return steps.filter((step) => step.act === act && (as === undefined || step.as === as));
}

/** Returns the steps before the first act without an answer: its late requests would arrive during other acts. */
export function untilSilence({ steps }: Watched): readonly Act[] {
  const silent = steps.findIndex(({ outcome }) => outcome === 'no-answer');
  return silent < 0 ? steps : steps.slice(0, silent + 1);
}

/**
 * Returns a call with the outcome that the service's last answer to this user shows: an application may show a success, or an
 * empty list, where its call was refused.
 */
export function asServed(episode: Watched, step: Act): Act {
  const owner = episode.owners[step.session];
  const { operations, refreshes, entries } = episodeDuring(episode, step);
  const last = entries.findLast(
    (entry) => (operations.includes(entry) || refreshes.includes(entry)) && (entry.user ?? owner) === owner,
  );
  if ((last?.status ?? 0) < 400 || step.outcome !== 'ok') return step;
  return { ...step, outcome: 'error', detail: `${step.detail}, although ${last?.name} ${last?.end}` };
}

/** Returns a line for each call that failed and presented no token, although the client had a pair. */
export function callsWithoutToken(episode: Watched, why: string): readonly string[] {
  const had = ({ after }: Act) =>
    episode.entries.some(({ issued, arrival }) => issued.accessToken !== undefined && arrival <= after);
  return stepsOf(episode, 'call', 'kept').flatMap((step) =>
    had(step) && step.outcome !== 'ok' && episodeDuring(episode, step).entries.length === 0
      ? [`${why}, and the next call presented no token: it ${step.detail}`]
      : [],
  );
}

/** True for a client that gets over an expiry and keeps the new pair. Without that, later ones show nothing else. */
export function survivesExpiry(episodes: readonly Watched[]): boolean {
  return episodes.some((episode) => {
    const calls = stepsOf(episode, 'call').map((step) => asServed(episode, step));
    const isExpiry = episode.situation === 'expiry' && calls.some(({ as }) => as === 'after-expiry');
    return isExpiry && calls.every(({ outcome }) => outcome === 'ok');
  });
}

/** False also for an unassign of a user who is not assigned, which the service answers with 404. */
export function isDone({ effect, status = 0 }: JournalEntry): boolean {
  return effect !== undefined && status < 400;
}

export function refusedCalls(episode: Watched): readonly Act[] {
  return stepsOf(episode, 'call', 'refused').filter((step) =>
    episodeDuring(episode, step).operations.some(({ status = 0 }) => status >= 400),
  );
}

/** Returns what an unknown code or token resembles, such as ` (code#1, encoded twice)`. */
export function resemblanceText({ refusal }: JournalEntry): string {
  return refusal?.resembles === undefined ? '' : ` (${refusal.resembles})`;
}

/** Returns a text such as `refresh_token#1 sent 5 times within 80 ms, by 5 connections`. */
export function sentTimesText(ordinal: string, entries: readonly Sent[]): Cited {
  const times = entries.map(({ arrivedMs }) => arrivedMs);
  const within = Math.round(Math.max(...times) - Math.min(...times));
  const sockets = new Set(entries.map(({ connection }) => connection)).size;
  const by = `${sockets} ${sockets === 1 ? 'connection' : 'connections'}`;
  return cited`${ordinal} sent ${entries.length} times within ${within} ms, by ${by} (${requestsOf(entries)})`;
}

const MOST_CITED = 10;

/** Returns a text such as `requests 4, 5, 6`; beyond ten the others are counted. */
export function requestsOf(entries: readonly Sent[]): Cited {
  const requests = entries.slice(0, MOST_CITED);
  const more = entries.length - requests.length;
  const arrivals = requests.map(({ arrival }) => arrival).join(', ');
  return { text: `requests ${arrivals}${more > 0 ? ` and ${more} more` : ''}`, requests };
}

export function byOrdinal(
  entries: readonly Sent[],
  member: 'code' | 'refreshToken' | 'accessToken',
): readonly (readonly [ordinal: string, entries: readonly Sent[]])[] {
  const groups = Map.groupBy(entries, ({ presented }) => presented[member]);
  return [...groups].flatMap(([ordinal, members]) =>
    ordinal === undefined ? [] : [[ordinal, members] as const],
  );
}

/** Real milliseconds after a token answer in which another request of the same client may still be in progress. */
const ON_ITS_WAY_MS = 1_000;

interface Newest {
  /** Newest last. More than one after concurrent refreshes, because any of them may have been stored last. */
  readonly accepted: readonly string[];
  readonly newest: string;
}

/**
 * Returns the tokens that the client should have presented; undefined if it had received none for this grant. With steps, a
 * token counts from the next step, because calls overlap within one; without steps, some real time after its answer.
 */
export function newestBefore(
  episode: Watched,
  entry: Sent,
  member: 'accessToken' | 'refreshToken',
): Newest | undefined {
  const learned = episode.entries
    .filter(
      (issue) =>
        isSameHolder(episode, issue, entry) && issue.gotTokens && isBefore(episode, issue, entry, member),
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
function isSameHolder({ steps }: Watched, one: Sent, other: Sent): boolean {
  // Two browsers of one user may hold a grant each.
  return steps.length === 0 || steps.some(({ browser }) => browser !== undefined)
    ? one.grant === other.grant
    : one.user !== undefined && one.user === other.user;
}

function isBefore(
  episode: Watched,
  issue: Sent,
  entry: Sent,
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
export function sentBeforeUse(episode: Watched, entries: readonly Sent[]): readonly Sent[] {
  const first = entries.find(({ gotTokens }) => gotTokens);
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
function isUsedBefore({ entries }: Watched, { issued }: Sent, { arrival }: Sent): boolean {
  return entries.some((one) => one.arrival < arrival && one.presented.accessToken === issued.accessToken);
}

/** Returns the index of the step that a request belongs to; a request between two steps belongs to the next. */
export function stepOf({ steps }: Watched, { arrival }: Sent): number {
  const index = steps.findIndex(({ until }) => arrival <= until);
  return index < 0 ? steps.length : index;
}

/** True for concurrent refreshes or refreshes of the same token: a race decides which result was stored last. */
function overlap(one: Sent, other: Sent): boolean {
  const { refreshToken } = one.presented;
  if (refreshToken !== undefined && refreshToken === other.presented.refreshToken) return true;
  return one.arrivedMs <= other.answeredMs && other.arrivedMs <= one.answeredMs;
}

export function restartedAfter({ steps }: Watched): number {
  return steps.find(({ act }) => act === 'restart' || act === 'kill')?.after ?? Number.POSITIVE_INFINITY;
}
