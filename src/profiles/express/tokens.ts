import type { AspectId, SeenAnswers } from '../aspects.ts';
import type { ProfileAnswers } from '../profile.ts';

/** Tells the emulator open points 8 to 15. */
export function expressTokens(answers: ProfileAnswers, seen: SeenAnswers): void {
  const choose = <T extends string>(aspect: AspectId, yes: T, no: T): T | undefined => {
    const answer = seen.get(aspect);
    return typeof answer === 'boolean' ? (answer ? yes : no) : undefined;
  };
  const client = answers['client-authentication'];
  client.basic = choose('client-authentication.basic', 'accepted', 'ignored') ?? client.basic;
  const encoding = seen.get('client-authentication.basic-encoding');
  if (encoding === 'raw' || encoding === 'form') client.basicEncoding = encoding;
  client.basicAndForm =
    choose('client-authentication.basic-and-form', 'accepted', 'refused') ?? client.basicAndForm;
  client.queryString =
    choose('client-authentication.query-string', 'accepted', 'ignored') ?? client.queryString;
  client.jsonBody = choose('client-authentication.json-body', 'accepted', 'refused') ?? client.jsonBody;
  client.multipartBody =
    choose('client-authentication.multipart', 'accepted', 'refused') ?? client.multipartBody;

  const fate = answers['refresh-fate'];
  const one = <T extends string>(aspect: AspectId, known: readonly T[]): T | undefined =>
    known.find((value) => value === seen.get(aspect));
  const fates = ['at-once', 'on-first-use-of-the-new', 'never'] as const;
  fate.oldAccessToken = one('refresh-fate.old-access-token', fates) ?? fate.oldAccessToken;
  fate.oldRefreshToken = one('refresh-fate.old-refresh-token', fates) ?? fate.oldRefreshToken;
  fate.reuse = one('refresh-fate.reuse', ['refused', 'revokes-the-grant']) ?? fate.reuse;
  fate.beforeExpiry = choose('refresh-fate.before-expiry', 'allowed', 'refused') ?? fate.beforeExpiry;

  const { code, 'refresh-token': refreshToken } = {
    code: seen.get('lifetimes.code'),
    'refresh-token': seen.get('lifetimes.refresh-token'),
  };
  if (typeof code === 'number') answers.lifetimes.code = code;
  if (typeof refreshToken === 'number' || refreshToken === 'unlimited')
    answers.lifetimes.refreshToken = refreshToken;

  const failed = answers['failed-exchange'];
  const truth = (aspect: AspectId, before: boolean) => {
    const answer = seen.get(aspect);
    return typeof answer === 'boolean' ? answer : before;
  };
  failed.burnsCode = truth('failed-exchange.burns-code', failed.burnsCode);
  failed.replayRevokes = truth('failed-exchange.replay-revokes', failed.replayRevokes);

  const scopes = answers['scope-requests'];
  // Where nobody can see what came of it, it can only be told that it was not refused.
  const accepted = (what: 'narrower' | 'wider') =>
    seen.get(`token-failures.refresh.${what}-scope`) === 'accepted' ? ('ignored' as const) : undefined;
  scopes.narrowerOnRefresh =
    one('scope-requests.narrower-on-refresh', ['granted', 'ignored', 'refused']) ??
    accepted('narrower') ??
    scopes.narrowerOnRefresh;
  scopes.widerOnRefresh =
    one('scope-requests.wider-on-refresh', ['ignored', 'refused']) ??
    accepted('wider') ??
    scopes.widerOnRefresh;
  scopes.onExchange = one('scope-requests.on-exchange', ['ignored', 'refused']) ?? scopes.onExchange;
  const support = one('pkce.support', ['ignored', 'verified', 'refused']);
  const exchanged = seen.get('token-failures.exchange.wrong-verifier') ?? null;
  const refused = exchanged === null ? 'refused' : 'refused-at-exchange';
  answers.pkce.challenge = support === 'refused' ? refused : (support ?? answers.pkce.challenge);
  expressTokenResponse(answers, seen);
}

function expressTokenResponse(answers: ProfileAnswers, seen: SeenAnswers): void {
  const fields = answers['token-response-fields'];
  const extra = seen.get('token-response-fields.extra-fields');
  if (Array.isArray(extra)) fields.extra = [...(extra as string[])];
  const order = seen.get('token-response-fields.order');
  if (order === 'documented-first' || order === 'documented-last' || order === 'alphabetical')
    fields.order = order;
  const type = seen.get('token-response-fields.content-type');
  if (typeof type === 'string') fields.contentType = type;
  for (const [key, aspect] of [
    ['cacheControl', 'token-response-fields.cache-control'],
    ['pragma', 'token-response-fields.pragma'],
  ] as const) {
    const value = seen.get(aspect);
    if (value === undefined) continue;
    delete fields[key];
    if (typeof value === 'string' && value !== '') fields[key] = value;
  }
  const distinct = seen.get('token-response-fields.distinct-tokens');
  if (typeof distinct === 'boolean') fields.distinctTokens = distinct;
  const remembered = seen.get('consent-memory.remembered');
  const fewer = seen.get('consent-memory.remembered-for-fewer');
  if (remembered === false) answers['consent-memory'].remembered = 'never';
  else if (remembered === true) {
    answers['consent-memory'].remembered =
      fewer === true ? 'for-the-same-or-fewer-scopes' : 'for-the-same-scopes';
  }
}
