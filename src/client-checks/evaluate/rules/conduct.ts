import type { JournalEntry } from '../../../emulator/control-types.ts';
import {
  type Act,
  type Advice,
  byEpisode,
  type ClientRule,
  type Episode,
  each,
  inSituations,
  mustFail,
  mustSucceed,
  NOTHING,
  observed,
} from '../episode.ts';
import {
  authorizationParameters,
  authorizationRequests,
  exchanges,
  formOf,
  gotTokens,
  headerOf,
  isOtherResource,
  nameOf,
  operations,
  pathOf,
  refreshes,
  refusedCalls,
  shownSignedIn,
  stepsOf,
  tokenRequests,
  valuesOf,
  within,
} from '../journal.ts';
import { LIST_REDIRECTED_TO, REDIRECTED_TO } from './token-requests.ts';

const FAILED_EXCHANGES: readonly Episode['situation'][] = [
  'exchange-500',
  'exchange-503',
  'exchange-html',
  'exchange-truncated',
  'exchange-lost',
];

const RECOVERIES: readonly Episode['situation'][] = [
  ...FAILED_EXCHANGES,
  'denial',
  'exchange-wrong-type',
  'exchange-stalled',
  'refresh-lost',
  'refresh-503',
  'refresh-429',
  'refresh-refused',
  'refresh-stalled',
  'call-stalled',
];

export const ERRORS = {
  'errors.failed-sign-in': inSituations(FAILED_EXCHANGES, (episode) => {
    const calls = stepsOf(episode, 'call', 'after-failure');
    // A client that has tokens is rightly signed in; other requirements cover how it got them.
    const until = calls[0]?.after ?? 0;
    if (exchanges(episode).some((entry) => entry.arrival <= until && gotTokens(entry))) return NOTHING;
    const found = mustFail(
      calls,
      ({ detail }) => `the exchange failed, and a call after it ended well (${detail})`,
    );
    return { ...found, broken: [...shownSignedIn(episode, 'failed', 'failed'), ...found.broken] };
  }),
  'errors.failed-call': inSituations(
    ['forbidden', 'unknown-project', 'unauthorized-always', 'retired'],
    (episode) =>
      mustFail(
        refusedCalls(episode).filter((step) => !isListPage(episode, step)),
        ({ detail }) => `the service refused, and the call ended well (${detail})`,
      ),
  ),
  'errors.still-answers': inSituations(RECOVERIES, (episode) => {
    // A sign-in after a request without a deadline is a matter of errors.deadline; another user who waits is not.
    const isHeld = episode.steps.some(isHanging);
    const steps = episode.steps.filter(({ as }) => as === 'beside' || (as === 'recover' && !isHeld));
    const { examples, broken } = mustSucceed(steps, (step) => `${nextWord(step)} ${step.detail}`);
    return { examples, broken: broken.slice(0, 1) };
  }),
  'errors.deadline': (episodes, settings) => {
    const evaluation = withinDeadline(episodes, settings);
    const isLate = evaluation.kind === 'broken' && !episodes.some(({ steps }) => steps.some(isHanging));
    return isLate ? { ...evaluation, advice: ANSWERS_LATE } : evaluation;
  },
} satisfies Readonly<Record<string, ClientRule>>;

const withinDeadline = inSituations(['exchange-stalled', 'call-stalled', 'refresh-stalled'], (episode) => {
  const steps = episode.steps.filter(({ as }) => as === 'stalled');
  return each(steps, ({ act, detail, outcome }) =>
    outcome === 'no-answer' ? `the service did not answer, and the ${act} ${detail}` : undefined,
  );
});

function isHanging({ as, outcome, late }: Act): boolean {
  return as === 'stalled' && outcome === 'no-answer' && late !== true;
}

/** A deadline of its own, longer than the one that the application's file gives it. */
const ANSWERS_LATE: Advice = {
  suffers: 'While the service hangs, a user waits beyond deadlineSeconds before the application answers.',
  fix: ["Shorten your client's deadline, or raise `deadlineSeconds` in app.config.json."],
};

