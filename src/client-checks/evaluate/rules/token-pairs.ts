import { LIFETIME } from '../../../document/lifetime.ts';
import type { Act } from '../episode.ts';
import {
  asServed,
  byOrdinal,
  callsWithoutToken,
  episodeDuring,
  isTokenRefused,
  newestBefore,
  ODD_TOKENS,
  resemblanceText,
  restartedAfter,
  type Sent,
  sentBeforeUse,
  sentTimesText,
  stepOf,
  stepsOf,
  untilSilence,
  type Watched,
} from '../journal.ts';
import { type Cited, type CitedText, cited } from '../line.ts';
import {
  byEpisode,
  type ClientRules,
  type EvaluationSettings,
  eachBreach,
  type Findings,
  inOwnSituations,
  NOTHING,
} from '../rule.ts';
import { costOf } from './races.ts';
import { RACES } from './rehearsals.ts';

type Token = 'accessToken' | 'refreshToken';

/** Their access tokens live as long as documented, also where others state seconds: those that wait for an expiry. */
const LASTING: readonly Watched['situation'][] = ['flow', 'list-empty'];

export const TOKEN_PAIRS = {
  'pair.newest-access-token': byEpisode((episode) =>
    compared(
      episode,
      episode.operations.filter(({ presented }) => presented.accessToken !== undefined),
      'accessToken',
    ),
  ),
  'pair.newest-refresh-token': byEpisode((episode) =>
    isRace(episode) ? NOTHING : compared(episode, honest(episode.refreshes), 'refreshToken'),
  ),
  'pair.survives-restart': inOwnSituations((episode) => {
    const found = afterRestart(episode);
    // A client that does not refresh shows the pair of the last sign-in.
    const hasPair = stepsOf(episode, 'call', '').at(-1)?.outcome === 'ok';
    const lost = hasPair ? callsWithoutToken(episode, 'the application was restarted') : [];
    return { ...found, broken: [...found.broken, ...lost] };
  }),
  'pair.stored-before-used': inOwnSituations(afterRestart),
  'pair.own-user': inOwnSituations((episode) => {
    const calls = stepsOf({ steps: untilSilence(episode) }, 'call', '');
    const { examples, broken } = eachBreach(calls, (step) => {
      const owner = episode.owners[step.session];
      const { entries, operations } = episodeDuring(episode, step);
      // The call has its owner's pair: another user's request comes from the background.
      if (operations.some(({ user }) => user === owner)) return [];
      return entries
        .filter(({ user }) => user !== undefined && user !== owner)
        .map((entry) => cited`${entry} of ${owner} presents ${tokenOf(entry)}, which is of ${entry.user}`);
    });
    return { examples, broken: [...broken, ...withoutOwn(episode), ...withAnothers(episode)] };
  }),
  'pair.kept-on-failure': byEpisode((episode) => {
    const { situation, refreshes: sent, gap } = episode;
    // A further sign-in may begin a new session, which has no pair. A restart is another matter.
    if (gap !== undefined || situation === 'denial' || situation === 'expiry-after-restart') return NOTHING;
    const isOutage = stepsOf(episode, 'call', 'after-503').length > 0;
    if (!isOutage)
      return isCallRefused(episode) && !sent.some(isTokenRefused)
        ? { ...NOTHING, broken: callsWithoutToken(episode, 'the service refused a call') }
        : NOTHING;
    const failures = Map.groupBy(
      sent.filter(({ fault }) => fault !== undefined),
      (failed) => episode.steps[stepOf(episode, failed)],
    );
    const nextOf = ({ arrival }: Sent) =>
      stepsOf(episode, 'call', 'after-503').find(({ after }) => after >= arrival);
    // An application that asks its user to wait, and asks the service for nothing meanwhile, shows nothing.
    const isResting = (next: Act | undefined) =>
      next?.asksAgain === true && episodeDuring(episode, next).entries.length === 0;
    const shown = [...failures].filter(([, [failed]]) => failed && !isResting(nextOf(failed)));
    return eachBreach(shown, ([step, [failed]]) => {
      if (failed === undefined) return undefined;
      const { until = failed.arrival } = step ?? {};
      const isSentAgain = sent.some(
        ({ arrival, presented }) =>
          arrival > until && presented.refreshToken === failed.presented.refreshToken,
      );
      const next = nextOf(failed);
      // An application that lost the pair may show a success without a request.
      const isCalled = next && episodeDuring(episode, next).entries.length > 0;
      // An older pair is another mistake: this pair was not lost for the failure.
      const isOlder = sent.some((one) => one.arrival < failed.arrival && isTokenRefused(one));
      // A refresh without an issued token shows that the answer of the failure has replaced the pair.
      if (isOlder || (next && episodeDuring(episode, next).refreshes.some(presentsIssued))) return undefined;
      if (isSentAgain || (isCalled && asServed(episode, next).outcome === 'ok')) return undefined;
      const form = failed === sent.find(({ fault }) => fault) ? 'JSON' : 'a page';
      return cited`${failed} ${failed.end} with ${form}, and ${failed.presented.refreshToken} was not sent again by the next call`;
    });
  }),
  'renewal.after-expiry': byEpisode((episode) => {
    const found = episode.situation === 'own-tests' ? expiryInTests(episode) : expiryByStep(episode);
    return found.broken.length > 0
      ? found
      : { ...found, broken: [...neverRenewed(episode), ...narrowed(episode)] };
  }),
  'renewal.when-needed': inOwnSituations(beforeEachCall),
  'renewal.one-at-a-time': (episodes, ...more) => {
    const cost = costOf(episodes);
    return byEpisode((episode) => {
      const sent = honest(episode.refreshes);
      // With two races in one situation, each stands for itself.
      const apart = Map.groupBy(sent, (entry) => (episode.situation in RACES ? stepOf(episode, entry) : 0));
      const groups = [...apart.values()].flatMap((group) => byOrdinal(group, 'refreshToken'));
      const races = groups.flatMap(([ordinal, entries]) => {
        // With five calls at once, a process that waits for another and then sends an older token is in a race too.
        const isGivenUp = entries.some(({ clientGone }) => clientGone);
        const late = isRace(episode) && !isGivenUp && entries.slice(0, -1).some(({ gotTokens }) => gotTokens);
        const together = late ? entries : overlapping(entries);
        const raced = together.length > 1 ? together : sentBeforeUse(episode, entries);
        const lost = episode.situation === 'calls-at-expiry' ? cost : '';
        return raced.length > 1 ? [cited`${sentTimesText(ordinal, raced)}${lost}`] : [];
      });
      const staged = isRace(episode) && episode.gap === undefined;
      const examples = staged && sent.length > 0 ? stepsOf(episode, 'call', 'at-once').length : 0;
      return { examples, broken: races };
    })(episodes, ...more);
  },
  'renewal.finished': inOwnSituations((episode) => {
    const left = stepsOf(episode, 'call', 'left').filter(({ outcome }) => outcome === 'no-answer');
    const held = left.flatMap((step) =>
      episodeDuring(episode, step).refreshes.filter(({ issued }) => issued.accessToken),
    );
    return eachBreach(
      held,
      (entry) =>
        entry.clientGone &&
        cited`the user left the page, and ${entry} was given up, whose answer held ${entry.issued.refreshToken}`,
    );
  }),
  'renewal.lost-not-repeated': inOwnSituations((episode) => {
    const steps = stepsOf(episode, 'call', 'lost');
    const sent = honest(steps.flatMap((step) => episodeDuring(episode, step).refreshes));
    const how = episode.situation === 'refresh-late' ? 'late' : 'lost';
    const broken = byOrdinal(sent, 'refreshToken')
      .filter(([, entries]) => entries.length > 1 && (how === 'lost' || isGivenUp(entries)))
      .map(
        ([ordinal, entries]) =>
          cited`${sentTimesText(ordinal, entries)} in one call, the first answer ${how}`,
      );
    return { examples: sent.filter(({ fault }) => fault !== undefined).length, broken };
  }),
  'renewal.refused-not-repeated': byEpisode((episode, _, situations) => {
    if (!situations.includes(episode.situation) && episode.situation !== 'own-tests') return NOTHING;
    const dead = episode.refreshes.filter(
      (entry) => isTokenRefused(entry) && entry.presented.refreshToken?.startsWith('refresh_token#') === true,
    );
    const broken = byOrdinal(dead, 'refreshToken')
      .filter(([, entries]) => oneAfterTheOther(entries))
      .map(([ordinal, entries]) => cited`${sentTimesText(ordinal, entries)}, refused each time`);
    return { examples: dead.length, broken };
  }),
} satisfies ClientRules;

