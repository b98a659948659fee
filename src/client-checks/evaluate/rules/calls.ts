import type { JournalEntry } from '../../../emulator/control-types.ts';
import {
  type Act,
  type Asked,
  byEpisode,
  type ClientRule,
  type Episode,
  type Evaluation,
  each,
  evaluationOf,
  type Findings,
  inSituations,
  lineOf,
  mustSucceed,
  NOTHING,
} from '../episode.ts';
import {
  clientRefused,
  during,
  endOf,
  headerOf,
  isOtherResource,
  nameOf,
  ODD_TOKENS,
  operations,
  pathOf,
  refreshes,
  refusedCalls,
  stepsOf,
  tokenRequests,
  untilSilence,
  within,
} from '../journal.ts';
import { LIST_REDIRECTED_TO, REDIRECTED_TO } from './token-requests.ts';

const MOST_TRIES = 4;

/** Real milliseconds by which a wait may fall short, because clocks of two processes differ. */
const EARLY_MS = 150;

const THROTTLED = ['call-429-seconds', 'call-429-date', 'call-503-seconds', 'call-503-date'] as const;

export const CALLS = {
  'calls.documented-paths': byEpisode((episode) => {
    // An id that the client puts into the path unencoded is that situation's finding.
    if (episode.situation === 'awkward-ids') return NOTHING;
    const broken = episode.entries.flatMap((entry) => strayOf(entry) ?? []);
    return { examples: operations(episode).length, broken: [...broken, ...inPlaceOfOperations(episode)] };
  }),
  'calls.bearer': byEpisode((episode) => {
    if (episode.steps.length === 0) return NOTHING;
    return each(operations(episode), (entry) => {
      const wrong = wrongScheme(headerOf(entry, 'authorization') ?? '');
      if (wrong === undefined || entry.status !== 401) return undefined;
      return `${nameOf(entry)} ${endOf(entry)}: its Authorization header ${wrong}`;
    });
  }),
  'calls.ids-as-given': byEpisode((episode) =>
    episode.situation === 'awkward-ids' ? NOTHING : namedAsAsked(episode),
  ),
  'calls.ids-encoded': inSituations(['awkward-ids'], namedAsAsked),
  'unauthorized.recovers': inSituations(['unauthorized-once'], (episode) => {
    // Later ones may fail for what the first refresh did to the pair.
    const first = stepsOf(episode, 'call', 'refused-once').slice(0, 1);
    const steps = first.map((step) => {
      const own = within(episode, step);
      const refused = operations(own).filter(({ status }) => status === 401).length;
      return { ...step, refused, renewals: refreshes(own).length };
    });
    const found = each(
      steps.filter(({ refused }) => refused > 0),
      ({ outcome, refused, renewals, detail }) =>
        outcome === 'ok'
          ? undefined
          : `${refused} answered 401, ${renewals} refreshes, and the call ${detail}`,
    );
    const missed =
      'no call was answered 401, as the client had refreshed before: choose a clock that can be moved, or a lifetime longer than its leeway (--expires-in)';
    return { ...found, ...(steps.length > 0 ? { missed } : {}) };
  }),
  'unauthorized.no-storm': inSituations(['unauthorized-always'], (episode) =>
    tries(episode, ({ calls, renewals }) => calls > 2 || renewals > 1),
  ),
  'forbidden.not-retried': inSituations(['forbidden', 'unknown-project'], (episode) =>
    tries(episode, ({ calls, renewals }) => renewals > 0 || (calls > 1 && episode.situation === 'forbidden')),
  ),
  'waiting.retry-after': byEpisode((episode, { retryAfterSeconds }) => {
    const reported = [...THROTTLED, 'exchange-503', 'refresh-503', 'refresh-429'];
    if (episode.gap !== undefined || !reported.includes(episode.situation)) return NOTHING;
    const leastMs = retryAfterSeconds * 1_000 - EARLY_MS;
    const refused = episode.steps.flatMap((step) => {
      const sent = during(episode, step);
      return sent.filter(({ fault }) => fault === 'status').map((reported) => ({ reported, sent }));
    });
    const { examples, broken } = each(refused, ({ reported, sent }) => {
      const next = sent.find(
        ({ arrival, endpoint }) => arrival > reported.arrival && endpoint === reported.endpoint,
      );
      const waitedMs = next === undefined ? leastMs : next.arrivedMs - reported.answeredMs;
      if (next === undefined || waitedMs >= leastMs) return undefined;
      return `${nameOf(reported)} answered ${reported.status} with Retry-After ${retryAfterSeconds} s; ${nameOf(next)} came after ${Math.round(waitedMs)} ms`;
    });
    return { examples, broken: broken.slice(0, 1) };
  }),
  'waiting.few-tries': inSituations([...THROTTLED, 'retired'], (episode) =>
    each(refusedCalls(episode), (step) => {
      const sent = operations(within(episode, step));
      return sent.length > MOST_TRIES
        ? `one call sent ${sent.length} requests, each answered ${sent[0]?.status}`
        : undefined;
    }),
  ),
  'answers.lists-of-any-length': inSituations(['list-empty', 'list-long'], (episode) => {
    const steps = stepsOf(episode, 'call', 'tolerant').filter((step) => isListed(episode, step));
    if (steps.length === 0)
      return {
        ...NOTHING,
        missed:
          'no list of its project was sent: put {project} into calls.list, or {projectId} into variables',
      };
    return mustSucceed(steps, failureOf);
  }),
  'answers.empty-body': emptyAnswers,
  'answers.token-type-case': tolerant(['token-type-capital']),
  'answers.additional-fields': tolerant(['additional-fields']),
  'answers.every-character': tolerant(ODD_TOKENS),
} satisfies Readonly<Record<string, ClientRule>>;

