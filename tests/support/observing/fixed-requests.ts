import { exchangeParameters, type Parameters, refreshParameters } from '../../../src/flow/requests.ts';
import { SCOPE_SETS } from '../../../src/profiles/scope-sets.ts';
import { ALL_SCOPES } from '../../../src/targets/target.ts';
import type { Side } from './side.ts';

/** A request that two services get alike, and what came of it, in one line. */
export interface FixedRequest {
  readonly name: string;
  readonly send: (side: Side) => Promise<string>;
}

const request = (name: string, send: FixedRequest['send']): FixedRequest => ({ name, send });

/** Parameters with one left out, or set to something else. */
function but(parameters: Parameters, name: string, value?: string): Parameters {
  if (value === undefined) return parameters.filter(([each]) => each !== name);
  return parameters.map(([each, before]) => [each, each === name ? value : before]);
}

const NOBODYS = 'nobody-has-ever-issued-this';
const BASIC = (side: Side) =>
  `Basic ${Buffer.from(`${side.target.application.clientId}:${side.target.application.clientSecret}`).toString('base64')}`;

const CODE_PARAMETERS = ['client_id', 'client_secret', 'code', 'grant_type', 'redirect_uri'];
const REFRESH_PARAMETERS = ['client_id', 'client_secret', 'refresh_token', 'grant_type'];

async function exchange(
  side: Side,
  change: (parameters: Parameters) => Parameters = (p) => p,
): Promise<string> {
  return side.posted(change(exchangeParameters(side.target.application, await side.context.code())));
}

async function refresh(
  side: Side,
  change: (parameters: Parameters) => Parameters = (p) => p,
): Promise<string> {
  const { refreshToken } = await side.context.pair();
  return side.posted(change(refreshParameters(side.target.application, refreshToken)));
}

const exchanges: readonly FixedRequest[] = [
  request('exchange', (side) => exchange(side)),
  ...CODE_PARAMETERS.flatMap((name) => [
    request(`exchange without ${name}`, (side) => exchange(side, (p) => but(p, name))),
    request(`exchange with ${name} empty`, (side) => exchange(side, (p) => but(p, name, ''))),
    request(`exchange with another ${name}`, (side) => exchange(side, (p) => but(p, name, NOBODYS))),
    request(`exchange with ${name} first`, (side) =>
      exchange(side, (p) => [...p.filter(([n]) => n === name), ...but(p, name)]),
    ),
  ]),
  ...['client_secret', 'code'].flatMap((name) => [
    request(`exchange with ${name} cut`, (side) =>
      exchange(side, (p) => p.map(([n, v]) => [n, n === name ? v.slice(0, -1) : v])),
    ),
    request(`exchange with ${name} lengthened`, (side) =>
      exchange(side, (p) => p.map(([n, v]) => [n, n === name ? `${v}A` : v])),
    ),
  ]),
  ...CODE_PARAMETERS.map((name) =>
    request(`exchange with ${name} twice`, (side) =>
      exchange(side, (p) => p.flatMap((each) => (each[0] === name ? [each, each] : [each]))),
    ),
  ),
  request('exchange with an unknown parameter', (side) => exchange(side, (p) => [...p, ['unknown', 'yes']])),
  request('exchange with a scope', (side) => exchange(side, (p) => [...p, ['scope', 'read']])),
  request('exchange with a state', (side) => exchange(side, (p) => [...p, ['state', 'x']])),
  request('exchange of a used code', async (side) => {
    const parameters = exchangeParameters(side.target.application, await side.context.code());
    return `${await side.posted(parameters)} ${await side.posted(parameters)}`;
  }),
  request('exchange after a failed one', async (side) => {
    const parameters = exchangeParameters(side.target.application, await side.context.code());
    return `${await side.posted(but(parameters, 'redirect_uri', NOBODYS))} ${await side.posted(parameters)}`;
  }),
  request('exchange by the other application', async (side) => {
    const { clientId, clientSecret } = side.other;
    return exchange(side, (p) => but(but(p, 'client_id', clientId), 'client_secret', clientSecret));
  }),
  request('exchange with the secret of the other application', (side) =>
    exchange(side, (p) => but(p, 'client_secret', side.other.clientSecret)),
  ),
  request('exchange with the other redirect_uri', (side) =>
    exchange(side, (p) => but(p, 'redirect_uri', side.target.application.redirectUris[1])),
  ),
  request('exchange with HTTP Basic', async (side) => {
    const parameters = exchangeParameters(side.target.application, await side.context.code());
    return side.posted(but(but(parameters, 'client_id'), 'client_secret'), {
      headers: [
        ['Content-Type', 'application/x-www-form-urlencoded'],
        ['Authorization', BASIC(side)],
      ],
    });
  }),
  request('exchange with HTTP Basic and the form', async (side) =>
    side.posted(exchangeParameters(side.target.application, await side.context.code()), {
      headers: [
        ['Content-Type', 'application/x-www-form-urlencoded'],
        ['Authorization', BASIC(side)],
      ],
    }),
  ),
  ...['application/json', 'text/plain', 'multipart/form-data; boundary=x', 'application/xml'].map((type) =>
    request(`exchange as ${type}`, async (side) =>
      side.posted(exchangeParameters(side.target.application, await side.context.code()), {
        headers: [['Content-Type', type]],
      }),
    ),
  ),
  request('exchange with a charset', async (side) =>
    side.posted(exchangeParameters(side.target.application, await side.context.code()), {
      headers: [['Content-Type', 'application/x-www-form-urlencoded; charset=UTF-8']],
    }),
  ),
  ...['GET', 'OPTIONS', 'PATCH', 'DELETE', 'HEAD'].map((method) =>
    request(`${method} at the token endpoint`, async (side) =>
      side.sent({ method, url: `${side.target.authUrl}/oauth/token`, headers: [] }),
    ),
  ),
];