/** True if the application listed after a refused change: the page may show the error. A text of its own would be a success. */
function isListPage(episode: Episode, step: Act): boolean {
  const isListed = operations(within(episode, step)).some(({ effect }) => effect === 'listed');
  return step.asked?.operation !== 'list' && step.shown !== true && isListed;
}

function nextWord({ act, as }: Act): string {
  if (as === 'beside') return "another user's call";
  return `the next ${act === 'call' ? 'call' : 'sign-in'}`;
}

export const SECRETS = {
  'secrets.not-in-address': byEpisode(({ entries }, { clientSecret }) => {
    const sent = entries.filter(({ endpoint }) => endpoint !== 'page');
    return each(sent, (entry) => inAddress(entry, clientSecret));
  }),
  'secrets.to-token-endpoint-only': byEpisode(({ entries }, { clientSecret }) => {
    const sent = entries.filter(
      (entry) =>
        entry.endpoint !== 'page' && entry.endpoint !== 'token' && !pathOf(entry).endsWith(REDIRECTED_TO),
    );
    return each(sent, (entry) => {
      const where = elsewhere(entry, clientSecret);
      return where && `${nameOf(entry)} carries ${where}`;
    });
  }),
  'secrets.not-in-output': byEpisode((episode, { clientSecret }) => {
    const { output, entries } = episode;
    if (output === undefined) return NOTHING;
    const printed = [
      ...(output.includes(clientSecret) ? ['the client secret'] : []),
      ...entries.flatMap((entry) => printedTokens(entry, output)),
    ];
    const some = [...new Set(printed)].slice(0, 4).join(', ');
    return { examples: 1, broken: some === '' ? [] : [`the client printed ${some}`] };
  }),
  'secrets.access-token-to-api-only': inSituations(['call-redirected'], (episode) => {
    const redirected = operations(episode).filter(({ fault }) => fault !== undefined);
    const carries = (entry: JournalEntry) =>
      headerOf(entry, 'authorization') !== undefined || /[?&]access_token=/.test(entry.target);
    const broken = episode.entries
      .filter((entry) => pathOf(entry).endsWith(LIST_REDIRECTED_TO) && carries(entry))
      .map(
        (entry) =>
          `${entry.method} ${pathOf(entry)} (request ${entry.arrival}) carries the access token to another origin, after a 307`,
      );
    return { examples: redirected.length, broken };
  }),
} satisfies Readonly<Record<string, ClientRule>>;

function printedTokens(entry: JournalEntry, text: string): readonly string[] {
  const { accessToken, refreshToken } = entry.presented;
  const bearer = /^bearer +(\S+)/i.exec(headerOf(entry, 'authorization') ?? '')?.[1];
  const [renewal] = valuesOf(formOf(entry), 'refresh_token');
  return [
    ...(accessToken !== undefined && bearer && text.includes(bearer) ? [accessToken] : []),
    ...(refreshToken !== undefined && renewal && text.includes(renewal) ? [refreshToken] : []),
  ];
}

const TOKEN_NAMES = ['access_token', 'refresh_token', 'bearer_token'];

function inAddress(entry: JournalEntry, clientSecret: string): readonly string[] {
  const query = entry.parameters.filter(({ place }) => place === 'query');
  const named = query.filter(
    ({ name, value }) =>
      TOKEN_NAMES.includes(name) || name === 'client_secret' || /^(access|refresh)_token#/.test(value),
  );
  const code = entry.endpoint === 'token' ? query.filter(({ name }) => name === 'code') : [];
  const found = [...named, ...code].map(({ name }) => name);
  const inPath =
    decoded(entry.target).includes(clientSecret) && !found.includes('client_secret')
      ? ['the client secret']
      : [];
  const all = [...found, ...inPath];
  return all.length === 0 ? [] : [`the address of ${nameOf(entry)} holds ${[...new Set(all)].join(', ')}`];
}

