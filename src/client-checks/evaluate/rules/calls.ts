import { assignedUsersPath, pathOfAssignedUsers } from '../../../document/assigned-users-path.ts';
import { LIST_REDIRECTED_TO, REDIRECTED_TO } from '../bait.ts';
import type { Act, Asked, Episode } from '../episode.ts';
import {
  asServed,
  decodedOrUndefined,
  episodeDuring,
  isDone,
  isOtherResource,
  refusedCalls,
  type Sent,
  stepsOf,
  survivesExpiry,
  untilSilence,
  type Watched,
} from '../journal.ts';
import { type Cited, cited, lineOf } from '../line.ts';
import {
  byEpisode,
  type ClientRule,
  type ClientRules,
  type Evaluation,
  eachBreach,
  eachOf,
  evaluationOf,
  type Findings,
  inOwnSituations,
  mustSucceed,
  NOTHING,
} from '../rule.ts';

const MOST_TRIES = 4;

/** Real milliseconds by which a wait may fall short, because clocks of two processes differ. */
export const EARLY_MS = 150;

export const CALLS = {
  'calls.documented-paths': byEpisode((episode) => {
    // An id that the client puts into the path unencoded is that situation's finding.
    if (episode.situation === 'awkward-ids') return NOTHING;
    const broken = episode.entries.flatMap((entry) => strayOf(entry) ?? []);
    return { examples: episode.operations.length, broken: [...broken, ...inPlaceOfOperations(episode)] };
  }),
  'calls.bearer': byEpisode(
    eachOf(
      ({ steps, operations }) => (steps.length === 0 ? [] : operations),
      (entry) => {
        const { end, status, authorization = '' } = entry;
        const wrong = status === 401 && wrongScheme(authorization);
        return wrong && cited`${entry} ${end}: its Authorization header ${wrong}`;
      },
    ),
  ),
  'calls.ids-as-given': byEpisode((episode) =>
    episode.situation === 'awkward-ids' ? NOTHING : namedAsAsked(episode),
  ),
  'calls.ids-encoded': inOwnSituations(namedAsAsked),
  'calls.list-after-change': inOwnSituations((episode) =>
    episode.situation === 'flow' ? oldLists(episode) : listsAsIfDone(episode),
  ),
  'unauthorized.recovers': inOwnSituations((episode) => {
    // Later ones may fail for what the first refresh did to the pair.
    const [step] = stepsOf(episode, 'call', 'refused-once');
    if (step === undefined) return NOTHING;
    const { operations, refreshes } = episodeDuring(episode, step);
    const refused = operations.filter(({ status }) => status === 401).length;
    if (refused === 0)
      return { ...NOTHING, missed: 'no call was answered 401, because the client had refreshed before' };
    const refreshed = refreshes.find(({ gotTokens }) => gotTokens);
    const old = operations.find(
      ({ arrival, grant, presented: { accessToken } }) =>
        refreshed !== undefined &&
        arrival > refreshed.arrival &&
        grant === refreshed.grant &&
        accessToken !== refreshed.issued.accessToken,
    );
    if (old !== undefined)
      return {
        examples: 1,
        broken: [cited`after ${refreshed}, ${old} presents ${old.presented.accessToken} again`],
      };
    if (step.asksAgain && refreshed !== undefined)
      return { ...NOTHING, missed: 'the client refreshed after a 401, and asked its user to try again' };
    return mustSucceed(
      [asServed(episode, step)],
      ({ detail }) => `${refused} answered 401, ${refreshes.length} refreshes, and the call ${detail}`,
    );
  }),
  'unauthorized.no-storm': inOwnSituations(tries((calls, renewals) => calls > 2 || renewals > 1)),
  'forbidden.not-retried': inOwnSituations(
    tries((calls, renewals, situation) => renewals > 0 || (calls > 1 && situation === 'forbidden')),
  ),
  'waiting.retry-after': byEpisode((episode, { retryAfterSeconds }, situations) => {
    if (episode.gap !== undefined || !situations.includes(episode.situation)) return NOTHING;
    const leastMs = retryAfterSeconds * 1_000 - EARLY_MS;
    const refused = episode.steps.flatMap((step) => {
      const sent = episodeDuring(episode, step).entries;
      return sent.filter(({ fault }) => fault === 'status').map((reported) => ({ reported, sent }));
    });
    const { examples, broken } = eachBreach(refused, ({ reported, sent }) => {
      const next = sent.find(
        ({ arrival, endpoint }) => arrival > reported.arrival && endpoint === reported.endpoint,
      );
      const waitedMs = next === undefined ? leastMs : next.arrivedMs - reported.answeredMs;
      if (next === undefined || waitedMs >= leastMs) return undefined;
      return cited`${reported} answered ${reported.status} with Retry-After ${retryAfterSeconds} s; ${next} came after ${Math.round(waitedMs)} ms`;
    });
    return { examples, broken: broken.slice(0, 1) };
  }),
  'waiting.few-tries': inOwnSituations(
    eachOf(
      (episode) => [...refusedCalls(episode), ...stepsOf(episode, 'call', 'failed')],
      (step, episode) => {
        // A client may learn of the expiry from a 401.
        const sent = episodeDuring(episode, step).operations.filter(
          ({ status = 0 }) => status >= 400 && status !== 401,
        );
        return (
          sent.length > MOST_TRIES &&
          `one call sent ${sent.length} requests, each answered ${sent[0]?.status}`
        );
      },
    ),
  ),
  'answers.lists-of-any-length': inOwnSituations((episode) => {
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
  'answers.token-type-case': tolerant,
  'answers.additional-fields': tolerant,
  'answers.every-character': tolerant,
} satisfies ClientRules;

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

function namedAsAsked(episode: Watched): Findings {
  const made = stepsOf({ steps: untilSilence(episode) }, 'call').filter(
    ({ as, asked }) => as !== 'redirected' && asked !== undefined,
  );
  // A flow that stopped early made no call.
  if (made.length === 0) return NOTHING;
  const calls = made.filter(({ asked }) => (asked?.named.length ?? 0) > 0);
  if (calls.length === 0) return { ...NOTHING, missed: 'no call names {project} or {user}' };
  const sent = calls.flatMap((step) => {
    const { entries } = episodeDuring(episode, step);
    // A service that did what was asked leaves another list to a timer.
    const isServed = entries.some((one) => isCallOf(one, step) && (one.status ?? 500) < 300);
    return entries
      .filter((entry) => entry.target.includes('/projects/') && !(isServed && entry.endpoint === 'list'))
      .filter((entry) => !isBesides(episode, step, entry) && !isLate(episode, calls, entry))
      .map((entry) => ({ entry, asked: step.asked }));
  });
  return eachBreach(
    sent,
    ({ entry, asked }) =>
      asked !== undefined &&
      !namesWhat(entry, asked) &&
      `${entry.method} ${entry.path} for the project ${asked.project} and the user ${asked.user}`,
  );
}

/** True for a request that the document does not show. Odd ids that are not encoded make another path of a documented one. */
function isBesides({ situation }: Watched, { asked }: Act, entry: Sent): boolean {
  const names = () => entry.path.split('/').some((one) => decodedOrUndefined(one) === asked?.project);
  return isOtherResource(entry) && (situation !== 'awkward-ids' || names());
}

/** True for a change that an earlier call asked for and had not sent at its end. */
function isLate(episode: Watched, calls: readonly Act[], entry: Sent): boolean {
  return calls.some(
    (call) =>
      call.until < entry.arrival &&
      isCallOf(entry, call) &&
      !episodeDuring(episode, call).entries.some((one) => isCallOf(one, call)),
  );
}

/** True for a request of the operation that a step asked for, with its ids. */
function isCallOf(sent: Sent, { asked }: Act): boolean {
  return asked !== undefined && sent.endpoint === asked.operation && namesWhat(sent, asked);
}

/** Each id is one segment, percent-encoded. */
function namesWhat(entry: Sent, { operation, project, user, named }: Asked): boolean {
  const path = assignedUsersPath(entry.path);
  if (path === undefined) return false;
  // An application may list before and after a change. Other methods have no such path, which calls.documented-paths says.
  const isWithoutUser = path.user === undefined;
  const isAsked = (id: 'project' | 'user', segment: string | undefined, value: string) =>
    !named.includes(id) || decodedOrUndefined(segment ?? '') === value;
  return (
    isAsked('project', path.project, project) &&
    (isWithoutUser || (operation !== 'list' && isAsked('user', path.user, user)))
  );
}

/** An old list after a change: nothing was asked for since, and the list is shown as it was before. */
function oldLists(episode: Watched): Findings {
  const calls = stepsOf(episode, 'call', '');
  const around = calls.flatMap((change, at) => {
    const done = episodeDuring(episode, change).operations.find(
      (entry) => isDone(entry) && entry.effect !== 'listed',
    );
    const [before, after] = [calls[at - 1], calls[at + 1]];
    const isShown = before?.page !== undefined && after?.page !== undefined;
    return done !== undefined && isShown ? [{ change, done, before, after }] : [];
  });
  return eachBreach(around, ({ change, done, before, after }) => {
    const isAsked = episode.operations.some(
      ({ effect, arrival }) => effect === 'listed' && arrival > done.arrival && arrival <= after.until,
    );
    return (
      !isAsked &&
      before.page === after.page &&
      `after the ${change.asked?.operation} the list was shown as before, and the service was not asked for it`
    );
  });
}

/** A list that shows a refused unassign as done: as it was before the user was assigned, and nothing was asked for since. */
function listsAsIfDone(episode: Watched): Findings {
  const lists = stepsOf(episode, 'call', '').filter(({ asked }) => asked?.operation === 'list');
  const [without, assigned] = [lists[0]?.page, lists.at(-1)?.page];
  const kept = stepsOf(episode, 'call', 'kept').filter(
    (step) =>
      step.page !== undefined && without !== assigned && episodeDuring(episode, step).operations.length === 0,
  );
  return eachBreach(
    kept,
    ({ page }) =>
      page === without &&
      'after an unassign that the service refused, the list was shown without the user, and the service was not asked for it',
  );
}

function isListed(episode: Watched, step: Act): boolean {
  return episodeDuring(episode, step).entries.some(
    ({ effect, target }) =>
      effect === 'listed' && target.includes(pathOfAssignedUsers('', step.asked?.project ?? '')),
  );
}

const DOCUMENTED = {
  assign: 'PUT {base_url}/v2/projects/:id/assigned_users/:user_id',
  unassign: 'DELETE {base_url}/v2/projects/:id/assigned_users/:user_id',
} as const;

/**
 * Describes a request that asks for a documented resource wrongly, or for discovery, introspection or another version. Other
 * resources under /v2 are a habit. A request for a missing page is the browser's, unless a client would call it.
 */
function strayOf(entry: Sent): string | undefined {
  const { endpoint, method, status, path, end } = entry;
  const what = `${method} ${path}`;
  const undocumented = `${what} is not documented (${end})`;
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
      const { before, project, user } = assignedUsersPath(path) ?? {};
      // The journal names an operation by its method alone.
      const fits = before?.endsWith('/v2') && project && (endpoint === 'list' ? user === undefined : user);
      return fits && endpoint !== 'resource' ? undefined : undocumented;
    }
  }
}