/** Describes an Authorization header that is no bearer token; undefined if it is, or is absent. */
function wrongScheme(header: string): string | undefined {
  if (/^bearer +bearer\b/i.test(header)) return 'says Bearer twice';
  // An empty token follows from what the client stored, which another rule reports.
  if (header === '' || /^bearer *$/i.test(header) || /^bearer +\S/i.test(header)) return undefined;
  const [, scheme] = /^([A-Za-z][\w-]{0,15}):? +\S/.exec(header) ?? [];
  return scheme === undefined
    ? 'has the token without the word Bearer'
    : `begins with ${scheme}, not with Bearer`;
}

function namedAsAsked(episode: Episode): Findings {
  const made = stepsOf({ ...episode, steps: untilSilence(episode) }, 'call').filter(
    ({ as, asked }) => as !== 'redirected' && asked !== undefined,
  );
  // A flow that stopped early made no call.
  if (made.length === 0) return NOTHING;
  const calls = made.filter(({ asked }) => (asked?.named.length ?? 0) > 0);
  if (calls.length === 0) return { ...NOTHING, missed: 'no call names {project} or {user}' };
  const sent = calls.flatMap((step) =>
    during(episode, step)
      .filter((entry) => entry.target.includes('/projects/') && !isBesides(episode, step, entry))
      .map((entry) => ({ entry, step })),
  );
  return each(sent, ({ entry, step: { asked } }) =>
    asked === undefined || namesWhat(entry, asked)
      ? undefined
      : `${entry.method} ${pathOf(entry)} for the project ${asked.project} and the user ${asked.user}`,
  );
}

/** True for a request that the document does not show. Odd ids that are not encoded make another path of a documented one. */
function isBesides({ situation }: Episode, { asked }: Act, entry: JournalEntry): boolean {
  const names = () =>
    pathOf(entry)
      .split('/')
      .some((one) => decodedSegment(one) === asked?.project);
  return isOtherResource(entry) && (situation !== 'awkward-ids' || names());
}

/** Each id is one segment, percent-encoded. */
function namesWhat(entry: JournalEntry, { operation, project, user, named }: Asked): boolean {
  const path = /\/projects\/([^/]*)\/assigned_users(?:\/([^/]*))?$/.exec(pathOf(entry));
  if (path === null) return false;
  const [, first = '', second] = path;
  // An application may list before and after a change.
  const listed = second === undefined && entry.method === 'GET';
  const isAsked = (id: 'project' | 'user', segment: string, value: string) =>
    !named.includes(id) || decodedSegment(segment) === value;
  return (
    isAsked('project', first, project) &&
    (listed || (operation !== 'list' && isAsked('user', second ?? '', user)))
  );
}

function isListed(episode: Episode, step: Act): boolean {
  return during(episode, step).some(
    ({ effect, target }) =>
      effect === 'listed' && target.includes(`/projects/${step.asked?.project}/assigned_users`),
  );
}