/** False where the late answer arrived before the token was sent again: its pair was not stored. */
function isGivenUp(entries: readonly Sent[]): boolean {
  return entries.some(({ clientGone }) => clientGone) || overlapping(entries).length > 1;
}

function isCallRefused({ operations }: Watched): boolean {
  return operations.some(({ status = 0 }) => status >= 400);
}

/** Leaves out requests whose client was refused. */
function honest(sent: readonly Sent[]): readonly Sent[] {
  return sent.filter(({ isClientRefused }) => !isClientRefused);
}

/** Upper limit of a refresh leeway, in seconds. */
const LONGEST_LEEWAY = 1_800;

function isRace({ situation }: Watched): boolean {
  return (
    ['calls-at-expiry', 'unauthorized-at-once', 'refresh-overtaken'].includes(situation) || situation in RACES
  );
}

/** Calls that follow each other at once have a valid access token, so a refresh before each of them is a habit. */
function beforeEachCall(episode: Watched, settings: EvaluationSettings): Findings {
  const expiresIn = LASTING.includes(episode.situation) ? LIFETIME : settings.expiresIn;
  if (expiresIn < 2 * LONGEST_LEEWAY) return NOTHING;
  if (episode.situation === 'calls-at-expiry') return inARow(episode);
  // After a call that failed, or that a kept list answered, the access token may still be the expired one.
  const asking = episode.steps.filter(
    (step) => step.act !== 'call' || episodeDuring(episode, step).entries.length > 0,
  );
  const steps = asking.map((step) => asServed(episode, step));
  const isUsual = (step?: Act) => step?.outcome === 'ok';
  // A pair of a sign-in `again` may live for seconds.
  const following = steps.filter((step, index) => {
    const before = steps[index - 1];
    const isSignedIn = before?.act === 'callback' && before.as === '';
    return step.act === 'call' && isUsual(before) && (isSignedIn || before?.act === 'call');
  });
  const beganWithRefresh = (step: Act) => {
    const { entries, refreshes } = episodeDuring(episode, step);
    const first = entries.find(({ endpoint }) => endpoint !== 'page');
    return first !== undefined && refreshes.includes(first);
  };
  const unasked = following.filter(beganWithRefresh);
  const later = steps.find(
    (step, index) =>
      step.as === 'later' && isUsual(step) && isUsual(steps[index - 1]) && beganWithRefresh(step),
  );
  const examples = following.length;
  // One alone may belong to a start, or to a timer. Some clients refresh before writes only.
  if (unasked.length > 1)
    return {
      examples,
      broken: [
        `${unasked.length} of ${examples} calls, each just after another one or a sign-in, began with a refresh`,
      ],
    };
  if (later === undefined) return { examples, broken: [] };
  const [early] = episodeDuring(episode, later).refreshes;
  return {
    examples,
    broken: [
      cited`${early} was sent although the access token, of 20 minutes ago at most, lives ${expiresIn} s`,
    ],
  };
}

