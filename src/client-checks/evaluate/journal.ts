import type { JournalEntry } from '../../emulator/control-types.ts';
import type { Act, Episode } from './episode.ts';

export type NameAndValue = readonly [name: string, value: string];

export function headerOf({ headers }: JournalEntry, name: string): string | undefined {
  return headers.find(([key]) => key.toLowerCase() === name)?.[1];
}

/** The query of an address as sent, without its mark. */
export function rawQuery({ target }: JournalEntry): string {
  const mark = target.indexOf('?');
  return mark < 0 ? '' : target.slice(mark + 1);
}

export function pathOf({ target }: JournalEntry): string {
  return target.split('?')[0] ?? target;
}

export function isForm(entry: JournalEntry): boolean {
  const type = headerOf(entry, 'content-type')?.split(';')[0]?.trim().toLowerCase();
  return type === 'application/x-www-form-urlencoded';
}

/** The form of the body, empty where it is none. */
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

/** Authorization requests as the client built them; the form that the user decides with is the service's own. */
export function authorizationRequests({ entries }: Episode): readonly JournalEntry[] {
  return entries.filter(({ endpoint, method }) => endpoint === 'authorize' && method !== 'POST');
}

/** The client's parameters that an issued code, or a denial, answers. The consent form carries the query along. */
export function authorizationParameters(entry: JournalEntry): readonly NameAndValue[] {
  if (entry.method !== 'POST') return [...new URLSearchParams(rawQuery(entry))];
  return [...new URLSearchParams(new URLSearchParams(entry.body).get('request') ?? '')];
}

/** The service refused who asked, and did not look at what was asked: a library that tries the other place is not to blame. */
export function clientRefused({ refusal }: JournalEntry): boolean {
  return refusal?.refused.startsWith('client-') ?? false;
}

/** The whole answer got to the client. */
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

/** The episode with the requests of one step alone. */
export function within(episode: Episode, step: Act): Episode {
  return { ...episode, entries: during(episode, step) };
}

export function isDuring({ after, until }: Act, { arrival }: JournalEntry): boolean {
  return arrival > after && arrival <= until;
}

export function stepsOf({ steps }: Episode, act: Act['act'], as?: string): readonly Act[] {
  return steps.filter((step) => step.act === act && (as === undefined || step.as === as));
}

/** The steps until an act got no answer: what it sends later arrives during the acts of others. */
export function untilSilence({ steps }: Episode): readonly Act[] {
  const silent = steps.findIndex(({ outcome }) => outcome === 'no-answer');
  return silent < 0 ? steps : steps.slice(0, silent + 1);
}

/** The calls that the situation is about and of which the service did refuse a request. */
export function refusedCalls(episode: Episode): readonly Act[] {
  return stepsOf(episode, 'call', 'refused').filter((step) =>
    operations(within(episode, step)).some(({ status = 0 }) => status >= 400),
  );
}

/** `refresh #7`, as it stands in the journal. */
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

/** `answered 401 token-expired`, `answer lost`. */
export function endOf(entry: JournalEntry): string {
  if (entry.fault === 'reset' || entry.fault === 'stall' || entry.fault === 'truncate')
    return `answer lost (${entry.fault})`;
  if (entry.status === undefined) return 'no answer';
  const why = entry.refusal === undefined ? '' : ` ${entry.refusal.refused}`;
  return `answered ${entry.status}${why}`;
}

/** `refresh_token#1 sent 5 times within 80 ms, by 5 connections`. */
export function sentTimes(ordinal: string, entries: readonly JournalEntry[]): string {
  const times = entries.map(({ arrivedMs }) => arrivedMs);
  const within = Math.round(Math.max(...times) - Math.min(...times));
  const sockets = new Set(entries.map(({ connection }) => connection)).size;
  return `${ordinal} sent ${entries.length} times within ${within} ms, by ${sockets} ${sockets === 1 ? 'connection' : 'connections'} (requests ${entries.map(({ arrival }) => arrival).join(', ')})`;
}

/** Groups by what a request presents; requests that present none are left out. */
export function byOrdinal(
  entries: readonly JournalEntry[],
  member: 'code' | 'refreshToken' | 'accessToken',
): readonly (readonly [ordinal: string, entries: readonly JournalEntry[]])[] {
  const groups = Map.groupBy(entries, ({ presented }) => presented[member]);
  return [...groups].flatMap(([ordinal, members]) =>
    ordinal === undefined ? [] : [[ordinal, members] as const],
  );
}