/** Finds requests that failed in place of an assign or unassign: another path with the ids of project and user. */
function inPlaceOfOperations(episode: Watched): readonly string[] {
  return stepsOf(episode, 'call').flatMap((step) => {
    const { entries, operations } = episodeDuring(episode, step);
    if (step.asked === undefined || step.outcome === 'ok' || operations.length > 0) return [];
    const { operation, project, user, named } = step.asked;
    if (operation === 'list' || named.length < 2) return [];
    return entries
      .filter(({ status }) => status === 404 || status === 405)
      .filter((entry) => isOtherResource(entry) && entry.path.endsWith(`/${user}`))
      .filter(({ path }) => path.split('/').includes(project))
      .map(({ method, path }) => `${method} ${path} sent to ${operation}, which is ${DOCUMENTED[operation]}`);
  });
}

/** Returns the calls that failed although the service had last done what was asked, and answered without a body. */
export function failedAt204(episode: Watched): readonly Act[] {
  return stepsOf(episode, 'call', '').filter((step) => {
    const last = episodeDuring(episode, step).operations.findLast(isDone);
    return step.outcome === 'error' && last?.status === 204;
  });
}

/** Reports an empty answer only if the same call succeeds with a body: the application may fail for a reason of its own. */
function emptyAnswers(episodes: readonly Watched[]): Evaluation {
  const flows = episodes.filter(({ situation }) => situation === 'flow' || situation === 'empty-answers');
  const good = flows.flatMap((episode) =>
    stepsOf(episode, 'call', '').flatMap((step) => {
      // After a change, an application may list.
      const operation = step.asked?.operation;
      const answer = episodeDuring(episode, step).operations.findLast(
        (entry) => isDone(entry) && entry.endpoint === operation,
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
          episode.situation,
          `${step.asked?.operation} answered 204 without a body, and the call ${step.detail}; with a JSON body it ended well`,
        ),
      ),
  );
  return evaluationOf(broken, good.filter(({ isEmpty }) => isEmpty).length);
}

function tries(tooMany: (calls: number, renewals: number, situation: Episode['situation']) => boolean) {
  return eachOf(refusedCalls, (step, episode) => {
    const { operations, refreshes } = episodeDuring(episode, step);
    const calls = operations.filter(({ status = 0 }) => status >= 400);
    const refusedAt = calls[0]?.arrival ?? Number.POSITIVE_INFINITY;
    // A client that refreshes before every call does not do so because of a refusal.
    const renewals = refreshes.filter(
      ({ arrival, isClientRefused }) => arrival > refusedAt && !isClientRefused,
    );
    return (
      tooMany(calls.length, renewals.length, episode.situation) &&
      `one call sent ${calls.length} requests, answered ${calls[0]?.status}, and ${renewals.length} refreshes after the first`
    );
  });
}

/** Requires success after unusual but valid answers. Failures after any expiry belong to another requirement. */
function tolerant(...[episodes, settings, situations]: Parameters<ClientRule>): Evaluation {
  const isRenewing = survivesExpiry(episodes);
  return inOwnSituations((episode) => {
    const steps = episode.steps.filter(
      ({ as }) => as === 'tolerant' || (isRenewing && as === 'tolerant-renewal'),
    );
    const served = steps.map((step) => asServed(episode, step));
    const found = mustSucceed(served, (step) => cited`${failureOf(step)}${whyIn(episode)}`);
    return episode.tokenRequests.length > 0 ? found : { ...found, examples: 0 };
  })(episodes, settings, situations);
}

/** Names the refused code or token if it resembles an issued one. */
function whyIn({ entries }: Watched): Cited | string {
  const refused = entries.find(({ refusal }) => refusal?.resembles !== undefined);
  return refused === undefined ? '' : cited`: ${refused} presents ${refused.refusal?.resembles}`;
}

function failureOf({ act, detail }: Act): string {
  return `${act === 'callback' ? 'the sign-in' : 'the call'} ${detail}`;
}
