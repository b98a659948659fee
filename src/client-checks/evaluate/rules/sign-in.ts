import type { JournalEntry } from '../../../emulator/control-types.ts';
import {
  type Act,
  byEpisode,
  type ClientRule,
  type Episode,
  each,
  evaluationOf,
  type Findings,
  inSituations,
  lineOf,
  mustFail,
  NOTHING,
} from '../episode.ts';
import {
  authorizationParameters,
  authorizationRequests,
  byOrdinal,
  clientRefused,
  during,
  exchanges,
  gotTokens,
  nameOf,
  requestsOf,
  sentTimes,
  shownSignedIn,
  stepsOf,
  tokenRequests,
  valuesOf,
  within,
} from '../journal.ts';
import { bitsOfStates, holdsTime } from '../state-text.ts';

export const SIGNING_IN = {
  'sign-in.four-parameters': byEpisode((episode) => each(authorizationRequests(episode), withoutFour)),
  'sign-in.scopes': byEpisode((episode) => {
    const scopes = authorizationRequests(episode).flatMap((entry) =>
      valuesOf(authorizationParameters(entry), 'scope').map((scope) => ({ entry, scope })),
    );
    return each(scopes, ({ entry, scope }) => {
      const unknown = scope.split(' ').find((one) => !['read', 'write', 'destroy'].includes(one));
      // Without any scope, the rule for the four parameters reports it.
      if (scope.trim() === '' || unknown === undefined) return undefined;
      const joined = /^(?:read|write|destroy)([^a-z]+)(?:read|write|destroy)/.exec(unknown)?.[1];
      return joined === undefined
        ? `${nameOf(entry)} asks for the scope ${JSON.stringify(unknown)}, which does not exist`
        : `${nameOf(entry)} joins its scopes with ${JSON.stringify(joined)}, not with a space`;
    });
  }),
  'sign-in.redirect-address': byEpisode((episode) => {
    const requests = authorizationRequests(episode).filter(
      (entry) => valuesOf(authorizationParameters(entry), 'redirect_uri').length > 0,
    );
    return each(requests, (entry) =>
      entry.refusal?.refused === 'redirect-uri-unauthorized'
        ? `${nameOf(entry)} asks for ${valuesOf(authorizationParameters(entry), 'redirect_uri').join(' and ')}, which is not authorized; ${episode.redirectUri ?? 'LEGACY_REDIRECT_URI'} is`
        : undefined,
    );
  }),
  'state.present': byEpisode((episode) =>
    each(authorizationRequests(episode), (entry) =>
      valuesOf(authorizationParameters(entry), 'state').some((state) => state !== '')
        ? undefined
        : `${nameOf(entry)} has no state`,
    ),
  ),
  'state.unguessable': unguessable,
  'state.checked': inSituations(['state-wrong', 'state-missing'], signsNobodyIn),
  'state.bound': inSituations(['foreign-code', 'state-replayed'], signsNobodyIn),
  'callback.session-cookie': sessionCookie,
  'denial.no-token-request': inSituations(['denial'], (episode) =>
    each(stepsOf(episode, 'callback', 'denied'), (step) =>
      tokenRequests(within(episode, step)).map((entry) => `${nameOf(entry)} sent after the user denied`),
    ),
  ),
} satisfies Readonly<Record<string, ClientRule>>;

export const CODES = {
  'code.sent-once': sentOnce,
  'code.refused-means-no': inSituations(['unknown-code'], (episode) => {
    const refused = exchanges(episode).length > 0 || stepsOf(episode, 'callback', 'hostile').length > 0;
    const found = mustFail(
      stepsOf(episode, 'call', 'after-refusal'),
      ({ detail }) => `a code that was never issued was refused, and a call after it ended well (${detail})`,
    );
    const broken = [...shownSignedIn(episode, 'hostile', 'was refused'), ...found.broken];
    return { examples: refused ? found.examples : 0, broken };
  }),
  'callback.reload': byEpisode((episode) => {
    if (episode.situation === 'own-tests')
      return { examples: 0, broken: sentAgain(episode, (sent) => !ofItsOwnAccord(sent)) };
    if (episode.situation !== 'callback-reloaded' || episode.gap !== undefined) return NOTHING;
    return each(stepsOf(episode, 'callback', 'reload'), (step) =>
      exchanges(within(episode, step)).map(
        (entry) =>
          `${nameOf(entry)} sent ${entry.presented.code ?? 'a code'} again when the callback was reloaded`,
      ),
    );
  }),
  'callback.at-once': inSituations(['callback-twice'], (episode) => ({
    examples: stepsOf(episode, 'callback', 'at-once').length,
    broken: sentAgain(episode),
  })),
} satisfies Readonly<Record<string, ClientRule>>;

function withoutFour(entry: JournalEntry): readonly string[] {
  const pairs = authorizationParameters(entry);
  const wrong = ['client_id', 'redirect_uri', 'response_type', 'scope'].flatMap((name) => {
    const values = valuesOf(pairs, name);
    if (values.length > 1) return [`${name} ${values.length} times`];
    return values[0] === undefined || values[0].trim() === '' ? [`no ${name}`] : [];
  });
  const [type = 'code'] = valuesOf(pairs, 'response_type');
  if (type !== 'code' && type !== '') wrong.push(`response_type ${JSON.stringify(type)}`);
  if (entry.method !== 'GET' && entry.method !== 'HEAD') wrong.push(`the method ${entry.method}`);
  return wrong.length === 0 ? [] : [`${nameOf(entry)} has ${wrong.join(', ')}`];
}

/** Bits of entropy that a state must be able to hold. */
const ENOUGH_BITS = 100;