/** Returns undefined for malformed percent-encoding. */
function decodedSegment(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

const DOCUMENTED = {
  assign: 'PUT {base_url}/v2/projects/:id/assigned_users/:user_id',
  unassign: 'DELETE {base_url}/v2/projects/:id/assigned_users/:user_id',
} as const;

const ASSIGNED_USERS = /\/v2\/projects\/[^/]+\/assigned_users(\/[^/]+)?$/;

/**
 * Describes a request that asks for a documented resource wrongly, or for discovery, introspection or another version. Other
 * resources under /v2 are a habit. A request for a missing page is the browser's, unless a client would call it.
 */
function strayOf(entry: JournalEntry): string | undefined {
  const path = pathOf(entry);
  const { endpoint, method, status } = entry;
  const what = `${method} ${path}`;
  const undocumented = `${what} is not documented (${endOf(entry)})`;
  if ([REDIRECTED_TO, LIST_REDIRECTED_TO, '/favicon.ico', '/healthz'].some((own) => path.endsWith(own)))
    return undefined;
  switch (endpoint) {
    case 'authorize':
    case 'token':
      return undefined;
    case 'neighbour':
      return undocumented;
    case 'page':
      if (status !== 404 && status !== 405) return undefined;
      return path.startsWith('/v2/') ? `${what} went to {auth_url}, not to {base_url}` : undocumented;
    default: {
      if (/\/oauth\/(authorize|token)$/.test(path)) return `${what} went to {base_url}, not to {auth_url}`;
      if (isOtherResource(entry)) return undefined;
      const segments = ASSIGNED_USERS.exec(path);
      // The journal names an operation by its method alone.
      const fits = segments !== null && (segments[1] === undefined) === (endpoint === 'list');
      return fits && endpoint !== 'resource' ? undefined : undocumented;
    }
  }
}

/** Finds requests that failed in place of an assign or unassign: another path with the ids of project and user. */
function inPlaceOfOperations(episode: Episode): readonly string[] {
  return stepsOf(episode, 'call').flatMap((step) => {
    const own = within(episode, step);
    if (step.asked === undefined || step.outcome === 'ok' || operations(own).length > 0) return [];
    const { operation, project, user, named } = step.asked;
    if (operation === 'list' || named.length < 2) return [];
    return own.entries
      .filter(({ status = 0 }) => status === 404 || status === 405)
      .filter((entry) => isOtherResource(entry) && pathOf(entry).endsWith(`/${user}`))
      .filter((entry) => pathOf(entry).split('/').includes(project))
      .map(
        (entry) => `${entry.method} ${pathOf(entry)} sent to ${operation}, which is ${DOCUMENTED[operation]}`,
      );
  });
}

/** Returns the calls that failed although the service had answered their last request with success and without a body. */
export function failedAt204(episode: Episode): readonly Act[] {
  return stepsOf(episode, 'call', '').filter((step) => {
    const last = operations(within(episode, step)).findLast(({ effect }) => effect !== undefined);
    return step.outcome === 'error' && last?.status === 204;
  });
}

/** Reports an empty answer only if the same call succeeds with a body: the application may fail for a reason of its own. */
function emptyAnswers(episodes: readonly Episode[]): Evaluation {
  const flows = episodes.filter(({ situation }) => situation === 'flow');
  const good = flows.flatMap((episode) =>
    stepsOf(episode, 'call', '').flatMap((step) => {
      // After a change, an application may list.
      const operation = step.asked?.operation;
      const answer = operations(within(episode, step)).findLast(
        ({ effect, endpoint }) => effect !== undefined && endpoint === operation,
      );
      return step.outcome === 'ok' ? [{ operation, isEmpty: answer?.status === 204 }] : [];
    }),
  );
  const broken = flows.flatMap((episode) =>
    failedAt204(episode)
      .filter(({ asked }) =>
        good.some(({ operation, isEmpty }) => operation === asked?.operation && !isEmpty),
      )
      .map((step) =>
        lineOf(
          episode,
          `${step.asked?.operation} answered 204 without a body, and the call ${step.detail}; with a JSON body it ended well`,
        ),
      ),
  );
  return evaluationOf(broken, good.filter(({ isEmpty }) => isEmpty).length);
}

function tries(
  episode: Episode,
  tooMany: (count: { readonly calls: number; readonly renewals: number }) => boolean,
) {
  return each(refusedCalls(episode), (step) => {
    const own = within(episode, step);
    const calls = operations(own).filter(({ status = 0 }) => status >= 400);
    const refusedAt = calls[0]?.arrival ?? Number.POSITIVE_INFINITY;
    // A client that refreshes before every call does not do so because of a refusal.
    const renewals = refreshes(own).filter((entry) => entry.arrival > refusedAt && !clientRefused(entry));
    const count = { calls: calls.length, renewals: renewals.length };
    if (!tooMany(count)) return undefined;
    return `one call sent ${count.calls} requests, answered ${calls[0]?.status}, and ${count.renewals} refreshes after the first`;
  });
}

/** Requires success after unusual but valid answers. Failures after any expiry belong to another requirement. */
function tolerant(situations: readonly Episode['situation'][]): ClientRule {
  return (episodes, settings) => {
    const renews = episodes.some(
      (episode) =>
        episode.situation === 'expiry' &&
        stepsOf(episode, 'call', 'after-expiry').some(({ outcome }) => outcome === 'ok'),
    );
    return inSituations(situations, (episode) => {
      const steps = episode.steps.filter(
        ({ as }) => as === 'tolerant' || (renews && as === 'tolerant-renewal'),
      );
      const found = mustSucceed(steps, failureOf);
      return tokenRequests(episode).length > 0 ? found : { ...found, examples: 0 };
    })(episodes, settings);
  };
}

function failureOf({ act, detail }: Act): string {
  return `${act === 'callback' ? 'the sign-in' : 'the call'} ${detail}`;
}
