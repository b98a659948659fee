import { empty, html, json, type Reply, tokenError, tokens } from './replies.ts';

/** Answers of the token endpoint that bring no usable pair. */
export const tokenFaults = {
  '400-json': tokenError(400, 'invalid_request'),
  '400-html': html(400),
  '400-empty': empty(400),
  '401-json': tokenError(401, 'invalid_client'),
  '429-json': json(429, { message: 'slow down' }, { 'Retry-After': '30' }),
  '500-html': html(500),
  '503-empty': empty(503, { 'Retry-After': '30' }),
  '302-elsewhere': empty(302, { Location: 'https://elsewhere.legacy.test/oauth/token' }),
  '307-elsewhere': empty(307, { Location: 'https://elsewhere.legacy.test/oauth/token' }),
  '200-error-body': json(200, { error: 'invalid_request' }),
  '200-html': html(200),
  '200-empty': empty(200),
  '200-null': json(200, null),
  '200-array': json(200, []),
  '200-truncated-json': {
    status: 200,
    headers: { 'Content-Type': 'application/json' },
    body: '{"access_token":"acc',
  },
  'no-access-token': tokens(2, { access_token: undefined }),
  'empty-access-token': tokens(2, { access_token: '' }),
  'null-word-tokens': tokens(2, { access_token: 'null', refresh_token: 'null' }),
  'access-token-number': tokens(2, { access_token: 42 }),
  'access-token-with-line-break': tokens(2, { access_token: 'access\r\nX-Injected: 1' }),
  'refresh-token-object': tokens(2, { refresh_token: { value: 'refresh' } }),
  'no-refresh-token': tokens(2, { refresh_token: undefined }),
  'token-type-mac': tokens(2, { token_type: 'mac' }),
  'expires-in-negative': tokens(2, { expires_in: -7200 }),
  'expires-in-words': tokens(2, { expires_in: 'two hours' }),
} as const satisfies Readonly<Record<string, Reply>>;

export type TokenFault = keyof typeof tokenFaults;
export const tokenFaultNames = Object.keys(tokenFaults) as readonly TokenFault[];
