import { MARKUP } from '../bait.ts';
import type { Act, Episode } from '../episode.ts';
import {
  byOrdinal,
  callsWithoutToken,
  episodeDuring,
  isDuring,
  requestsOf,
  type Sent,
  sentTimesText,
  stepOf,
  stepsOf,
  type Watched,
} from '../journal.ts';
import { type Cited, type CitedText, cited, lineOf } from '../line.ts';
import {
  byEpisode,
  type ClientRules,
  type Evaluation,
  type EvaluationSettings,
  eachBreach,
  eachOf,
  evaluationOf,
  type Findings,
  inOwnSituations,
  mustFail,
  NOTHING,
  withShownSignIns,
} from '../rule.ts';
import { bitsOfStates, holdsTime } from '../state-text.ts';
import { EARLY_MS } from './calls.ts';
import { wholeAddress } from './token-requests.ts';

/** Looks at the callbacks with what must sign no user in. */
const signsNobodyIn = eachOf(
  (episode) => stepsOf(episode, 'callback', 'hostile'),
  (step, { entries }) =>
    entries
      .filter((entry) => isDuring(step, entry) && entry.endpoint === 'token' && entry.issued.accessToken)
      .map(
        (entry) =>
          cited`${entry} exchanged ${entry.presented.code ?? 'the code'} of the hostile callback, and got ${entry.issued.accessToken}`,
      ),
);

const redirectAddress = eachOf(
  ({ authorizations }) => authorizations.filter(({ asked }) => asked.has('redirect_uri')),
  (entry, { redirectUri = 'LEGACY_REDIRECT_URI' }) =>
    entry.refusal?.refused === 'redirect-uri-unauthorized' &&
    cited`${entry} asks for ${entry.asked.getAll('redirect_uri').join(' and ')}, which is not authorized; ${redirectUri} is`,
);

export const SIGN_IN_RULES = {
  'sign-in.four-parameters': byEpisode(eachOf(({ authorizations }) => authorizations, withoutFour)),
  'sign-in.scopes': byEpisode(
    eachOf(
      ({ authorizations }) =>
        authorizations.flatMap((entry) => entry.asked.getAll('scope').map((scope) => ({ entry, scope }))),
      ({ entry, scope }) => {
        const unknown = scope.split(' ').find((one) => !['read', 'write', 'destroy'].includes(one));
        // Without any scope, the rule for the four parameters reports it.
        if (scope.trim() === '' || unknown === undefined) return undefined;
        const joined = /^(?:read|write|destroy)([^a-z]+)(?:read|write|destroy)/.exec(unknown)?.[1];
        return joined === undefined
          ? cited`${entry} asks for the scope ${JSON.stringify(unknown)}, which does not exist`
          : cited`${entry} joins its scopes with ${JSON.stringify(joined)}, not with a space`;
      },
    ),
  ),
  'sign-in.redirect-address': byEpisode((episode, settings) =>
    episode.situation === 'redirect-with-query' ? NOTHING : redirectAddress(episode, settings),
  ),
  'sign-in.values-encoded': inOwnSituations((episode, settings) => {
    const { examples, broken } = redirectAddress(episode, settings);
    return { examples, broken: [...broken, ...wholeAddress(episode, settings).broken] };
  }),
  'state.present': byEpisode(
    eachOf(
      ({ authorizations }) => authorizations,
      (entry) => !entry.asked.getAll('state').some(Boolean) && cited`${entry} has no state`,
    ),
  ),
  'state.unguessable': unguessable,
  'state.checked': inOwnSituations((episode, settings) =>
    episode.situation === 'denial'
      ? { ...NOTHING, broken: callsWithoutToken(episode, 'a callback with an error and no state came') }
      : signsNobodyIn(episode, settings),
  ),
  'state.bound': inOwnSituations(signsNobodyIn),
  'callback.session-cookie': sessionCookie,
  'denial.no-token-request': inOwnSituations(
    eachOf(
      (episode) => stepsOf(episode, 'callback', 'denied'),
      (step, episode) => [
        ...episodeDuring(episode, step).tokenRequests.map(
          (entry) => cited`${entry} sent after the user denied`,
        ),
        ...(step.leadsBack ? [`the callback of a denial ${step.detail} and led to the service again`] : []),
      ],
    ),
  ),
  'callback.escapes': inOwnSituations((episode) => ({
    examples: stepsOf(episode, 'callback', 'denied').length,
    broken: (episode.received ?? [])
      .filter(({ type, text }) => type.includes('html') && text.includes(MARKUP))
      .slice(0, 1)
      .map(() => `a page has ${MARKUP} of the callback's address as markup`),
  })),
  'callback.session-unguessable': inOwnSituations(guessableSession),
  'code.sent-once': byEpisode(sentOnce),
  'code.refused-means-no': inOwnSituations((episode) => {
    const refused = episode.exchanges.length > 0 || stepsOf(episode, 'callback', 'hostile').length > 0;
    // A call that ends well without an answer of the service shows no user: the application may hide its failure.
    const isAnswered = (step: Act) =>
      episodeDuring(episode, step).entries.some(({ status = 0 }) => status < 300);
    const found = mustFail(
      stepsOf(episode, 'call', 'after-refusal').filter((step) => step.outcome !== 'ok' || isAnswered(step)),
      ({ detail }) => `a code that was never issued was refused, and a call after it ended well (${detail})`,
    );
    const shown = withShownSignIns(episode, 'hostile', 'was refused', found);
    return refused ? shown : { ...shown, examples: 0 };
  }),
  'callback.reload': byEpisode((episode, _, situations) => {
    if (episode.situation === 'own-tests')
      return { examples: 0, broken: sentAgain(episode, (sent) => !ofItsOwnAccord(sent)) };
    if (!situations.includes(episode.situation) || episode.gap !== undefined) return NOTHING;
    return eachBreach(stepsOf(episode, 'callback', 'reload'), (step) =>
      episodeDuring(episode, step).exchanges.map(
        (entry) =>
          cited`${entry} sent ${entry.presented.code ?? 'a code'} again when the callback was reloaded`,
      ),
    );
  }),
  'callback.at-once': inOwnSituations((episode) => ({
    examples: stepsOf(episode, 'callback', 'at-once').length,
    broken: sentAgain(episode),
  })),
} satisfies ClientRules;

