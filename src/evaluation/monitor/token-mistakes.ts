import type { RequirementId } from '../../../generated/ids.ts';
import { redirectMismatch } from '../../service/redirect-address.ts';
import { nearestTo } from './members.ts';
import type { ReadTokenRequest } from './read-request.ts';
import type { Code, KnownPair, Misuse, TokenModel } from './token-model.ts';

/** A difference that the document does not define: nothing is expected then. */
export const NOT_EVALUATED = 'not evaluated';

/** A reason to refuse a request: the requirement that demands it, or a difference that nothing defines. */
export type Mistake = RequirementId | typeof NOT_EVALUATED;

/** Returns the reasons to refuse an exchange, but for the client's own. */
export function codeMistakes(
  model: TokenModel,
  { parameters }: ReadTokenRequest,
  code: Code | undefined,
): readonly Mistake[] {
  const found: Mistake[] = [];
  const { applications, codes } = model;
  const [grantType, value, address, clientId] = CODE_PARAMETERS.map((name) => parameters.get(name) ?? '');
  if (grantType && grantType !== 'authorization_code') found.push('exchange.grant-type-checked');
  if (value && code === undefined) found.push(strange(model, value, codes, 'exchange.code-unknown-refused'));
  if (code?.gave !== undefined) found.push('exchange.code-single-use');
  if (code?.clientId !== undefined && clientId !== code.clientId && applications.has(clientId ?? ''))
    found.push('exchange.code-bound-to-client');
  if (!address || code?.redirectUri === undefined) return found;
  const mismatch = redirectMismatch(address, code.redirectUri);
  if (mismatch === undefined) return found;
  const isAuthorized = applications.get(code.clientId ?? '')?.redirectUris.includes(address);
  if (mismatch === 'open') found.push(NOT_EVALUATED);
  else if (isAuthorized) found.push('exchange.redirect-uri-same-among-authorized');
  else found.push(mismatch === 'near' ? 'exchange.redirect-uri-exact' : 'exchange.redirect-uri-same');
  return found;
}

/** Returns the reasons to refuse a refresh, but for the client's own. */
export function refreshMistakes(
  model: TokenModel,
  { parameters }: ReadTokenRequest,
  pair: KnownPair | undefined,
): readonly Mistake[] {
  const { applications, byRefresh } = model;
  const [value, clientId] = [parameters.get('refresh_token') ?? '', parameters.get('client_id') ?? ''];
  if (pair === undefined)
    return value ? [strange(model, value, byRefresh, 'refresh.token-unknown-refused')] : [];
  const { clientId: owner } = pair;
  const isForeign = owner !== undefined && owner !== clientId && applications.has(clientId);
  return isForeign ? ['refresh.bound-to-client'] : [];
}

/** Returns the parameters that lack a value, and what the client's own credentials are wrong in. */
export function clientMistakes(
  { applications }: TokenModel,
  { parameters }: ReadTokenRequest,
  of: 'exchange' | 'refresh',
): readonly RequirementId[] {
  const [id, secret] = [parameters.get('client_id'), parameters.get('client_secret')];
  const found = REQUIRED[of].flatMap(([name, requirement]) => (parameters.get(name) ? [] : [requirement]));
  if (!id) return found;
  const app = applications.get(id);
  if (app === undefined) return [...found, `${of}.client-id-checked`];
  if (!secret || secret === app.secret) return found;
  const foreign = [...applications.values()].some((other) => other.secret === secret);
  return foreign && of === 'exchange'
    ? [...found, 'exchange.client-secret-of-other-application']
    : [...found, `${of}.client-secret-checked`];
}

/** Returns the reason to refuse a value that was not issued: none for one that is nearly an issued one. */
function strange(
  model: TokenModel,
  value: string,
  issued: ReadonlyMap<string, Code | KnownPair>,
  unknown: RequirementId,
): Mistake {
  const near = issued.get(nearestTo(value, issued.keys()) ?? '');
  if (near === undefined) return unknown;
  if ('gave' in near) {
    near.presented += 1;
    model.misused(near.gave, ['code nearly presented']);
  } else model.misused(near, ['refresh token nearly presented']);
  return NOT_EVALUATED;
}

const CODE_PARAMETERS = ['grant_type', 'code', 'redirect_uri', 'client_id'];

/** Parameters without which a request must be refused. */
const REQUIRED = {
  exchange: [
    ['client_id', 'exchange.requires-client-id'],
    ['client_secret', 'exchange.requires-client-secret'],
    ['grant_type', 'exchange.requires-grant-type'],
    ['code', 'exchange.requires-code'],
    ['redirect_uri', 'exchange.requires-redirect-uri'],
  ],
  refresh: [
    ['client_id', 'refresh.requires-client-id'],
    ['client_secret', 'refresh.requires-client-secret'],
    ['grant_type', 'refresh.requires-grant-type'],
    ['refresh_token', 'refresh.requires-refresh-token'],
  ],
} as const;

/** Returns a misuse with the other reasons to refuse its request. @param own the reason to refuse the misuse itself */
export function misuseBeside(why: Misuse, refusals: readonly Mistake[], own?: Mistake): Misuse {
  const others = refusals.filter((one) => one !== own);
  return others.length === 0 ? why : [...why, others.join(' ')];
}
