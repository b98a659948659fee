import {
  ClientError,
  ServiceFailed,
  TokenRefused,
  TooManyRequests,
  UnexpectedAnswer,
} from '../../../examples/reference-client/client/index.ts';
import {
  CODE,
  empty,
  html,
  json,
  tokenError,
  tokens,
  tokensOf,
} from '../../support/scripted-client/replies.ts';
import { errorOf, expect, LEEWAY_SECONDS, test } from './fixtures.ts';

const elsewhere = { Location: 'https://elsewhere.legacy.test/?code=secret' };
const LIFETIME = 'expected expires_in to be a whole number';

/** Answers of the token endpoint that bring no usable pair, the error of an exchange, and a part of it. */
const USELESS = [
  [
    'a refusal',
    tokenError(400, 'invalid_grant', 'It is used.'),
    TokenRefused,
    { error: 'invalid_grant', description: 'It is used.' },
  ],
  [
    'a 401',
    tokenError(401, 'invalid_client'),
    TokenRefused,
    { error: 'invalid_client', status: 401, clause: '4.2' },
  ],
  ['a 400 with HTML', html(400), TokenRefused, { error: undefined }],
  ['a 404 without a body', empty(404), TokenRefused, { status: 404, description: undefined }],
  [
    'an error in a success',
    json(200, { error: 'invalid_grant' }),
    TokenRefused,
    { status: 200, error: 'invalid_grant' },
  ],
  ['a 429', json(429, { message: 'slow down' }, { 'Retry-After': '30' }), TooManyRequests, {}],
  ['a 500', html(500), ServiceFailed, { status: 500 }],
  ['a 503', empty(503, { 'Retry-After': '30' }), ServiceFailed, { status: 503 }],
  ['a redirect', empty(302, elsewhere), UnexpectedAnswer, 'status 302 with an empty body'],
  ['a redirect that keeps the body', empty(307, elsewhere), UnexpectedAnswer, 'status 307'],
  ['HTML', html(200), UnexpectedAnswer, 'status 200 with no JSON (text/html)'],
  ['nothing', empty(200), UnexpectedAnswer, 'an empty body'],
  ['null', json(200, null), UnexpectedAnswer, ''],
  ['an array', json(200, []), UnexpectedAnswer, ''],
  ['JSON that is cut off', { ...json(200, {}), body: '{"access_token":"acc' }, UnexpectedAnswer, ''],
  ['no access token', tokens(2, { access_token: undefined }), UnexpectedAnswer, 'access_token'],
  ['an empty access token', tokens(2, { access_token: '' }), UnexpectedAnswer, 'access_token'],
  [
    'the word null as tokens',
    tokens(2, { access_token: 'null', refresh_token: 'null' }),
    UnexpectedAnswer,
    'got another text',
  ],
  ['a number as access token', tokens(2, { access_token: 42 }), UnexpectedAnswer, 'access_token'],
  [
    'a token with a line break',
    tokens(2, { access_token: 'a\r\nX-Injected: 1' }),
    UnexpectedAnswer,
    'access_token to be a token',
  ],
  [
    'a token that fits no header',
    tokens(2, { access_token: 'a b' }),
    UnexpectedAnswer,
    'access_token to be a token',
  ],
  [
    'an object as refresh token',
    tokens(2, { refresh_token: { value: 'r' } }),
    UnexpectedAnswer,
    'refresh_token',
  ],
  ['no refresh token', tokens(2, { refresh_token: undefined }), UnexpectedAnswer, 'refresh_token'],
  ['another token_type', tokens(2, { token_type: 'mac' }), UnexpectedAnswer, 'token_type to be bearer'],
  ['no token_type', tokens(2, { token_type: undefined }), UnexpectedAnswer, 'token_type to be bearer'],
  ['expires_in as a text', tokens(2, { expires_in: '7200' }), UnexpectedAnswer, LIFETIME],
  ['expires_in of zero', tokens(2, { expires_in: 0 }), UnexpectedAnswer, LIFETIME],
  ['a fraction as expires_in', tokens(2, { expires_in: 7200.5 }), UnexpectedAnswer, LIFETIME],
  ['expires_in below zero', tokens(2, { expires_in: -7200 }), UnexpectedAnswer, LIFETIME],
  ['no expires_in', tokens(2, { expires_in: undefined }), UnexpectedAnswer, LIFETIME],
] as const;

for (const [what, reply, type, shown] of USELESS) {
  test(`${what} at an exchange: ${type.name}, nothing is stored, and the code is not sent again`, async ({
    make,
    service,
    store,
  }) => {
    const client = make({ store });
    service.token(reply);
    const thrown = await errorOf(client.exchange(CODE));
    expect(thrown).toBeInstanceOf(type);
    expect(thrown).toMatchObject({ operation: 'exchange', ...(typeof shown === 'object' && shown) });
    if (typeof shown === 'string') expect(String(thrown)).toContain(shown);
    expect(await store.read()).toBeUndefined();
    expect(await errorOf(client.exchange(CODE))).toMatchObject({ name: 'CodeAlreadySent' });
  });

  const isLost = type === UnexpectedAnswer && reply.status < 300;
  test(`${what} at a refresh: the call fails, sends nothing more, and the stored pair stands`, async ({
    connected,
    clock,
    service,
    store,
  }) => {
    clock.advanceSeconds(7_200);
    service.token(reply);
    const thrown = await errorOf(connected.list('project-1'));
    expect(thrown).toBeInstanceOf(ClientError);
    expect(thrown).toMatchObject(
      isLost ? { name: 'RefreshLost', cause: { name: type.name } } : { name: type.name },
    );
    expect(service.operations).toHaveLength(0);
    expect(await store.read()).toMatchObject(tokensOf(1));
    if (isLost) expect(await errorOf(connected.refresh())).toMatchObject({ name: 'RefreshLost' });
  });
}

test('fields that the clause does not list, and the case of token_type, do no harm', async ({
  make,
  service,
  store,
}) => {
  const client = make({ store });
  service.token(tokens(1, { token_type: 'Bearer', scope: 'read', created_at: 1_772_443_800, error: null }));
  await client.exchange(CODE);
  expect(await client.accessToken()).toBe(tokensOf(1).accessToken);
});

for (const lifetime of [7_200, 600]) {
  test(`a token that lives for ${lifetime} s is refreshed ${LEEWAY_SECONDS} s before, after a restart too`, async ({
    make,
    service,
    store,
    clock,
  }) => {
    const options = { store, expiryLeewaySeconds: LEEWAY_SECONDS };
    service.token(...[1, 2, 3].map((n) => tokens(n, { expires_in: lifetime })));
    await make(options).exchange(CODE);
    const restarted = make(options);
    for (const n of [1, 2]) {
      clock.advanceSeconds(lifetime - LEEWAY_SECONDS - 1);
      expect(await restarted.accessToken()).toBe(tokensOf(n).accessToken);
      clock.advanceSeconds(1);
      expect(await restarted.accessToken()).toBe(tokensOf(n + 1).accessToken);
    }
  });
}