const refreshes: readonly FixedRequest[] = [
  request('refresh', (side) => refresh(side)),
  ...REFRESH_PARAMETERS.flatMap((name) => [
    request(`refresh without ${name}`, (side) => refresh(side, (p) => but(p, name))),
    request(`refresh with ${name} empty`, (side) => refresh(side, (p) => but(p, name, ''))),
    request(`refresh with another ${name}`, (side) => refresh(side, (p) => but(p, name, NOBODYS))),
    request(`refresh with ${name} twice`, (side) =>
      refresh(side, (p) => p.flatMap((each) => (each[0] === name ? [each, each] : [each]))),
    ),
  ]),
  request('refresh with an unknown parameter', (side) => refresh(side, (p) => [...p, ['unknown', 'yes']])),
  request('refresh with a redirect_uri', (side) =>
    refresh(side, (p) => [...p, ['redirect_uri', 'https://x.test/']]),
  ),
  request('refresh with the same scope', (side) => refresh(side, (p) => [...p, ['scope', ALL_SCOPES]])),
  request('refresh with a narrower scope', (side) => refresh(side, (p) => [...p, ['scope', 'read']])),
  request('refresh with a wider scope', async (side) => {
    const { refreshToken } = await side.context.pair({ scope: 'read' });
    return side.posted([...refreshParameters(side.target.application, refreshToken), ['scope', ALL_SCOPES]]);
  }),
  request('refresh with an access token', async (side) =>
    side.posted(refreshParameters(side.target.application, (await side.context.pair()).accessToken)),
  ),
  request('refresh with a code', async (side) =>
    side.posted(refreshParameters(side.target.application, await side.context.code())),
  ),
  request('refresh by the other application', async (side) =>
    side.posted(refreshParameters(side.other, (await side.context.pair()).refreshToken)),
  ),
  request('refresh twice, and what the tokens do then', async (side) => {
    const old = await side.context.pair();
    const parameters = refreshParameters(side.target.application, old.refreshToken);
    const next = await side.context.refreshed(old);
    const list = (token: string) => side.asked('GET', side.path(0), token);
    const before = `${await list(old.accessToken)} ${await list(next.accessToken)} ${await list(old.accessToken)}`;
    return `${before} ${await side.posted(parameters)} ${await list(next.accessToken)}`;
  }),
];