function withoutFour(entry: Sent): Cited | undefined {
  const { asked, method } = entry;
  const wrong = ['client_id', 'redirect_uri', 'response_type', 'scope'].flatMap((parameter) => {
    const values = asked.getAll(parameter);
    if (values.length > 1) return [`${parameter} ${values.length} times`];
    return values[0]?.trim() ? [] : [`no ${parameter}`];
  });
  const type = asked.get('response_type') ?? 'code';
  if (type !== 'code' && type !== '') wrong.push(`response_type ${JSON.stringify(type)}`);
  if (method !== 'GET' && method !== 'HEAD') wrong.push(`the method ${method}`);
  return wrong.length === 0 ? undefined : cited`${entry} has ${wrong.join(', ')}`;
}

/** Bits of entropy that a state must be able to hold, and a session's cookie (OWASP asks for 64). */
const ENOUGH_BITS = 100;
const ENOUGH_BITS_OF_A_SESSION = 64;

interface Begun {
  readonly state: string;
  readonly at: Episode['situation'];
  readonly entry: Sent;
}

/** Reports a state that occurs in two sign-ins as reused. Compares whole runs, to find constants and counters. */
function unguessable(episodes: readonly Watched[]): Evaluation {
  const states = episodes.flatMap((episode) =>
    begun(episode).flatMap((entry) =>
      entry.asked
        .getAll('state')
        .filter(Boolean)
        .map((state): Begun => ({ state, at: episode.situation, entry })),
    ),
  );
  const again = [...Map.groupBy(states, ({ state }) => state).values()]
    .filter((uses) => uses.length > 1 && !isOfOneMoment(uses))
    .map((uses) => {
      const situations = [...new Set(uses.map(({ at }) => at))].slice(0, 4).join(', ');
      // Arrivals are unique within one situation only.
      const where = situations === 'own-tests' ? requestsOf(uses.map(({ entry }) => entry)) : situations;
      return cited`one state in ${uses.length} sign-ins (${where})`;
    });
  const bits = bitsOfStates(states.map(({ state }) => state));
  const short = states.find(({ state }) => (bits.get(state) ?? 0) < ENOUGH_BITS)?.state;
  const lines: CitedText[] = again.slice(0, 3);
  // Of one state that comes again, the first line says enough.
  if (short !== undefined && (bits.size > 1 || again.length === 0))
    lines.push(
      `\`state\` has room for ${Math.floor(bits.get(short) ?? 0)} random bits beside times and fixed parts; ${ENOUGH_BITS} are needed`,
    );
  // A single sign-in does not show that the next one has another state.
  const broken = lines.map((cited) => lineOf(undefined, cited));
  return evaluationOf(broken, states.length > 1 ? states.length : 0);
}

/** Two sign-ins within a second may get the same time, which the service's speed and other situations bring about. */
function isOfOneMoment(uses: readonly Begun[]): boolean {
  const apart = [...Map.groupBy(uses, ({ at }) => at).values()].map((own) => {
    const times = own.map(({ entry }) => entry.arrivedMs);
    return Math.max(...times) - Math.min(...times);
  });
  return uses.every(({ state }) => holdsTime(state)) && apart.every((ms) => ms < 1_000);
}

