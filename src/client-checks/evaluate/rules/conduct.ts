import { SecretRegistry } from '../../../http/secrets/registry.ts';
import { LIST_REDIRECTED_TO, REDIRECTED_TO } from '../bait.ts';
import type { Act } from '../episode.ts';
import {
  asServed,
  episodeDuring,
  isDone,
  isOtherResource,
  isTokenRefused,
  refusedCalls,
  type Sent,
  stepsOf,
  survivesExpiry,
  type Watched,
} from '../journal.ts';
import { cited } from '../line.ts';
import {
  byEpisode,
  byStagedEpisode,
  type ClientRules,
  eachBreach,
  eachOf,
  type Findings,
  inOwnSituations,
  mustFail,
  mustSucceed,
  NOTHING,
  observingRule,
  withShownSignIns,
} from '../rule.ts';
import { atAddress } from './token-requests.ts';

/** Of the page that a fault sends. */
const PAGE_TITLE = 'Armed fault';

export const CONDUCT = {
  'errors.failed-sign-in': byStagedEpisode((episode) => {
    const calls = stepsOf(episode, 'call', 'after-failure');
    // A client that has tokens is rightly signed in; other requirements cover how it got them.
    const until = calls[0]?.after ?? 0;
    if (episode.exchanges.some(({ arrival, gotTokens }) => arrival <= until && gotTokens)) return NOTHING;
    const found = mustFail(
      calls,
      ({ detail }) => `the exchange failed, and a call after it ended well (${detail})`,
    );
    return withShownSignIns(episode, 'failed', 'failed', found);
  }),
  'errors.failed-call': inOwnSituations((episode) => {
    const [failed, what] = failedCalls(episode);
    return mustFail(failed, (step) => {
      const call = step.asked?.operation ?? 'call';
      return `the service ${what ?? oddAnswer(episode, step)}, and the ${call} ended well (${step.detail})`;
    });
  }),
  'errors.still-answers': (episodes, ...more) => {
    const shown = episodes.filter(({ situation }) => situation !== 'refresh-odd' || survivesExpiry(episodes));
    return byStagedEpisode(stillAnswers)(shown, ...more);
  },
  'errors.deadline': inOwnSituations(
    eachOf(
      ({ steps }) => steps.filter(({ as }) => as === 'stalled'),
      ({ act, detail, outcome }) =>
        outcome === 'no-answer' && `the service did not answer, and the ${act} ${detail}`,
    ),
  ),
  'secrets.not-in-address': byEpisode(({ entries, issued = NONE }, { clientSecret }) => {
    const find = secretsIn(issued, clientSecret);
    return eachBreach(
      entries.filter(({ endpoint }) => endpoint !== 'page'),
      (entry) => {
        const held = [...new Set(inAddress(entry, find))].join(', ');
        return held !== '' && cited`the address of ${entry} holds ${held}`;
      },
    );
  }),
  'secrets.to-token-endpoint-only': byEpisode(({ entries, issued = NONE }, { clientSecret }) => {
    const find = secretsIn(issued, clientSecret);
    return eachBreach(
      entries.filter(
        ({ endpoint, path }) => endpoint !== 'page' && endpoint !== 'token' && !path.endsWith(REDIRECTED_TO),
      ),
      (entry) => {
        const where = elsewhere(entry, find);
        return where && cited`${entry} carries ${where}`;
      },
    );
  }),
  'secrets.not-in-output': byEpisode(({ output, received = [], issued = NONE }, { clientSecret }) => {
    if (output === undefined) return NOTHING;
    const find = secretsIn(issued, clientSecret);
    const given = (of: (type: string) => boolean) =>
      received.flatMap(({ type, text }) => (of(type) ? [text] : [])).join('\n');
    const places = [
      ['printed', output],
      ['gave to the browser, in a cookie,', given((type) => type === 'set-cookie')],
      ['gave to the browser', given((type) => type !== 'set-cookie')],
    ] as const;
    return {
      examples: 1,
      broken: places.flatMap(([verb, text]) => {
        const kinds = Map.groupBy(find(text), (name) => name.split('#', 1)[0]);
        const firsts = [...kinds.values()].map(([first]) => first);
        return firsts.length === 0 ? [] : [`the client ${verb} ${firsts.join(', ')}`];
      }),
    };
  }),
  'secrets.access-token-to-api-only': inOwnSituations(({ operations, entries }) => ({
    examples: operations.filter(({ fault }) => fault !== undefined).length,
    broken: entries
      .filter(({ path }) => path.endsWith(LIST_REDIRECTED_TO))
      .filter(({ authorization, query }) => authorization !== undefined || query.has('access_token'))
      .map((entry) => cited`${atAddress(entry)} carries the access token to another origin, after a 307`),
  })),
  'habits.other-resources': observingRule((episodes) => {
    if (!episodes.some(({ operations }) => operations.length > 0)) return undefined;
    const asked = episodes.flatMap(({ entries }) => entries.filter(isOtherResource));
    const byForm = Map.groupBy(
      asked,
      ({ method, path }) => `${method} ${path.replaceAll(/\/\d+(?=\/|$)/g, '/:id')}`,
    );
    const named = [...byForm].map(([form, all]) => `${form} (${all.length} times)`);
    return named.length === 0 ? 'none' : `${named.slice(0, 4).join(', ')}: not documented, so not checked`;
  }),
} satisfies ClientRules;