const OPERATIONS = [
  ['GET', undefined],
  ['PUT', 0],
  ['DELETE', 0],
] as const;

const operations: readonly FixedRequest[] = [
  ...SCOPE_SETS.flatMap((scope) =>
    [...OPERATIONS, ['DELETE', 1] as const, ['PUT', 0] as const].map(([method, user], index) =>
      request(`${method} with ${scope} (${index})`, async (side) =>
        side.asked(method, side.path(0, user), (await side.pair(scope)).accessToken),
      ),
    ),
  ),
  ...OPERATIONS.flatMap(([method, user]) => [
    request(`${method} without a token`, (side) => side.asked(method, side.path(0, user))),
    request(`${method} with a token nobody has`, (side) => side.asked(method, side.path(0, user), NOBODYS)),
    request(`${method} with a refresh token`, async (side) =>
      side.asked(method, side.path(0, user), (await side.pair(ALL_SCOPES)).refreshToken),
    ),
    request(`${method} in the second project`, async (side) =>
      side.asked(method, side.path(1, user), (await side.pair(ALL_SCOPES)).accessToken),
    ),
    request(`${method} in a project nobody has`, async (side) =>
      side.asked(method, side.path('no-such-project', user), (await side.pair(ALL_SCOPES)).accessToken),
    ),
    request(`${method} in a project nobody has, without a token`, (side) =>
      side.asked(method, side.path('no-such-project', user)),
    ),
    request(`${method} in a project nobody has, with too few scopes`, async (side) => {
      const scope = method === 'GET' ? 'write' : 'read';
      return side.asked(method, side.path('no-such-project', user), (await side.pair(scope)).accessToken);
    }),
    request(`${method} with a body`, async (side) =>
      method === 'GET'
        ? side.asked('GET', `${side.path(0)}?unknown=yes`, (await side.pair(ALL_SCOPES)).accessToken)
        : side.asked(method, side.path(0, 2), (await side.pair(ALL_SCOPES)).accessToken, '{"a":1}'),
    ),
  ]),
  ...['PUT', 'DELETE'].flatMap((method) => [
    request(`${method} of a user nobody knows`, async (side) =>
      side.asked(method, side.path(0, 'no-such-user'), (await side.pair(ALL_SCOPES)).accessToken),
    ),
    request(`${method} of a user nobody knows, with too few scopes`, async (side) =>
      side.asked(method, side.path(0, 'no-such-user'), (await side.pair('read')).accessToken),
    ),
    request(`${method} of a user nobody knows in a project nobody has`, async (side) =>
      side.asked(
        method,
        side.path('no-such-project', 'no-such-user'),
        (await side.pair(ALL_SCOPES)).accessToken,
      ),
    ),
    request(`${method} twice`, async (side) => {
      const token = (await side.pair(ALL_SCOPES)).accessToken;
      await side.asked(method, side.path(0, 1), token);
      return side.asked(method, side.path(0, 1), token);
    }),
  ]),
  ...['HEAD', 'OPTIONS', 'POST', 'PATCH', 'PUT', 'DELETE'].map((method) =>
    request(`${method} at the list`, (side) => side.asked(method, side.path(0))),
  ),
  ...['GET', 'OPTIONS', 'POST', 'PATCH'].map((method) =>
    request(`${method} at a user`, (side) => side.asked(method, side.path(0, 0))),
  ),
  ...['/v2', '/v2/', '/v2/projects', '/v2/projects/1', '/v2/users', '/v2/nothing', '/v1/projects'].map(
    (path) =>
      request(`GET ${path}`, async (side) =>
        side.asked('GET', path, (await side.pair(ALL_SCOPES)).accessToken),
      ),
  ),
  request('GET of the list with a slash at its end', async (side) =>
    side.asked('GET', `${side.path(0)}/`, (await side.pair(ALL_SCOPES)).accessToken),
  ),
  request('GET of the list without the prefix', async (side) =>
    side.asked('GET', side.path(0).replace('/v2', ''), (await side.pair(ALL_SCOPES)).accessToken),
  ),
  ...['HEAD', 'OPTIONS', 'POST', 'PATCH'].map((method) =>
    request(`${method} at the list with a token`, async (side) =>
      side.asked(method, side.path(0), (await side.pair(ALL_SCOPES)).accessToken),
    ),
  ),
  ...['page=1&per_page=1', 'page=2', 'limit=1', 'offset=1', 'q=x'].map((query) =>
    request(`GET with ${query}`, async (side) =>
      side.asked('GET', `${side.path(0)}?${query}`, (await side.pair(ALL_SCOPES)).accessToken),
    ),
  ),
  request('GET with the token in the query', async (side) =>
    side.asked('GET', `${side.path(0)}?access_token=${(await side.pair(ALL_SCOPES)).accessToken}`),
  ),
  request('GET with the scheme in lower case', async (side) =>
    side.sent({
      method: 'GET',
      url: `${side.target.baseUrl}${side.path(0)}`,
      headers: [['Authorization', `bearer ${(await side.pair(ALL_SCOPES)).accessToken}`]],
    }),
  ),
];