/** Calls that wait for another's refresh need none of their own. Tokens that are sent twice are a race, another finding. */
function inARow(episode: Watched): Findings {
  const calls = stepsOf(episode, 'call', 'at-once');
  const sent = calls.slice(0, 1).flatMap((step) => episodeDuring(episode, step).refreshes);
  const tokens = new Set(
    sent.filter(({ gotTokens }) => gotTokens).map(({ presented }) => presented.refreshToken),
  );
  const found = tokens.size > 2 && tokens.size === sent.length;
  return eachBreach(
    calls.slice(0, 1),
    () => found && `${calls.length} calls at once sent ${sent.length} refreshes in a row`,
  );
}

/** Compares the tokens that were sent before a restart with the newest ones. */
function compared(episode: Watched, sent: readonly Sent[], member: Token): Findings {
  let examples = 0;
  const broken: CitedText[] = [];
  // A call that was given up may go on beside the next ones.
  const silent =
    episode.steps.find(({ outcome }) => outcome === 'no-answer')?.until ?? Number.POSITIVE_INFINITY;
  const last = Math.min(restartedAfter(episode), silent);
  for (const entry of sent.filter(({ arrival }) => arrival <= last)) {
    const presented = entry.presented[member];
    if (isMadeUp(episode, presented, member))
      broken.push(cited`${entry} presents what was never issued as one${resemblanceText(entry)}`);
    const known = newestBefore(episode, entry, member);
    if (presented === undefined || known === undefined) continue;
    // A client with one pair does not show that it replaces it.
    if (renewed(episode, entry)) examples += 1;
    if (known.accepted.includes(presented) || issuedLater(episode, presented, known.newest, member)) continue;
    if (isOfAnotherSession(episode, entry)) continue;
    broken.push(cited`${entry} presents ${presented}; the newest was ${known.newest}`);
  }
  return { examples, broken };
}