function begun(episode: Watched): readonly Sent[] {
  const steps = stepsOf(episode, 'connect');
  if (steps.length === 0) return episode.entries.filter(({ issued }) => issued.code !== undefined);
  return steps.flatMap((step) => episodeDuring(episode, step).authorizations.slice(0, 1));
}

/** Returns the callbacks of a flow without tokens from which the browser kept cookies back. */
export function withoutCookies(flow: Watched): readonly Act[] {
  if (flow.exchanges.some(({ gotTokens }) => gotTokens)) return [];
  return stepsOf(flow, 'callback').filter(({ keptBack = [] }) => keptBack.length > 0);
}

/** Reports kept-back cookies only if the sign-in succeeds with them: it may fail for another reason. */
function sessionCookie(episodes: readonly Watched[]): Evaluation {
  const flows = episodes.filter(({ situation }) => situation === 'flow');
  const good = flows.filter(({ exchanges }) => exchanges.some(({ gotTokens }) => gotTokens));
  const broken = flows.flatMap((flow) =>
    withoutCookies(flow).map(({ keptBack = [], detail }) =>
      lineOf(
        flow.situation,
        `the session's cookie does not come back: a browser keeps back ${keptBack.join(', ')} on the way from the service, and the callback ${detail}; with it the sign-in ended well`,
      ),
    ),
  );
  return evaluationOf(good.length > 0 ? broken : [], good.length);
}

/** Compares the cookies that two users have got last; one that holds enough is enough. */
function guessableSession({ received = [], issued }: Watched): Findings {
  // A token in a cookie is another requirement's finding, and no session.
  const tokens = [...(issued?.keys() ?? [])];
  const cookies = received.flatMap(({ session, type, text }) => {
    const [, name = '', value = ''] = /^([^=]*)=([^;]*)/.exec(text) ?? [];
    const isSession = value !== '' && !tokens.some((token) => value.includes(token));
    return type === 'set-cookie' && isSession ? [{ session, name, value }] : [];
  });
  const own = [...Map.groupBy(cookies, ({ name }) => name)].flatMap(([name, all]) => {
    const last = (['first', 'second'] as const).flatMap(
      (user) => all.findLast(({ session }) => session === user)?.value ?? [],
    );
    return new Set(last).size < 2 ? [] : [{ name, last, bits: Math.min(...bitsOfStates(last).values()) }];
  });
  return eachBreach(own.toSorted((a, b) => b.bits - a.bits).slice(0, 1), ({ name, last, bits }) => {
    if (bits >= ENOUGH_BITS_OF_A_SESSION) return undefined;
    return `the cookie ${name} of two users holds ${Math.floor(bits)} random bits at most (${last.map(({ length }) => length).join(' and ')} characters)`;
  });
}

/** Groups exchanges by their code. A request whose client was refused has not used it. */
function byCode({ exchanges }: Watched) {
  return byOrdinal(
    exchanges.filter(({ isClientRefused }) => !isClientRefused),
    'code',
  );
}

function sentAgain(
  episode: Watched,
  counts: (sent: readonly Sent[]) => boolean = () => true,
): readonly Cited[] {
  return byCode(episode)
    .filter(([, sent]) => sent.length > 1 && counts(sent))
    .map(([code, sent]) => sentTimesText(code, sent));
}

const CALLBACK_TWICE: readonly Episode['situation'][] = ['callback-reloaded', 'callback-twice'];

function sentOnce(episode: Watched, { retryAfterSeconds }: EvaluationSettings): Findings {
  if (CALLBACK_TWICE.includes(episode.situation)) return NOTHING;
  const asked = (entry: Sent, before?: Sent) =>
    before?.fault === 'status' &&
    (before.status === 429 || before.status === 503) &&
    entry.arrivedMs - before.answeredMs >= retryAfterSeconds * 1_000 - EARLY_MS;
  // A value that is no code, sent once in each of several sign-ins, was not repeated.
  const isApart = (sent: readonly Sent[]) =>
    sent[0]?.presented.code?.startsWith('unissued_') === true &&
    new Set(sent.map((entry) => stepOf(episode, entry))).size === sent.length;
  const counts = (sent: readonly Sent[]) =>
    !isApart(sent) &&
    !sent.slice(1).every((entry, index) => asked(entry, sent[index])) &&
    (episode.situation !== 'own-tests' || ofItsOwnAccord(sent));
  const failed = byCode(episode).filter(([, [first]]) => first && hasFailed(first));
  return { examples: failed.length, broken: sentAgain(episode, counts) };
}

/** A repeated callback in the integrator's own tests follows a successful answer; a client's own retry follows a failed one. */
function ofItsOwnAccord(sent: readonly Sent[]): boolean {
  return sent.slice(0, -1).some((entry) => hasFailed(entry) || entry.clientGone);
}

function hasFailed({ fault, status = 500 }: Sent): boolean {
  return fault !== undefined || status >= 500;
}
