import { jsonOf, type Transport, type WireResponse } from '../../src/http/exchange.ts';

/**
 * Wrong answers of services and of intermediaries, for rules that no defect of the catalogue breaks alone: each changes some
 * answers in transit.
 */
export const WRITTEN_WRONG: Readonly<Record<string, (inner: Transport) => Transport>> = {
  'a redirect with two codes': redirects((location) => `${location}&code=of-another-time`),
  'a redirect with an error beside its code': redirects((location) => `${location}&error=access_denied`),
  'a token response that says refresh_token twice': tokens(
    ({ body }) => `{"refresh_token":"another","x":{"y":[1]},${body.slice(1)}`,
  ),
  'a token response that says token_type twice, escaped': tokens(
    ({ body }) => `${body.slice(0, -1)},"token_type":"bearer","token_typ\\u0065":"mac"}`,
  ),
  'one token for both': tokens((response) => {
    const json = jsonOf(response) as { access_token: string };
    return JSON.stringify({ ...json, refresh_token: json.access_token });
  }),
  'an access token that no header can carry': tokens((response) => {
    const json = jsonOf(response) as { access_token: string };
    return JSON.stringify({ ...json, access_token: `${json.access_token}\u2028` });
  }),
  'lists that are said to be as they were': (inner) => async (request) => {
    const tag = request.headers.find(([name]) => name === 'If-None-Match');
    if (tag !== undefined) return { status: 304, headers: [], body: '', bytes: 0 };
    const response = await inner(request);
    return { ...response, headers: [...response.headers, ['ETag', '"always"']] };
  },
  'a refresh that fails and is done all the same': (inner) => {
    let refreshes = 0;
    return async (request) => {
      const response = await inner(request);
      if (!request.body?.includes('grant_type=refresh_token') || response.status !== 200) return response;
      refreshes += 1;
      return refreshes % 9 === 0 ? { status: 500, headers: [], body: '', bytes: 0 } : response;
    };
  },
  'every list looked at with HEAD empty for who reads next': (inner) => {
    const looked = new Set<string>();
    return async (request) => {
      if (request.method === 'HEAD') looked.add(request.url);
      const response = await inner(request);
      const poisoned = request.method === 'GET' && looked.delete(request.url) && response.status === 200;
      return poisoned ? { ...response, body: '[]' } : response;
    };
  },
  'changes that are not answered and not done': (inner) => {
    let changes = 0;
    return async (request) => {
      if (request.method === 'PUT') changes += 1;
      return request.method === 'PUT' && changes % 7 === 0
        ? { status: 502, headers: [], body: '', bytes: 0 }
        : inner(request);
    };
  },
};

function redirects(change: (location: string) => string): (inner: Transport) => Transport {
  let granted = 0;
  return (inner) => async (request) => {
    const response = await inner(request);
    const headers = response.headers.map(([name, value]): readonly [string, string] => {
      if (name.toLowerCase() !== 'location' || !value.includes('code=')) return [name, value];
      granted += 1;
      return [name, granted % 11 === 0 ? change(value) : value];
    });
    return { ...response, headers };
  };
}

function tokens(change: (response: WireResponse) => string): (inner: Transport) => Transport {
  let given = 0;
  return (inner) => async (request) => {
    const response = await inner(request);
    if (!request.url.endsWith('/oauth/token') || response.status !== 200) return response;
    given += 1;
    return given % 11 === 0 ? { ...response, body: change(response) } : response;
  };
}