/** True for a refresh with the newest pair of its own sign-in that serves no call: a timer may keep each session's pair alive. */
function isOfAnotherSession({ entries, operations }: Watched, entry: Sent): boolean {
  const { presented, issued, grant, arrival } = entry;
  const last = entries.findLast((one) => one.grant === grant && one.gotTokens && one.arrival < arrival);
  const serves = operations.some((one) => one.presented.accessToken === issued.accessToken);
  return (
    last !== undefined && last.issued.refreshToken === presented.refreshToken && entry.gotTokens && !serves
  );
}

/** True for a token that no response held. Odd characters belong to another requirement, and tests may invent a token. */
function isMadeUp({ situation, steps }: Watched, presented: string | undefined, member: Token): boolean {
  const kind = member === 'accessToken' ? 'access_token' : 'refresh_token';
  return (
    steps.length > 0 && !ODD_TOKENS.includes(situation) && presented?.startsWith(`unissued_${kind}#`) === true
  );
}

function withoutOwn(episode: Watched): readonly string[] {
  const expiry = episode.steps.findIndex(({ act }) => act === 'time');
  const early = episode.steps.slice(0, expiry < 0 ? undefined : expiry);
  return (['first', 'second'] as const).flatMap((session) => {
    const call = early.find((step) => step.act === 'call' && step.session === session);
    if (call === undefined || episodeDuring(episode, call).operations.length > 0) return [];
    const owner = episode.owners[session];
    return [`the first call of ${owner} after the sign-in ${call.detail}, and no request was sent for it`];
  });
}

function withAnothers(episode: Watched): readonly string[] {
  return stepsOf(episode, 'call', 'both-due').flatMap((step) => {
    const answered = episodeDuring(episode, step).operations.filter(({ effect }) => effect !== undefined);
    const owner = episode.owners[step.session];
    if (step.outcome !== 'ok' || answered.length < 2 || answered.some(({ user }) => user === owner))
      return [];
    const [entry] = answered;
    return [
      `the call of ${owner} ended well while ${entry?.user} called, and all ${answered.length} requests that were answered carry tokens of ${entry?.user}`,
    ];
  });
}

function renewed({ refreshes }: Watched, { grant, arrival }: Sent): boolean {
  return refreshes.some((one) => one.grant === grant && one.arrival < arrival && one.gotTokens);
}

function issuedLater({ entries }: Watched, token: string, newest: string, member: Token): boolean {
  // A repeated refresh may get the pair of an answer that was lost.
  const issueOf = (one: string) => entries.find((entry) => entry.issued[member] === one && entry.gotTokens);
  const [issue, known] = [issueOf(token), issueOf(newest)];
  return issue !== undefined && known !== undefined && issue.arrival > known.arrival;
}

function tokenOf({ presented }: Sent): string {
  return presented.accessToken ?? presented.refreshToken ?? presented.code ?? 'a token';
}

/** After a restart, allows only the newest pair from before it, or its successors. */
function afterRestart(episode: Watched): Findings {
  const boundary = restartedAfter(episode);
  const before = episode.entries.filter(({ arrival, gotTokens }) => arrival <= boundary && gotTokens);
  const last = before.at(-1);
  const steps = stepsOf(episode, 'call', 'after-restart');
  if (last === undefined || steps.length === 0 || before.length < 2) return NOTHING;
  const { accessToken, refreshToken } = last.issued;
  const old = new Set(before.slice(0, -1).flatMap(({ issued }) => [issued.accessToken, issued.refreshToken]));
  const broken = steps.flatMap((step): readonly CitedText[] => {
    const { operations, refreshes, entries } = episodeDuring(episode, step);
    const sent = entries.filter((entry) => operations.includes(entry) || refreshes.includes(entry));
    const stale = sent.filter(({ presented }) => old.has(presented.accessToken ?? presented.refreshToken));
    if (stale.length > 0)
      return stale
        .slice(0, 2)
        .map(
          (entry) =>
            cited`${entry} presents ${tokenOf(entry)}; the newest before was ${refreshToken} with ${accessToken}`,
        );
    const renews = sent.some(({ presented }) => presented.refreshToken !== undefined);
    const expired = sent.some(({ refusal }) => refusal?.refused === 'token-expired');
    if (step.outcome === 'ok' || renews || (sent.length > 0 && !expired)) return [];
    const why = expired
      ? `the access token had expired and ${refreshWords(refreshes)}`
      : `no request carried ${accessToken} or ${refreshToken}`;
    return [`${why}; the call ${step.detail}`];
  });
  const asked = steps.filter((step) => !isUnasked(episode, step));
  return { examples: asked.length, broken: broken.slice(0, 3) };
}

