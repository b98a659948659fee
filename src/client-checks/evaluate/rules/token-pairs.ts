import type { JournalEntry } from '../../../emulator/control-types.ts';
import {
  byEpisode,
  type ClientRule,
  type Episode,
  type EvaluationSettings,
  each,
  type Findings,
  inSituations,
  NOTHING,
} from '../episode.ts';
import {
  authorizationRequests,
  byOrdinal,
  clientRefused,
  during,
  endOf,
  gotTokens,
  nameOf,
  newestBefore,
  ODD_TOKENS,
  operations,
  refreshes,
  resembled,
  restartedAfter,
  sentBeforeUse,
  sentTimes,
  stepOf,
  stepsOf,
  untilSilence,
  within,
} from '../journal.ts';
import { RACES } from './rehearsals.ts';

export const PAIRS = {
  'pair.newest-access-token': byEpisode((episode) => {
    const sent = operations(episode).filter(
      ({ arrival, presented }) => presented.accessToken !== undefined && arrival <= restartedAfter(episode),
    );
    return compared(episode, sent, 'accessToken');
  }),
  'pair.newest-refresh-token': byEpisode((episode) => {
    if (isRace(episode)) return NOTHING;
    const sent = refreshes(episode).filter(
      (entry) => !clientRefused(entry) && entry.arrival <= restartedAfter(episode),
    );
    return compared(episode, sent, 'refreshToken');
  }),
  'pair.survives-restart': inSituations(['expiry-after-restart'], afterRestart),
  'pair.stored-before-used': inSituations(['killed-after-refresh'], afterRestart),
  'pair.own-user': inSituations(['second-user', 'second-user-meanwhile'], (episode) => {
    const steps = untilSilence(episode);
    const calls = stepsOf({ ...episode, steps }, 'call', '');
    const { examples, broken } = each(calls, (step) =>
      during(episode, step)
        .filter(({ user }) => user !== undefined && user !== episode.owners[step.session])
        .map(
          (entry) =>
            `${nameOf(entry)} of ${episode.owners[step.session]} presents ${tokenOf(entry)}, which is of ${entry.user}`,
        ),
    );
    return { examples, broken: [...broken, ...withoutOwn(episode), ...withAnothers(episode)] };
  }),
  'pair.kept-on-failure': inSituations(['refresh-503', 'refresh-429'], (episode) => {
    if (episode.gap !== undefined) return NOTHING;
    const sent = refreshes(episode);
    const failures = sent.filter(({ fault }) => fault !== undefined);
    return each(failures, (failed) => {
      const isSentAgain = sent.some(
        ({ arrival, presented }) =>
          arrival > failed.arrival && presented.refreshToken === failed.presented.refreshToken,
      );
      const next = stepsOf(episode, 'call', 'after-503').find(({ after }) => after >= failed.arrival);
      if (isSentAgain || next?.outcome === 'ok') return undefined;
      const form = failed === failures[0] ? 'JSON' : 'a page';
      return `${nameOf(failed)} ${endOf(failed)} with ${form}, and ${failed.presented.refreshToken} was not sent again by the next call`;
    });
  }),
} satisfies Readonly<Record<string, ClientRule>>;