interface Begun {
  readonly state: string;
  readonly at: Episode['situation'];
  readonly entry: JournalEntry;
}

/** Reports a state that occurs in two sign-ins as reused. Compares whole runs, to find constants and counters. */
function unguessable(episodes: readonly Episode[]): ReturnType<ClientRule> {
  const states = episodes.flatMap((episode) =>
    begun(episode).flatMap((entry) =>
      valuesOf(authorizationParameters(entry), 'state')
        .filter((state) => state !== '')
        .map((state): Begun => ({ state, at: episode.situation, entry })),
    ),
  );
  const again = [...Map.groupBy(states, ({ state }) => state).values()]
    .filter((uses) => uses.length > 1 && !isOfOneMoment(uses))
    .map((uses) => {
      const situations = [...new Set(uses.map(({ at }) => at))].slice(0, 4).join(', ');
      // Arrivals are unique within one situation only.
      const where = situations === 'own-tests' ? requestsOf(uses.map(({ entry }) => entry)) : situations;
      return `one state in ${uses.length} sign-ins (${where})`;
    });
  const bits = bitsOfStates(states.map(({ state }) => state));
  const short = states.filter(({ state }) => (bits.get(state) ?? 0) < ENOUGH_BITS);
  const lines = [
    ...again.slice(0, 3),
    ...short
      .slice(0, 1)
      .map(
        ({ state }) =>
          `a state of ${state.length} characters holds ${Math.floor(bits.get(state) ?? 0)} random bits at most: times, and what all states have in common, do not count`,
      ),
  ];
  // A single sign-in does not show that the next one has another state.
  return evaluationOf(lines, states.length > 1 ? states.length : 0);
}

/** Two sign-ins within a second may get the same time, which the service's speed and other situations bring about. */
function isOfOneMoment(uses: readonly Begun[]): boolean {
  const apart = [...Map.groupBy(uses, ({ at }) => at).values()].map((own) => {
    const times = own.map(({ entry }) => entry.arrivedMs);
    return Math.max(...times) - Math.min(...times);
  });
  return uses.every(({ state }) => holdsTime(state)) && apart.every((ms) => ms < 1_000);
}

function begun(episode: Episode): readonly JournalEntry[] {
  const steps = stepsOf(episode, 'connect');
  if (steps.length === 0) return episode.entries.filter(({ issued }) => issued.code !== undefined);
  return steps.flatMap((step) => authorizationRequests(within(episode, step)).slice(0, 1));
}

function signsNobodyIn(episode: Episode): Findings {
  return each(stepsOf(episode, 'callback', 'hostile'), (step) =>
    during(episode, step)
      .filter(({ endpoint, issued }) => endpoint === 'token' && issued.accessToken !== undefined)
      .map(
        (entry) =>
          `${nameOf(entry)} exchanged ${entry.presented.code ?? 'the code'} of the hostile callback, and got ${entry.issued.accessToken}`,
      ),
  );
}

/** Returns the callbacks of a flow without tokens from which the browser kept cookies back. */
export function withoutCookies(flow: Episode): readonly Act[] {
  if (exchanges(flow).some(gotTokens)) return [];
  return stepsOf(flow, 'callback').filter(({ keptBack = [] }) => keptBack.length > 0);
}

/** Reports kept-back cookies only if the sign-in succeeds with them: it may fail for another reason. */
function sessionCookie(episodes: readonly Episode[]): ReturnType<ClientRule> {
  const flows = episodes.filter(({ situation }) => situation === 'flow');
  const good = flows.filter((flow) => exchanges(flow).some(gotTokens));
  const broken = flows.flatMap((flow) =>
    withoutCookies(flow).map(({ keptBack = [], detail }) =>
      lineOf(
        flow,
        `the session's cookie does not come back: a browser keeps back ${keptBack.join(', ')} on the way from the service, and the callback ${detail}; with it the sign-in ended well`,
      ),
    ),
  );
  return evaluationOf(good.length > 0 ? broken : [], good.length);
}

/** Groups exchanges by their code. A request whose client was refused has not used it. */
function byCode(episode: Episode) {
  return byOrdinal(
    exchanges(episode).filter((entry) => !clientRefused(entry)),
    'code',
  );
}

function sentAgain(
  episode: Episode,
  counts: (sent: readonly JournalEntry[]) => boolean = () => true,
): readonly string[] {
  return byCode(episode)
    .filter(([, sent]) => sent.length > 1 && counts(sent))
    .map(([code, sent]) => sentTimes(code, sent));
}

const CALLBACK_TWICE: readonly Episode['situation'][] = ['callback-reloaded', 'callback-twice'];

function sentOnce(episodes: readonly Episode[]): ReturnType<ClientRule> {
  const once = episodes.filter(({ situation }) => !CALLBACK_TWICE.includes(situation));
  const lines = once.flatMap((episode) => {
    const counts = (sent: readonly JournalEntry[]) =>
      episode.situation !== 'own-tests' || ofItsOwnAccord(sent);
    return sentAgain(episode, counts).map((line) => lineOf(episode, line));
  });
  const failed = once
    .flatMap(byCode)
    .filter(([, [first]]) => first?.fault !== undefined || (first?.status ?? 500) >= 500);
  return evaluationOf(lines, failed.length);
}

/** A repeated callback in the integrator's own tests follows a successful answer; a client's own retry follows a failed one. */
function ofItsOwnAccord(sent: readonly JournalEntry[]): boolean {
  return sent
    .slice(0, -1)
    .some(({ fault, status, clientGone }) => fault !== undefined || clientGone || (status ?? 500) >= 500);
}