function presentsIssued({ presented: { refreshToken = 'unissued_' } }: Sent): boolean {
  return !refreshToken.startsWith('unissued_');
}

function expiryByStep(episode: Watched): Findings {
  if (episode.gap !== undefined) return NOTHING;
  const calls = stepsOf(episode, 'call', 'after-expiry');
  const asked = calls.filter((step) => !isUnasked(episode, step));
  const found = eachBreach(asked, (step) => {
    const own = episodeDuring(episode, step);
    const last = own.refreshes.at(-1);
    if (last !== undefined)
      return step.outcome !== 'ok' && cited`${last} ${last.end}, and the call ${step.detail}`;
    const again =
      own.authorizations.length > 0 ? 'the user was sent to sign in again' : `the call ${step.detail}`;
    const refused = expiredCalls(own).length;
    return `no refresh after the access token had expired (${refused} requests with the expired token): ${again}`;
  });
  return asked.length < calls.length ? { ...found, missed: CACHED } : found;
}

/** A call that ends well without a request shows a kept list, and nothing of the pair. */
function isUnasked(episode: Watched, step: Act): boolean {
  return step.outcome === 'ok' && episodeDuring(episode, step).entries.length === 0;
}

const CACHED =
  'the call after the expiry ended well without a request: switch a cache of lists off for the run';

function expiryInTests(episode: Watched): Findings {
  const { length } = episode.refreshes.filter(({ gotTokens }) => gotTokens);
  const [first] = length > 0 ? [] : expiredCalls(episode);
  if (first === undefined) return { examples: length, broken: [] };
  const what = cited`${first} presents ${tokenOf(first)}, which has expired`;
  return { examples: 0, broken: [cited`${what}, and ${refreshWords(episode.refreshes)}`] };
}

function expiredCalls({ operations }: Watched): readonly Sent[] {
  return operations.filter(({ refusal }) => refusal?.refused === 'token-expired');
}

/** Finds calls that a refresh lost the scope for. */
function narrowed({ refreshes, operations }: Watched): readonly Cited[] {
  return refreshes.flatMap((entry) => {
    const scope = entry.form.get('scope');
    const { accessToken } = entry.issued;
    const refused = operations.find(
      ({ presented, refusal }) =>
        refusal?.refused === 'scope-insufficient' && presented.accessToken === accessToken,
    );
    if (scope === null || accessToken === undefined || refused === undefined) return [];
    return [cited`${entry} asked for the scope ${scope} alone, and ${refused} answered ${refused.status}`];
  });
}

/** Finds access tokens that came again after they were refused as expired, and whose refresh token never came. */
function neverRenewed(episode: Watched): readonly Cited[] {
  return byOrdinal(expiredCalls(episode), 'accessToken').flatMap(([ordinal, entries]) => {
    const issue = episode.entries.find(({ issued }) => issued.accessToken === ordinal);
    const isRenewed = episode.refreshes.some(
      ({ presented }) => presented.refreshToken === issue?.issued.refreshToken,
    );
    if (issue === undefined || isRenewed || !oneAfterTheOther(entries)) return [];
    const since = episode.refreshes.filter(({ arrival }) => arrival > (entries[0]?.arrival ?? 0));
    return [cited`${sentTimesText(ordinal, entries)}, refused as expired, and ${refreshWords(since)}`];
  });
}

/** Says whether refreshes were sent in vain, and with which tokens. */
function refreshWords(sent: readonly Sent[]): string {
  const tokens = new Set(sent.map(({ presented }) => presented.refreshToken ?? 'no refresh token'));
  return tokens.size === 0
    ? 'no refresh was sent'
    : `only refreshes with ${[...tokens].slice(0, 3).join(', ')} were sent`;
}

/** Real milliseconds until the service notices that a client gave up, or half the wait: the client may have sent again by then. */
const GONE_MS = 100;

function overlapping(entries: readonly Sent[]): readonly Sent[] {
  const groups = entries.map((first) => {
    const unnoticed = Math.max(GONE_MS, (first.answeredMs - first.arrivedMs) / 2);
    const until = first.answeredMs - (first.clientGone ? unnoticed : 0);
    return entries.filter(
      (entry) => entry === first || (entry.arrival > first.arrival && entry.arrivedMs <= until),
    );
  });
  return groups.toSorted((a, b) => b.length - a.length)[0] ?? [];
}

function oneAfterTheOther(entries: readonly Sent[]): boolean {
  return entries.some((entry, index) =>
    entries.slice(0, index).some(({ answeredMs }) => answeredMs <= entry.arrivedMs),
  );
}