export const RENEWALS = {
  'renewal.after-expiry': byEpisode((episode) => {
    const found = episode.situation === 'own-tests' ? expiryInTests(episode) : expiryByStep(episode);
    return found.broken.length > 0 ? found : { ...found, broken: neverRenewed(episode) };
  }),
  'renewal.when-needed': inSituations(['flow', 'second-expiry'], beforeEachCall),
  'renewal.one-at-a-time': byEpisode((episode) => {
    const sent = refreshes(episode).filter((entry) => !clientRefused(entry));
    // With two races in one situation, each stands for itself.
    const apart = Map.groupBy(sent, (entry) => (episode.situation in RACES ? stepOf(episode, entry) : 0));
    const groups = [...apart.values()].flatMap((group) => byOrdinal(group, 'refreshToken'));
    const races = groups.flatMap(([ordinal, entries]) => {
      // With five calls at once, a process that waits for another and then sends an older token is in a race too.
      const late = isRace(episode) && entries.slice(0, -1).some(gotTokens);
      const together = late ? entries : overlapping(entries);
      const raced = together.length > 1 ? together : sentBeforeUse(episode, entries);
      return raced.length > 1 ? [sentTimes(ordinal, raced)] : [];
    });
    const staged = isRace(episode) && episode.gap === undefined;
    const examples = staged && sent.length > 0 ? stepsOf(episode, 'call', 'at-once').length : 0;
    return { examples, broken: races };
  }),
  'renewal.lost-not-repeated': inSituations(['refresh-lost', 'refresh-late'], (episode) => {
    const steps = stepsOf(episode, 'call', 'lost');
    const sent = steps
      .flatMap((step) => refreshes(within(episode, step)))
      .filter((entry) => !clientRefused(entry));
    const broken = byOrdinal(sent, 'refreshToken')
      .filter(([, entries]) => entries.length > 1)
      .map(
        ([ordinal, entries]) =>
          `${sentTimes(ordinal, entries)} in one call, the first answer ${episode.situation === 'refresh-late' ? 'late' : 'lost'}`,
      );
    return { examples: sent.filter(({ fault }) => fault !== undefined).length, broken };
  }),
  'renewal.refused-not-repeated': byEpisode((episode) => {
    if (episode.situation !== 'refresh-refused' && episode.situation !== 'own-tests') return NOTHING;
    const dead = refreshes(episode).filter(
      ({ refusal, presented }) =>
        refusal?.refused.startsWith('refresh-token-') === true &&
        presented.refreshToken?.startsWith('refresh_token#') === true,
    );
    const broken = byOrdinal(dead, 'refreshToken')
      .filter(([, entries]) => oneAfterTheOther(entries))
      .map(([ordinal, entries]) => `${sentTimes(ordinal, entries)}, refused each time`);
    return { examples: dead.length, broken };
  }),
} satisfies Readonly<Record<string, ClientRule>>;

/** Upper limit of a refresh leeway, in seconds. */
const LONGEST_LEEWAY = 1_800;

/** Calls that follow each other at once have a valid access token, so a refresh before each of them is a habit. */
function beforeEachCall(episode: Episode, { expiresIn }: EvaluationSettings): Findings {
  const following = episode.steps.filter(
    ({ act, outcome }, index) =>
      act === 'call' && outcome === 'ok' && episode.steps[index - 1]?.act === 'call',
  );
  const unasked = following.filter((step) => {
    const [first] = during(episode, step).filter(({ endpoint }) => endpoint !== 'page');
    return first !== undefined && refreshes(episode).includes(first);
  });
  const always = following.length > 1 && unasked.length === following.length;
  if (expiresIn < 2 * LONGEST_LEEWAY) {
    const seen = always ? `a refresh came before each of ${following.length} calls. ` : '';
    return {
      ...NOTHING,
      missed: `${seen}It could not be evaluated with a lifetime of ${expiresIn} s: the client may refresh that early. Choose a clock that can be moved, or --expires-in ${2 * LONGEST_LEEWAY}`,
    };
  }
  return {
    examples: following.length,
    broken: always
      ? [`${following.length} calls, each just after another one, and a refresh before each`]
      : [],
  };
}

function isRace({ situation }: Episode): boolean {
  return situation === 'calls-at-expiry' || situation === 'unauthorized-at-once' || situation in RACES;
}

function compared(
  episode: Episode,
  sent: readonly JournalEntry[],
  member: 'accessToken' | 'refreshToken',
): Findings {
  let examples = 0;
  const broken: string[] = [];
  for (const entry of sent) {
    const presented = entry.presented[member];
    if (isMadeUp(episode, presented, member))
      broken.push(`${nameOf(entry)} presents what was never issued as one${resembled(entry)}`);
    const known = newestBefore(episode, entry, member);
    if (presented === undefined || known === undefined) continue;
    // A client with one pair does not show that it replaces it.
    if (renewed(episode, entry)) examples += 1;
    if (known.accepted.includes(presented) || issuedLater(episode, presented, known.newest, member)) continue;
    broken.push(`${nameOf(entry)} presents ${presented}; the newest was ${known.newest}`);
  }
  return { examples, broken };
}