const AUTHORIZE_PARAMETERS = ['client_id', 'redirect_uri', 'response_type', 'scope'];

const authorizations: readonly FixedRequest[] = [
  request('authorize', (side) => side.authorized(side.context.authorization())),
  ...AUTHORIZE_PARAMETERS.flatMap((name) => [
    request(`authorize without ${name}`, (side) => side.authorized(but(side.context.authorization(), name))),
    request(`authorize with ${name} empty`, (side) =>
      side.authorized(but(side.context.authorization(), name, '')),
    ),
    request(`authorize with another ${name}`, (side) =>
      side.authorized(
        but(side.context.authorization(), name, name === 'redirect_uri' ? 'https://x.invalid/' : NOBODYS),
      ),
    ),
  ]),
  ...SCOPE_SETS.map((scope) =>
    request(`authorize ${scope}`, (side) => side.authorized(side.context.authorization({}, { scope }))),
  ),
  request('authorize scopes in another order', (side) =>
    side.authorized(side.context.authorization({}, { scope: 'destroy read' })),
  ),
  request('authorize with a state', (side) =>
    side.authorized([...side.context.authorization(), ['state', 'a b&c=d']]),
  ),
  request('authorize with a state twice', (side) =>
    side.authorized([...side.context.authorization(), ['state', 'a'], ['state', 'b']]),
  ),
  request('authorize with an unknown parameter', (side) =>
    side.authorized([...side.context.authorization(), ['unknown', 'yes']]),
  ),
  request('authorize the second address', (side) =>
    side.authorized(
      side.context.authorization({}, { redirectUri: side.target.application.redirectUris[1] ?? '' }),
    ),
  ),
  request('authorize the other application', (side) =>
    side.authorized(side.context.authorization({}, { application: side.other })),
  ),
  request('authorize an address of the other application', (side) =>
    side.authorized(but(side.context.authorization(), 'redirect_uri', side.other.redirectUris[0])),
  ),
  ...['OPTIONS', 'PATCH', 'DELETE'].map((method) =>
    request(`${method} at the authorization address`, (side) =>
      side.sent({ method, url: `${side.target.authUrl}/oauth/authorize`, headers: [] }),
    ),
  ),
];

/** Requests that two services are compared by, in the order in which both get them. */
export const FIXED_REQUESTS: readonly FixedRequest[] = [
  ...operations,
  ...exchanges,
  ...refreshes,
  ...authorizations,
];
