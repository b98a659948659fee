import { SEEDS } from '../start.ts';
import { ADDRESSES, type Answer, type Body, type Facts, type WireApi } from './api.ts';

export const granted = ({ token }: Answer): boolean => typeof token.access_token === 'string';
const taken = (answer: Answer) => (granted(answer) ? 'tokens' : 'refused');

/** The tokens of a new grant. @throws {Error} when the service refuses */
export async function newPair(api: WireApi, scope?: string): Promise<Body> {
  const exchanged = await api.exchange(await api.code(scope === undefined ? {} : { scope }));
  if (granted(exchanged)) return exchanged.token;
  throw new Error(`exchange refused: ${exchanged.status} ${JSON.stringify(exchanged.json)}`);
}

/** Status, media type and the documented fields of a token response. */
function formOf({ status, type, json, token }: Answer, prefix: string): Facts {
  return {
    [prefix]: `${status} ${type}`,
    [`${prefix} fields`]:
      Object.keys(json ?? {})
        .sort()
        .join(' ') || 'no JSON',
    [`${prefix} token_type`]: `${token.token_type}`,
    [`${prefix} expires_in`]: `${typeof token.expires_in} ${token.expires_in}`,
  };
}

/** The exchange of a code, and what must not be exchanged. */
export async function exchangeFacts(api: WireApi): Promise<Facts> {
  const first = await api.authorize();
  const delivered = first.rest.leaving?.searchParams.has('code') ? 'query' : 'fragment';
  if (first.code === undefined) throw new Error(`no code: ${first.rest.leaving?.href ?? first.rest.html}`);
  const exchanged = await api.exchange(first.code);
  if (!granted(exchanged)) {
    throw new Error(`exchange refused: ${exchanged.status} ${JSON.stringify(exchanged.json)}`);
  }
  const replayed = await api.exchange(first.code);
  const raced = await api.code();
  const race = await Promise.all(Array.from({ length: 5 }, () => api.exchange(raced)));
  const exchange = async (
    ...args: Parameters<WireApi['exchange']> extends [string, ...infer Rest] ? Rest : []
  ) => api.exchange(await api.code(), ...args);
  const other = {
    client_id: SEEDS.secondClientId,
    client_secret: api.running.secrets.SERVER_SECOND_SECRET,
  };
  const basic = btoa(`${SEEDS.clientId}:${api.running.secrets.SERVER_CLIENT_SECRET}`);
  const unknown = await api.exchange('unknown');
  return {
    'consent page': first.asked ? 'shown' : 'not shown',
    'code delivered in': delivered,
    ...formOf(exchanged, 'exchange'),
    'code again': taken(replayed),
    'code five times at once': race.filter(granted).length > 1 ? 'several' : 'one',
    'other path at exchange': taken(await exchange({ redirect_uri: ADDRESSES.otherPath })),
    'other own address at exchange': taken(await exchange({ redirect_uri: ADDRESSES.otherOwn })),
    'added query at exchange': taken(await exchange({ redirect_uri: ADDRESSES.withQuery })),
    'no redirect_uri at exchange': taken(await exchange({ redirect_uri: undefined })),
    'wrong secret at exchange': taken(await exchange({ client_secret: 'wrong' })),
    'no secret at exchange': taken(await exchange({ client_secret: undefined })),
    'other client at exchange': taken(await exchange(other)),
    'Basic credentials at exchange': taken(
      await exchange({ client_id: undefined, client_secret: undefined }, { Authorization: `Basic ${basic}` }),
    ),
    'JSON at exchange': taken(await exchange({}, { 'Content-Type': 'application/json' })),
    'unknown code': `${unknown.status} ${unknown.json?.error ?? 'no JSON'}`,
  };
}

/** A refresh, and what comes of the tokens before and after. */
export async function refreshFacts(api: WireApi): Promise<Facts> {
  const first = await newPair(api);
  if (first.refresh_token === undefined) return { refresh: 'no refresh token' };
  const wrong = await api.refresh(first.refresh_token, { client_secret: 'wrong' });
  const before = await newPair(api);
  const refreshed = await api.refresh(before.refresh_token ?? '');
  if (!granted(refreshed)) return { refresh: `${refreshed.status} ${refreshed.json?.error}` };
  const after = refreshed.token;
  const differs = (field: 'access_token' | 'refresh_token') =>
    after[field] === undefined ? 'none' : after[field] === before[field] ? 'same' : 'new';
  const next = after.refresh_token === undefined ? undefined : await api.refresh(after.refresh_token);
  return {
    ...formOf(refreshed, 'refresh'),
    'refresh access_token': differs('access_token'),
    'refresh refresh_token': differs('refresh_token'),
    'wrong secret at refresh': taken(wrong),
    'newest refresh token': next === undefined ? 'none' : taken(next),
  };
}