/** True for a token that no response held. Odd characters belong to another requirement, and tests may invent a token. */
function isMadeUp(
  { situation, steps }: Episode,
  presented: string | undefined,
  member: 'accessToken' | 'refreshToken',
): boolean {
  const kind = member === 'accessToken' ? 'access_token' : 'refresh_token';
  return (
    steps.length > 0 && !ODD_TOKENS.includes(situation) && presented?.startsWith(`unissued_${kind}#`) === true
  );
}

function withoutOwn(episode: Episode): readonly string[] {
  const expiry = episode.steps.findIndex(({ act }) => act === 'time');
  const early = episode.steps.slice(0, expiry < 0 ? undefined : expiry);
  return (['first', 'second'] as const).flatMap((session) => {
    const call = early.find((step) => step.act === 'call' && step.session === session);
    if (call === undefined || operations(within(episode, call)).length > 0) return [];
    const owner = episode.owners[session];
    return [`the first call of ${owner} after the sign-in ${call.detail}, and no request was sent for it`];
  });
}

function withAnothers(episode: Episode): readonly string[] {
  return stepsOf(episode, 'call', 'both-due').flatMap((step) => {
    const answered = operations(within(episode, step)).filter(({ effect }) => effect !== undefined);
    const owner = episode.owners[step.session];
    if (step.outcome !== 'ok' || answered.length < 2 || answered.some(({ user }) => user === owner))
      return [];
    const [entry] = answered;
    return [
      `the call of ${owner} ended well while ${entry?.user} called, and all ${answered.length} requests that were answered carry tokens of ${entry?.user}`,
    ];
  });
}

function renewed(episode: Episode, { grant, arrival }: JournalEntry): boolean {
  return episode.entries.some(
    (entry) =>
      entry.grant === grant &&
      entry.arrival < arrival &&
      entry.grantType === 'refresh_token' &&
      gotTokens(entry),
  );
}

function issuedLater(
  { entries }: Episode,
  token: string,
  newest: string,
  member: 'accessToken' | 'refreshToken',
): boolean {
  // A repeated refresh may get the pair of an answer that was lost.
  const issueOf = (one: string) => entries.find((entry) => entry.issued[member] === one && gotTokens(entry));
  const [issue, known] = [issueOf(token), issueOf(newest)];
  return issue !== undefined && known !== undefined && issue.arrival > known.arrival;
}

function tokenOf({ presented }: JournalEntry): string {
  return presented.accessToken ?? presented.refreshToken ?? presented.code ?? 'a token';
}

/** After a restart, allows only the newest pair from before it, or its successors. */
function afterRestart(episode: Episode): Findings {
  const boundary = restartedAfter(episode);
  const before = episode.entries.filter((entry) => entry.arrival <= boundary && gotTokens(entry));
  const last = before.at(-1);
  const steps = stepsOf(episode, 'call', 'after-restart');
  if (last === undefined || steps.length === 0 || before.length < 2) return NOTHING;
  const old = new Set(
    before
      .filter((entry) => entry !== last)
      .flatMap(({ issued }) => [issued.accessToken, issued.refreshToken]),
  );
  const broken = steps.flatMap((step) => {
    const sent = during(episode, step).filter(
      (entry) => operations(episode).includes(entry) || refreshes(episode).includes(entry),
    );
    const stale = sent.filter(({ presented }) => old.has(presented.accessToken ?? presented.refreshToken));
    if (stale.length > 0)
      return stale
        .slice(0, 2)
        .map(
          (entry) =>
            `${nameOf(entry)} presents ${tokenOf(entry)}; the newest before was ${last.issued.refreshToken} with ${last.issued.accessToken}`,
        );
    const renews = sent.some(({ presented }) => presented.refreshToken !== undefined);
    const expired = sent.some(({ refusal }) => refusal?.refused === 'token-expired');
    if (step.outcome === 'ok' || renews || (sent.length > 0 && !expired)) return [];
    if (expired)
      return [
        `the access token had expired and ${refreshWords(refreshes(within(episode, step)))}; the call ${step.detail}`,
      ];
    return [
      `no request carried ${last.issued.accessToken} or ${last.issued.refreshToken}; the call ${step.detail}`,
    ];
  });
  return { examples: steps.length, broken: broken.slice(0, 3) };
}