function stillAnswers(episode: Watched): Findings {
  // A sign-in after a request without a deadline is a matter of errors.deadline; another user who waits is not.
  const isHeld = episode.steps.some(isHanging);
  // An application that asks its user to wait answers.
  const steps = episode.steps.filter(
    ({ as, asksAgain }) => as === 'beside' || (as === 'recover' && !isHeld && asksAgain !== true),
  );
  // Another user may have lost the pair long before: only an answer of the application shows that it stands still.
  const served = steps.map((step) => (step.as === 'beside' ? step : asServed(episode, step)));
  const { examples, broken } = mustSucceed(served, (step) => `${nextWord(step)} ${step.detail}`);
  const thrown = stepsOf(episode, 'callback', 'denied').filter(({ status }) => status === 500);
  const cut = episode.steps.filter(({ isCut }) => isCut).slice(0, 1);
  return {
    examples,
    broken: [
      ...thrown.map(({ detail }) => `the callback of a denial ${detail}`),
      ...cut.map(({ act, detail }) => `the ${act} ${detail}`),
      ...broken.slice(0, 1),
    ],
  };
}

function isHanging({ as, outcome }: Act): boolean {
  return as === 'stalled' && outcome === 'no-answer';
}

/** Returns calls that the service did not do, and why if all have one reason. A list may be passed on, or be one that was kept. */
function failedCalls(episode: Watched): readonly [calls: readonly Act[], what?: string] {
  const isList = ({ asked }: Act) => asked?.operation === 'list';
  const isGood = (step: Act) => isCalledGood(episode, step);
  switch (episode.situation) {
    case 'flow':
      return [
        stepsOf(episode, 'call', '').filter((step) => isNeverSent(episode, step)),
        'was not asked for it',
      ];
    case 'call-odd':
      return [oddCalls(episode).filter((step) => isList(step) || isGood(step))];
    case 'call-redirected': {
      const redirected = stepsOf(episode, 'call', 'redirected').filter(
        (step) =>
          !isList(step) && episodeDuring(episode, step).operations.some(({ fault }) => fault !== undefined),
      );
      return [redirected.filter(isGood), 'redirected the call to another origin'];
    }
    case 'refresh-refused': {
      const inVain = stepsOf(episode, 'call', 'refused-renewal').filter((step) => {
        const { refreshes, operations } = episodeDuring(episode, step);
        return refreshes.some(isTokenRefused) && !operations.some(isDone);
      });
      return [inVain, 'refused the refresh'];
    }
    default:
      return [refusedCalls(episode).filter(isGood), 'refused'];
  }
}

const ODD_ANSWERS: Readonly<Record<string, string>> = {
  html: 'answered a page',
  truncate: 'answered half a list',
  status: 'answered an error as JSON',
  reset: 'closed the connection without an answer',
};

function oddAnswer(episode: Watched, step: Act): string {
  const fault = episodeDuring(episode, step).entries.findLast((entry) => entry.fault !== undefined)?.fault;
  return ODD_ANSWERS[fault ?? ''] ?? 'answered no list';
}

