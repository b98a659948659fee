/** Each context of the table finds a fault that no other one finds; a service that is odd there, but right, is quiet everywhere. */
import { expect, test } from '@playwright/test';
import { roomySeed } from '../../../src/emulator/store/default-seed.ts';
import { contextsOf } from '../../../src/evaluation/explore/contexts.ts';
import { openToExplore } from '../../../src/evaluation/explore/replay.ts';
import { StepPerformer } from '../../../src/evaluation/explore/step-performer.ts';
import {
  headerOf,
  isSuccess,
  jsonOf,
  type Transport,
  TransportFailure,
  type WireRequest,
  type WireResponse,
} from '../../../src/http/exchange.ts';
import { emulatorTarget } from '../../../src/service/emulator.ts';
import type { Target } from '../../../src/service/target.ts';

/** The healthy service that a fault is put before, and its time in seconds. */
interface Healthy {
  readonly send: Transport;
  readonly now: () => number;
  readonly target: Target;
}

/** Puts a fault, or an odd habit, before a healthy service. Its state begins with the context. */
type Behind = (healthy: Healthy) => Transport;

const answer = (status: number, headers: WireResponse['headers'] = []): WireResponse => ({
  status,
  headers,
  body: '',
  bytes: 0,
});

const formOf = ({ body }: WireRequest) => new URLSearchParams(body);
const isToken = ({ url }: WireRequest) => url.endsWith('/oauth/token');
const isExchange = (request: WireRequest) => isToken(request) && formOf(request).has('code');
const isRefresh = (request: WireRequest) => isToken(request) && !formOf(request).has('code');
const isCall = ({ url }: WireRequest) => url.includes('/assigned_users');
const isList = (request: WireRequest) => isCall(request) && request.method === 'GET';
const isLook = (request: WireRequest) => isCall(request) && request.method === 'HEAD';
const isChange = (request: WireRequest) => isCall(request) && !isList(request) && !isLook(request);
const isDecision = ({ method, url }: WireRequest) => method === 'POST' && url.endsWith('/oauth/authorize');
const isPage = ({ method, url }: WireRequest) => method === 'GET' && url.includes('/oauth/authorize?');
const isSignIn = ({ method, url }: WireRequest) => method === 'POST' && url.endsWith('/sign-in');
const isKept = (request: WireRequest) => request.kept === true;
const tokenOf = (request: WireRequest) => headerOf(request, 'authorization')?.split(' ')[1] ?? '';
const clientOf = (request: WireRequest) => formOf(request).get('client_id') ?? '';
const codeIn = (response: WireResponse) => /[?&]code=([^&]+)/.exec(headerOf(response, 'location') ?? '')?.[1];

function tokensOf(response: WireResponse): { readonly access: string; readonly refresh: string } | undefined {
  const { access_token: access, refresh_token: refresh } = (jsonOf(response) ?? {}) as Readonly<
    Record<string, string>
  >;
  return isSuccess(response) && access && refresh ? { access, refresh } : undefined;
}

/** Refuses the requests that it picks. */
interface Refusing {
  readonly refuses: (request: WireRequest) => boolean;
  readonly sees?: (request: WireRequest, response: WireResponse) => void;
}

function refusing(status: number, begin: (healthy: Healthy) => Refusing): Behind {
  return (healthy) => {
    const { refuses, sees } = begin(healthy);
    return async (request, signal) => {
      if (refuses(request)) return answer(status);
      const response = await healthy.send(request, signal);
      sees?.(request, response);
      return response;
    };
  };
}

/** Refuses the next request of a kind after an event. */
function refusedAfter(
  event: (request: WireRequest, response: WireResponse) => boolean,
  status: number,
  next: (request: WireRequest) => boolean,
): Behind {
  return refusing(status, () => {
    let armed = false;
    return {
      refuses: (request) => armed && next(request),
      sees: (request, response) => {
        armed = event(request, response) || (armed && !next(request));
      },
    };
  });
}