function expiryByStep(episode: Episode): Findings {
  const { situation, gap } = episode;
  if ((situation !== 'expiry' && situation !== 'expiry-time-zone') || gap !== undefined) return NOTHING;
  return each(stepsOf(episode, 'call', 'after-expiry'), (step) => {
    const own = within(episode, step);
    const last = refreshes(own).at(-1);
    if (last !== undefined)
      return step.outcome === 'ok'
        ? undefined
        : `${nameOf(last)} ${endOf(last)}, and the call ${step.detail}`;
    const again =
      authorizationRequests(own).length > 0
        ? 'the user was sent to sign in again'
        : `the call ${step.detail}`;
    const refused = expiredCalls(own).length;
    return `no refresh after the access token had expired (${refused} requests with the expired token): ${again}`;
  });
}

function expiryInTests(episode: Episode): Findings {
  const sent = refreshes(episode).filter(gotTokens);
  if (sent.length > 0) return { examples: sent.length, broken: [] };
  return {
    examples: 0,
    broken: expiredCalls(episode)
      .slice(0, 1)
      .map(
        (entry) =>
          `${nameOf(entry)} presents ${tokenOf(entry)}, which has expired, and ${refreshWords(refreshes(episode))}`,
      ),
  };
}

function expiredCalls(episode: Episode): readonly JournalEntry[] {
  return operations(episode).filter(({ refusal }) => refusal?.refused === 'token-expired');
}

/** Finds access tokens that came again after they were refused as expired, and whose refresh token never came. */
function neverRenewed(episode: Episode): readonly string[] {
  return byOrdinal(expiredCalls(episode), 'accessToken').flatMap(([ordinal, entries]) => {
    const issue = episode.entries.find(({ issued }) => issued.accessToken === ordinal);
    const renewed = refreshes(episode).some(
      ({ presented }) => presented.refreshToken === issue?.issued.refreshToken,
    );
    if (issue === undefined || renewed || !oneAfterTheOther(entries)) return [];
    const since = refreshes(episode).filter(({ arrival }) => arrival > (entries[0]?.arrival ?? 0));
    return [`${sentTimes(ordinal, entries)}, refused as expired, and ${refreshWords(since)}`];
  });
}

/** Says whether refreshes were sent in vain, and with which tokens. */
function refreshWords(sent: readonly JournalEntry[]): string {
  const tokens = new Set(sent.map(({ presented }) => presented.refreshToken ?? 'no refresh token'));
  return tokens.size === 0
    ? 'no refresh was sent'
    : `only refreshes with ${[...tokens].slice(0, 3).join(', ')} were sent`;
}

/** Real milliseconds until the service notices that a client gave up, or half the wait: the client may have sent again by then. */
const GONE_MS = 100;

function overlapping(entries: readonly JournalEntry[]): readonly JournalEntry[] {
  const groups = entries.map((first) => {
    const unnoticed = Math.max(GONE_MS, (first.answeredMs - first.arrivedMs) / 2);
    const until = first.answeredMs - (first.clientGone ? unnoticed : 0);
    return entries.filter(
      (entry) => entry === first || (entry.arrival > first.arrival && entry.arrivedMs <= until),
    );
  });
  return groups.toSorted((a, b) => b.length - a.length)[0] ?? [];
}

function oneAfterTheOther(entries: readonly JournalEntry[]): boolean {
  return entries.some((entry, index) =>
    entries.slice(0, index).some(({ answeredMs }) => answeredMs <= entry.arrivedMs),
  );
}