function elsewhere(entry: JournalEntry, clientSecret: string): string | undefined {
  const authorization = headerOf(entry, 'authorization') ?? '';
  if (/^basic /i.test(authorization)) return 'the client credentials as HTTP Basic';
  // The decision form repeats the client's query, which is already checked in the address.
  const body = entry.endpoint === 'authorize' ? '' : decoded(entry.body);
  const carried = `${entry.headers.map(([, value]) => value).join('\n')}\n${body}`;
  if (carried.includes(clientSecret)) return 'the client secret';
  const { refreshToken } = entry.presented;
  const inQuery = entry.parameters.some(({ place, name }) => place === 'query' && name === 'refresh_token');
  if (entry.endpoint !== 'authorize' && refreshToken !== undefined && !inQuery) return refreshToken;
  return /^refresh_token#/.test(entry.presented.accessToken ?? '')
    ? `${entry.presented.accessToken} as its access token`
    : undefined;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

export const HABITS = {
  'habits.pkce': observed((episodes) => {
    const asked = episodes.flatMap(authorizationRequests);
    if (asked.length === 0) return undefined;
    const challenges = asked.filter(
      (entry) => valuesOf(authorizationParameters(entry), 'code_challenge').length > 0,
    );
    const verifiers = episodes
      .flatMap(tokenRequests)
      .filter((entry) => valuesOf(formOf(entry), 'code_verifier').length > 0);
    return challenges.length === 0
      ? 'no challenge'
      : `a challenge with ${challenges.length} of ${asked.length} requests, ${verifiers.length} verifiers`;
  }),
  'habits.basic': observed((episodes) => {
    const sent = episodes.flatMap(tokenRequests);
    if (sent.length === 0) return undefined;
    const by = (how: string) => sent.filter(({ authentication }) => authentication === how).length;
    const ways = (['form', 'basic', 'both', 'none'] as const).filter((how) => by(how) > 0);
    return ways.map((how) => `${how} ${by(how)}`).join(', ');
  }),
  'habits.early-refresh': observed((episodes) => {
    const ages = episodes.flatMap((episode) =>
      refreshes(episode).flatMap(({ at, presented }) => {
        const issue = episode.entries.find(({ issued }) => issued.refreshToken === presented.refreshToken);
        return issue === undefined ? [] : [Math.round(at - issue.at)];
      }),
    );
    return ages.length === 0
      ? undefined
      : `${ages.length} refreshes, the earliest ${Math.min(...ages)} s after its pair was issued`;
  }),
  'habits.bearer-case': observed((episodes) => {
    const schemes = episodes.flatMap((episode) =>
      operations(episode).flatMap(
        (entry) => /^bearer\b/i.exec(headerOf(entry, 'authorization') ?? '')?.[0] ?? [],
      ),
    );
    return schemes.length === 0 ? undefined : [...new Set(schemes)].join(', ');
  }),
  'habits.other-resources': observed((episodes) => {
    if (!episodes.some((episode) => operations(episode).length > 0)) return undefined;
    const asked = episodes.flatMap(({ entries }) =>
      entries
        .filter(isOtherResource)
        .map((entry) => `${entry.method} ${pathOf(entry).replaceAll(/\/\d+(?=\/|$)/g, '/:id')}`),
    );
    const named = [...Map.groupBy(asked, (one) => one)].map(([one, all]) => `${one} (${all.length} times)`);
    return named.length === 0 ? 'none' : `${named.slice(0, 4).join(', ')}: not documented, so not checked`;
  }),
  'habits.connections': observed((episodes) => {
    const sent = episodes.flatMap(({ situation, entries }) =>
      entries
        .filter(({ endpoint }) => endpoint !== 'page' && endpoint !== 'authorize')
        .map(({ connection }) => `${situation} ${connection}`),
    );
    return sent.length === 0 ? undefined : `${new Set(sent).size} connections for ${sent.length} requests`;
  }),
  'habits.user-agent': observed((episodes) => {
    const names = new Set(
      episodes.flatMap(tokenRequests).map((entry) => headerOf(entry, 'user-agent') ?? 'none'),
    );
    return names.size === 0 ? undefined : [...names].slice(0, 4).join(', ');
  }),
} satisfies Readonly<Record<string, ClientRule>>;