/** The next call with an older token is refused, once another pair was issued to a client. */
function olderTokenRefused(isHit: (older: string, newer: string) => boolean): Behind {
  return refusing(401, () => {
    const issued = new Map<string, string>();
    const hit = new Set<string>();
    return {
      refuses: (request) => isCall(request) && hit.delete(tokenOf(request)),
      sees: (request, response) => {
        const tokens = isExchange(request) ? tokensOf(response) : undefined;
        if (tokens === undefined) return;
        for (const [token, client] of issued) if (isHit(client, clientOf(request))) hit.add(token);
        issued.set(tokens.access, clientOf(request));
      },
    };
  });
}

/** A pair, and the exchange that its grant began with. */
interface Pair {
  readonly access: string;
  readonly place: string;
  readonly scope: string;
  readonly generation: number;
  readonly begunAt: number;
  readonly at: number;
}

class Pairs {
  readonly byAccess = new Map<string, Pair>();
  readonly byRefresh = new Map<string, Pair>();
  readonly successors = new Map<string, string>();
  readonly #healthy: Healthy;

  constructor(healthy: Healthy) {
    this.#healthy = healthy;
  }

  /** The pair that a refresh replaces. */
  replacedBy(request: WireRequest): Pair | undefined {
    return isRefresh(request) ? this.byRefresh.get(formOf(request).get('refresh_token') ?? '') : undefined;
  }