/** True for a change without a request, in the flow, where the service has each of them to do. */
function isNeverSent({ operations }: Watched, { asked, after }: Act): boolean {
  return (
    asked !== undefined &&
    asked.operation !== 'list' &&
    !operations.some(({ endpoint, arrival }) => endpoint === asked.operation && arrival > after)
  );
}

/** Leaves out the page and half a list for an application that passes every body on: its user sees them. */
function oddCalls(episode: Watched): readonly Act[] {
  const { output = '', received = [] } = episode;
  const shown = [output, ...received.map(({ text }) => text)];
  const isPassedOn = shown.some((text) => text.includes(PAGE_TITLE));
  const calls = [
    ...(isPassedOn ? [] : stepsOf(episode, 'call', 'odd-body')),
    ...stepsOf(episode, 'call', 'odd'),
  ];
  // Without a request the service answered nothing odd: a list was kept.
  return calls.filter((step) => episodeDuring(episode, step).entries.length > 0);
}

/**
 * False if the service did what was asked, after a storm that outlasts the fault. An application that lists after a refused
 * change may show the error: not if a text of its own says success, or the page is that of the same change when it was done.
 */
function isCalledGood(episode: Watched, step: Act): boolean {
  const done = episodeDuring(episode, step).operations.filter(isDone);
  const { operation, project } = step.asked ?? {};
  const own = done.filter(({ endpoint }) => endpoint === operation);
  if (own.some(({ target }) => target.includes(`/projects/${project}/`))) return false;
  const lists = done.some((entry) => entry.effect === 'listed' && !own.includes(entry));
  return !lists || step.shown === true || looksDone(episode, step);
}

function looksDone(episode: Watched, { page, asked }: Act): boolean {
  const same = stepsOf(episode, 'call', '').filter((one) => one.asked?.operation === asked?.operation);
  return page !== undefined && same.some((one) => one.page === page && one.outcome === 'ok');
}

function nextWord({ act, as }: Act): string {
  if (as === 'beside') return "another user's call";
  return `the next ${act === 'call' ? 'call' : 'sign-in'}`;
}

const NONE: ReadonlyMap<string, string> = new Map();

type FindSecrets = (text: string) => readonly string[];

const SECRET = 'the client secret';

/** Returns a search for the client secret and the issued tokens, in any encoding; it returns their names. */
function secretsIn(issued: ReadonlyMap<string, string>, clientSecret: string): FindSecrets {
  const registry = new SecretRegistry();
  const names = new Map([[registry.register('secret', clientSecret), SECRET]]);
  for (const [value, name] of issued) names.set(registry.register('secret', value), name);
  return (text) => [...new Set(registry.find(text).map(({ label }) => names.get(label) ?? label))];
}

const TOKEN_NAMES = ['access_token', 'refresh_token', 'bearer_token'];

function inAddress({ parameters, endpoint, target }: Sent, find: FindSecrets): readonly string[] {
  const query = parameters.filter(({ place }) => place === 'query');
  const named = query.filter(
    ({ name, value }) =>
      TOKEN_NAMES.includes(name) || name === 'client_secret' || /^(access|refresh)_token#/.test(value),
  );
  const code = endpoint === 'token' ? query.filter(({ name }) => name === 'code') : [];
  const found = [...named, ...code].map(({ name }) => name);
  const isElsewhere = find(target).includes(SECRET) && !found.includes('client_secret');
  return isElsewhere ? [...found, SECRET] : found;
}

function elsewhere(entry: Sent, find: FindSecrets): string | undefined {
  if (/^basic /i.test(entry.authorization ?? '')) return 'the client credentials as HTTP Basic';
  // The decision form repeats the client's query, which is already checked in the address.
  const body = entry.endpoint === 'authorize' ? '' : entry.body;
  const carried = find(`${entry.headers.map(([, value]) => value).join('\n')}\n${body}`);
  const own = carried.find((name) => name === SECRET || name.startsWith('refresh_token#'));
  if (own !== undefined) return own;
  const { refreshToken } = entry.presented;
  const inQuery = entry.parameters.some(({ place, name }) => place === 'query' && name === 'refresh_token');
  if (entry.endpoint !== 'authorize' && refreshToken !== undefined && !inQuery) return refreshToken;
  return /^refresh_token#/.test(entry.presented.accessToken ?? '')
    ? `${entry.presented.accessToken} as its access token`
    : undefined;
}