  readonly sees = (request: WireRequest, response: WireResponse): void => {
    const tokens = isToken(request) ? tokensOf(response) : undefined;
    if (tokens === undefined) return;
    const before = this.replacedBy(request);
    const at = this.#healthy.now();
    const begin = { place: placeOf(request, this.#healthy.target), generation: -1, begunAt: at };
    const { scope } = jsonOf(response) as { scope: string };
    const { place, generation, begunAt } = before ?? begin;
    const pair = { access: tokens.access, place, scope, generation: generation + 1, begunAt, at };
    if (before !== undefined) this.successors.set(before.access, tokens.access);
    this.byAccess.set(tokens.access, pair);
    this.byRefresh.set(tokens.refresh, pair);
  };
}

const USUAL = '';

/** Returns the name in the table of the place that a code is exchanged at. */
function placeOf(request: WireRequest, { application, secondApplication }: Target): string {
  const address = formOf(request).get('redirect_uri') ?? '';
  const client = clientOf(request);
  const ofFirst = application.redirectUris.indexOf(address) + 1;
  if (client === application.clientId) return ofFirst === 1 ? USUAL : `at address ${ofFirst}`;
  if (client === secondApplication?.clientId)
    return `for the second application at address ${secondApplication.redirectUris.indexOf(address) + 1}`;
  return `for an application from the account area at address ${address.includes('/second') ? 2 : 1}`;
}

/** Refuses the refresh of a first pair with all scopes, at a place and between two ages. */
function refreshRefused(at: string, from: number, to: number): Behind {
  return refusing(400, (healthy) => {
    const pairs = new Pairs(healthy);
    return {
      refuses: (request) => {
        const pair = pairs.replacedBy(request);
        if (pair?.place !== at || pair.generation > 0 || pair.scope.split(' ').length < 3) return false;
        const age = healthy.now() - pair.at;
        return age >= from && age < to;
      },
      sees: pairs.sees,
    };
  });
}

/** A pair that a late refresh gave does not act. */
function ofLateRefreshRefused(at: string): Behind {
  return refusing(401, (healthy) => {
    const pairs = new Pairs(healthy);
    return {
      refuses: (request) => {
        const { place, at: issuedAt = 0, begunAt = 0 } = pairs.byAccess.get(tokenOf(request)) ?? {};
        return isCall(request) && place === at && issuedAt - begunAt > 40_000;
      },
      sees: pairs.sees,
    };
  });
}

/** A pair that a refresh after the expiry gave lives for an hour. */
function anHourAfterALateRefresh(at: string): Behind {
  return refusing(401, (healthy) => {
    const pairs = new Pairs(healthy);
    return {
      refuses: (request) => {
        const pair = pairs.byAccess.get(tokenOf(request));
        if (pair === undefined || pair.place !== at || !isCall(request)) return false;
        const wasLate = pair.at - pair.begunAt > 7_200 && pair.at - pair.begunAt < 40_000;
        return wasLate && healthy.now() - pair.at > 3_600;
      },
      sees: pairs.sees,
    };
  });
}

/** Honours an expired token in the name of its successor. */
function lastsBeside(at: string): Behind {
  return (healthy) => {
    const pairs = new Pairs(healthy);
    return async (request, signal) => {
      const token = tokenOf(request);
      const successor = pairs.successors.get(token);
      const pair = pairs.byAccess.get(token);
      const lasts = isCall(request) && pair?.place === at && healthy.now() - pair.at > 7_200;
      const headers = request.headers.map(
        ([name, value]) => [name, value.replace(token, successor ?? '')] as const,
      );
      const response = await healthy.send(
        lasts && successor !== undefined ? { ...request, headers } : request,
        signal,
      );
      pairs.sees(request, response);
      return response;
    };
  };
}

const IN_PLACE: readonly (readonly [time: string, at: (place: string) => Behind])[] = [
  ['', (place) => refreshRefused(place, 0, 10)],
  ['after the expiry', (place) => refreshRefused(place, 7_200, 40_000)],
  ['over midnight', ofLateRefreshRefused],
  ['after an early refresh', lastsBeside],
];

/** Gives a refreshed pair of these scopes one scope more, to the first application. */
function widensAtRefresh(scope: string): Behind {
  return ({ send, target: { application } }) =>
    async (request, signal) => {
      const response = await send(request, signal);
      const body = response.body.replace(`"scope":"${scope}"`, '"scope":"read write destroy"');
      return isRefresh(request) && clientOf(request) === application.clientId
        ? { ...response, body }
        : response;
    };
}

/** Answers the next list with the one that a cut request left in the connection. */
const answersTheCut: Behind = ({ send }) => {
  let left: WireResponse | undefined;
  return async (request, signal) => {
    const response = await send(request, signal);
    const shown = isList(request) ? (left ?? response) : response;
    if (isList(request)) left = request.cut ? response : undefined;
    return shown;
  };
};

/** Refuses changes while the lock of a request that was cut is kept. */
const keepsTheLock = refusedAfter((request) => request.cut === true, 423, isChange);

/** Gives lists a tag of their own, or one that forgets what was removed. */
function tagged(forgets: boolean): Behind {
  return ({ send }) => {
    let added = 0;
    return async (request, signal) => {
      const response = await send(request, signal);
      if (request.method === 'PUT') added += 1;
      if (!isList(request) || !isSuccess(response)) return response;
      const tag = `"${forgets ? added : Buffer.from(response.body).toString('base64')}"`;
      const headers = [...response.headers, ['ETag', tag]] as const;
      return headerOf(request, 'if-none-match') === tag ? answer(304, headers) : { ...response, headers };
    };
  };
}

/** Forgets a list that it has said to be unchanged, until the next change. */
const emptyAfterUnchanged: Behind = (healthy) => {
  const send = tagged(false)(healthy);
  let isLost = false;
  return async (request, signal) => {
    const response = await send(request, signal);
    isLost = response.status === 304 || (isLost && !isChange(request));
    return isLost && isList(request) && isSuccess(response) ? { ...response, body: '[]' } : response;
  };
};

/** Dates lists by the last change in whole seconds, or by the user who was added last. */
function dated(forgets: boolean): Behind {
  return ({ send, now }) => {
    let changedAt = 0;
    return async (request, signal) => {
      const response = await send(request, signal);
      const date = (seconds: number) => new Date(Math.floor(seconds) * 1_000).toUTCString();
      if (request.method === 'PUT' || (request.method === 'DELETE' && !forgets)) changedAt = now();
      if (!isList(request) || !isSuccess(response)) return response;
      const headers = [
        ...response.headers,
        ['Last-Modified', date(changedAt)],
        ['Date', date(now())],
      ] as const;
      const since = headerOf(request, 'if-modified-since');
      return since !== undefined && Date.parse(since) >= Date.parse(date(changedAt))
        ? answer(304, headers)
        : { ...response, headers };
    };
  };
}

/** Answers HEAD without looking at its token; `as` the list, or without a header of its own. */
function looksNowhere(as: 'list' | 'nothing'): Behind {
  return ({ send }) => {
    let token: WireRequest['headers'] = [];
    return async (request, signal) => {
      const isRight = isCall(request) && headerOf(request, 'authorization') !== undefined;
      if (!isLook(request)) {
        const response = await send(request, signal);
        if (isRight && isSuccess(response)) token = request.headers;
        return response;
      }
      if (as === 'nothing') return answer(200);
      const list = await send({ ...request, method: 'GET', headers: token }, signal);
      return answer(list.status, [['Content-Length', String(list.bytes)]]);
    };
  };
}

/** Answers a list in gzip as it was before the last change. */
const staleInGzip: Behind = ({ send }) => {
  let before: WireResponse | undefined;
  return async (request, signal) => {
    if (headerOf(request, 'accept-encoding') === 'gzip' && before !== undefined) return before;
    const [url = ''] = request.url.split(/(?<=assigned_users)/);
    if (isChange(request)) before = await send({ ...request, method: 'GET', url }, signal);
    return send(request, signal);
  };
};

/** Answers a change without a length with this status, and does nothing. */
function withoutLength(status: number): Behind {
  return refusing(status, () => ({ refuses: (request) => isChange(request) && request.noLength === true }));
}

/** Refuses the newest of several codes that a client has not exchanged. */
const newerCodeRefused = refusing(400, () => {
  let open: readonly string[] = [];
  return {
    refuses: (request) =>
      isExchange(request) && open.length > 1 && open.at(-1) === formOf(request).get('code'),
    sees: (request, response) => {
      const code = codeIn(response);
      if (code !== undefined) open = [...open, code];
      open = open.filter((one) => one !== formOf(request).get('code'));
    },
  };
});

/** A token has the scopes that its application asked for last. */
const newestScopeCounts = refusing(403, () => {
  let newest: string | null = '';
  const narrow = new Set<string>();
  return {
    refuses: (request) => isChange(request) && narrow.has(tokenOf(request)),
    sees: (request, response) => {
      if (isPage(request)) newest = new URL(request.url).searchParams.get('scope');
      const { access = '' } = (isExchange(request) && tokensOf(response)) || {};
      if (newest === 'read') narrow.add(access);
    },
  };
});

/** A pair from a second refresh ends with the first pair of its grant. */
const diesWithTheFirst = refusing(401, (healthy) => {
  const pairs = new Pairs(healthy);
  return {
    refuses: (request) => {
      const { generation = 0, begunAt = 0 } = pairs.byAccess.get(tokenOf(request)) ?? {};
      return isCall(request) && generation > 1 && healthy.now() - begunAt > 7_200;
    },
    sees: pairs.sees,
  };
});

/** A token ends 7200 s after its code was issued. */
const endsWithTheCode = refusing(401, ({ now }) => {
  const codes = new Map<string, number>();
  const tokens = new Map<string, number>();
  return {
    refuses: (request) => isCall(request) && now() - (tokens.get(tokenOf(request)) ?? Infinity) > 7_200,
    sees: (request, response) => {
      const code = codeIn(response);
      if (code !== undefined) codes.set(code, now());
      const at = codes.get(formOf(request).get('code') ?? '');
      const { access } = tokensOf(response) ?? {};
      if (isExchange(request) && access !== undefined && at !== undefined) tokens.set(access, at);
    },
  };
});

/** A call with a replaced token that is not yet as old as 7200 s ends the newest. */
const endsTheNewest = refusing(401, (healthy) => {
  const pairs = new Pairs(healthy);
  let [newest, isEnded] = [0, false];
  return {
    refuses: (request) => {
      if (!isCall(request)) return false;
      const { generation = 0, begunAt = 0 } = pairs.byAccess.get(tokenOf(request)) ?? {};
      isEnded ||= generation < newest && healthy.now() - begunAt < 7_200;
      newest = Math.max(newest, generation);
      return isEnded && generation === newest;
    },
    sees: (request, response) => {
      pairs.sees(request, response);
      if (isRefresh(request) && response.status === 200) newest += 1;
    },
  };
});

/** Changes leave the list for `Accept-Encoding: gzip` as it was. */
const keepsGzip: Behind = ({ send }) => {
  const kept = new Map<string, WireResponse>();
  return async (request, signal) => {
    if (headerOf(request, 'accept-encoding') !== 'gzip') return send(request, signal);
    const response = kept.get(request.url) ?? (await send(request, signal));
    kept.set(request.url, response);
    return response;
  };
};

/** After two refreshes at once, whatever comes next is refused; or one of the two is. */
function meetingRefreshes(what: 'calls' | 'one of them'): Behind {
  return ({ send }) => {
    let [inFlight, met] = [0, false];
    return async (request, signal) => {
      if (met && isCall(request) && what === 'calls') return answer(401);
      if (!isRefresh(request)) return send(request, signal);
      inFlight += 1;
      met ||= inFlight > 1;
      const late = inFlight > 1 && what === 'one of them';
      const response = await (late ? Promise.resolve(answer(409)) : send(request, signal));
      inFlight -= 1;
      return response;
    };
  };
}

/** After consent to another application, a code for the first one belongs to the other. */
const boundToTheOther = refusing(400, ({ target }) => {
  const decided: boolean[] = [];
  const { clientId } = target.application;
  return {
    refuses: (request) => isExchange(request) && clientOf(request) === clientId && decided.includes(false),
    sees: (request) => {
      if (isDecision(request)) decided.push(request.body?.includes(clientId) === true);
    },
  };
});

/** The only refresh so far ends the refresh tokens of the user's other grants of the same application. */
const otherRefreshRefused = refusing(400, () => {
  const exchanged: string[] = [];
  let refreshedBy: readonly string[] = [];
  return {
    refuses: (request) =>
      refreshedBy.join() === clientOf(request) &&
      exchanged.includes(formOf(request).get('refresh_token') ?? ''),
    sees: (request, response) => {
      const { refresh } = tokensOf(response) ?? {};
      if (isRefresh(request) && !isKept(request)) refreshedBy = [...refreshedBy, clientOf(request)];
      else if (refresh !== undefined) exchanged.push(refresh);
    },
  };
});

/** After a refused refresh, the next call with a token of another application is refused. */
const replayEndsTheOther = refusing(401, () => {
  const clients = new Map<string, string>();
  let thief: string | undefined;
  return {
    refuses: (request) => isCall(request) && thief !== undefined && clients.get(tokenOf(request)) !== thief,
    sees: (request, response) => {
      const { access } = tokensOf(response) ?? {};
      if (access !== undefined) clients.set(access, clientOf(request));
      if (isRefresh(request) && isRefused(response)) thief = clientOf(request);
    },
  };
});

/** Pages that were opened since the last decision. */
const codeOfALeftPageRefused = refusing(400, () => {
  let opened = 0;
  let left = false;
  return {
    refuses: (request) => isExchange(request) && left,
    sees: (request, response) => {
      if (isPage(request) && response.status === 200) opened += 1;
      left ||= opened > 1;
      if (isDecision(request)) opened = 0;
    },
  };
});

const isRefused = ({ status }: WireResponse) => status >= 400;
const isDenied = (response: WireResponse) =>
  headerOf(response, 'location')?.includes('access_denied') === true;

/** Drops the fourth user of a project. */
function holdsThree({ send }: Healthy): Transport {
  const held = new Map<string, Set<string>>();
  return (request, signal) => {
    const [, project = '', user = ''] = /\/projects\/(.*)\/assigned_users\/(.*)$/.exec(request.url) ?? [];
    const users = held.get(project) ?? new Set();
    held.set(project, users);
    if (request.method === 'DELETE') users.delete(user);
    if (request.method !== 'PUT') return send(request, signal);
    if (users.size >= 3 && !users.has(user)) return Promise.resolve(answer(200));
    users.add(user);
    return send(request, signal);
  };
}

const FAULTS: readonly (readonly [context: string, behind: Behind])[] = [
  ['beside a second grant of the same user', olderTokenRefused((older, newer) => older === newer)],
  ['beside a second grant of the same user', otherRefreshRefused],
  ['beside the access token that was replaced', endsTheNewest],
  ['with the newer of two codes', newerCodeRefused],
  ['with the older of two codes', newestScopeCounts],
  ['beside a grant of the other application', olderTokenRefused((older, newer) => older !== newer)],
  [
    'after refused requests',
    refusedAfter((request, response) => isChange(request) && isRefused(response), 403, isChange),
  ],
  [
    'on the connection of a refused request',
    refusedAfter((request, response) => isKept(request) && isRefused(response), 400, isKept),
  ],
  ['after HEAD', refusedAfter(isLook, 405, isChange)],
  ['after HEAD', looksNowhere('list')],
  ['after a request that was cut off', answersTheCut],
  ['after a request that was cut off', keepsTheLock],
  ['with changes that have no length', withoutLength(204)],
  ['with changes that have no length', withoutLength(400)],
  ['with a list that changes between two conditional requests', tagged(true)],
  ['with a list that changes between two conditional requests', dated(true)],
  ['with a list that changes between two conditional requests', emptyAfterUnchanged],
  ['with a compressed list', staleInGzip],
  ['with a compressed list', keepsGzip],
  ['with a code that waited', endsWithTheCode],
  ['with a second refresh, past the end of the first token', diesWithTheFirst],
  ['after a denial', refusedAfter((_, response) => isDenied(response), 400, isExchange)],
  ['after leaving the consent page', codeOfALeftPageRefused],
  ['with every user in a project', holdsThree],
  ['in another browser', refusedAfter(isSignIn, 400, isExchange)],
  ['after consent to the other application', boundToTheOther],
  [
    'beside the replay of the code of another grant',
    refusedAfter(
      (request, response) => isExchange(request) && !isKept(request) && isRefused(response),
      401,
      isCall,
    ),
  ],
  ['beside the replay of a refresh token of another grant', replayEndsTheOther],
  ['with two refreshes of one token at once', meetingRefreshes('calls')],
  ...['read', 'write', 'destroy', 'read write', 'read destroy', 'write destroy'].map(
    (scope) => [`for the scope ${scope}`, widensAtRefresh(scope)] as const,
  ),
  ...IN_PLACE.slice(1).map(([time, at]) => [time, at(USUAL)] as const),
  ['after the expiry', anHourAfterALateRefresh(USUAL)],
  ...[
    ...[2, 3, 4, 5].map((address) => `at address ${address}`),
    ...[1, 2].map((address) => `for the second application at address ${address}`),
    ...[1, 2].map((address) => `for an application from the account area at address ${address}`),
  ].flatMap((place) =>
    IN_PLACE.map(([time, at]) => [time === '' ? place : `${place}, ${time}`, at(place)] as const),
  ),
];

/** Closes a connection with each refusal, and does not say so. */
const closesAfterRefusals: Behind = ({ send }) => {
  let isClosed = false;
  return async (request, signal) => {
    if (isClosed && isKept(request)) {
      isClosed = false;
      throw new TransportFailure('not-sent', 'not sent: the kept connection was closed');
    }
    const response = await send(request, signal);
    isClosed = isKept(request) && isRefused(response);
    return response;
  };
};

const HEALTHY: readonly (readonly [what: string, behind: Behind])[] = [
  ['answers as it is', ({ send }) => send],
  ['has tags', tagged(false)],
  ['has dates', dated(false)],
  ['wants a length', withoutLength(411)],
  ['closes the connection of a refused request', closesAfterRefusals],
  ['answers every HEAD alike', looksNowhere('nothing')],
  ['refuses one of two refreshes at once', meetingRefreshes('one of them')],
];

/** A list of nobody shows nothing: each context assigns the users that it needs. */
const NOBODY_ASSIGNED = roomySeed.projects.map((project) => ({ ...project, assignedUsers: [] }));

/**
 * Plays every context of the table behind a fault, with its misuses or without.
 * @returns the contexts with a finding, the requirements that fail, and the names of all contexts
 */
async function contextsBehind(behind: Behind, misused: 'misused' | undefined = undefined) {
  const target = await emulatorTarget({
    profile: 'by-the-rfc',
    defects: [],
    sockets: false,
    roomy: true,
    start: { seed: { ...roomySeed, projects: NOBODY_ASSIGNED } },
  });
  const now = () => target.clock?.now?.() ?? 0;
  let present = target.transport;
  const transport: Transport = (request, signal) => present(request, signal);
  const { watched, session, close } = await openToExplore({ ...target, transport });
  const { monitor } = watched;
  const found: string[] = [];
  const ids = new Set<string>();
  try {
    const early = session.requestStyle.refreshBeforeExpiry;
    const rows = contextsOf(session.target, { early, refusals: true });
    for (const { name, steps, misuses } of rows) {
      const before = monitor.findings.length;
      present = behind({ send: target.transport, now, target });
      const performer = new StepPerformer(watched, session);
      for (const step of misused ? [...steps, ...misuses] : steps) await performer.perform(step, name);
      monitor.end();
      present = target.transport;
      await session.target.restoreAssignments?.();
      const findings = monitor.findings.slice(before).filter(({ uncertain }) => !uncertain);
      if (findings.length > 0) found.push(name);
      for (const { id } of findings) ids.add(id);
    }
    return { found, ids: [...ids], names: rows.map(({ name }) => name) };
  } finally {
    await close();
  }
}

for (const [index, [context, behind]] of FAULTS.entries()) {
  test(`${index + 1}: a fault is found ${context}, and in no other context`, async () => {
    const { found } = await contextsBehind(behind);
    // The other browser signs in at that address, because it has a query.
    expect(found).toEqual(context === 'at address 2' ? [context, 'in another browser'] : [context]);
  });
}

test('every context has such a fault', async () => {
  const { names } = await contextsBehind(({ send }) => send);
  expect(new Set(FAULTS.map(([context]) => context))).toEqual(new Set(names));
});

for (const [what, behind] of HEALTHY) {
  test(`a service that ${what} is quiet in every context`, async () => {
    expect((await contextsBehind(behind, 'misused')).found).toEqual([]);
  });
}

/** Takes any secret of the second application. */
function takesAnySecret({ send, target: { secondApplication } }: Healthy): Transport {
  return (request, signal) => {
    if (!isExchange(request) || clientOf(request) !== secondApplication?.clientId)
      return send(request, signal);
    const form = formOf(request);
    form.set('client_secret', secondApplication.clientSecret);
    return send({ ...request, body: form.toString() }, signal);
  };
}

test('a misuse finds a secret that is not checked, in the contexts of its application', async () => {
  const { found, ids } = await contextsBehind(takesAnySecret, 'misused');
  expect(ids).toEqual(['exchange.client-secret-checked', 'exchange.client-secret-of-other-application']);
  expect(found.filter((name) => !name.startsWith('for the second application'))).toEqual([]);
});
