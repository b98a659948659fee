import { errorIn } from '../../http/answer-body.ts';
import { isBusy, isSuccess, pastServerError } from '../../http/exchange.ts';
import { ALL_SCOPES, type Application } from '../target.ts';
import {
  type Attempt,
  isSendable,
  type ReceivedPair,
  type ReceivedTokens,
  type TokenAnswer,
} from './answers.ts';
import type { Conversation } from './conversation.ts';
import { readCode } from './read-code.ts';
import { authorizationParameters, exchangeParameters, refreshParameters } from './requests.ts';

export interface WantedGrant {
  readonly scope?: string;
  readonly redirectUri?: string;
  readonly application?: Application;
}

export async function grantedCode(c: Conversation, wanted: WantedGrant = {}): Promise<Attempt<string>> {
  const { scope = ALL_SCOPES, redirectUri, application = c.session.target.application } = wanted;
  const parameters = authorizationParameters(application, c.requestStyle, { scope, redirectUri });
  return readCode(await c.authorize(parameters, { decision: 'grant', signedIn: true, through: 'cookies' }));
}

export async function exchangedTokens(
  c: Conversation,
  code: string,
  { application = c.session.target.application, redirectUri }: WantedGrant = {},
): Promise<Attempt<ReceivedTokens>> {
  const parameters = exchangeParameters(application, code, redirectUri);
  return issuedIn(await pastServerError(() => c.token('exchange the code', parameters)));
}

export async function exchangedPair(
  c: Conversation,
  code: string,
  wanted: WantedGrant = {},
): Promise<Attempt<ReceivedPair>> {
  return pairIn(await exchangedTokens(c, code, wanted));
}

export async function refreshedPair(
  c: Conversation,
  refreshToken: string,
  application: Application = c.session.target.application,
): Promise<Attempt<ReceivedPair>> {
  const parameters = refreshParameters(application, refreshToken, c.requestStyle);
  return pairIn(issuedIn(await pastServerError(() => c.token('refresh', parameters))));
}

export async function freshAccessToken(c: Conversation, wanted: WantedGrant = {}): Promise<Attempt<string>> {
  const code = await grantedCode(c, wanted);
  if (!code.ok) return code;
  const tokens = await exchangedTokens(c, code.value, wanted);
  return tokens.ok ? given(tokens.value.accessToken) : tokens;
}

function pairIn(tokens: Attempt<ReceivedTokens>): Attempt<ReceivedPair> {
  if (!tokens.ok) return tokens;
  const { accessToken, refreshToken } = tokens.value;
  return refreshToken === undefined ? without('refresh_token') : given({ accessToken, refreshToken });
}

/** Returns the tokens of an answer, or why it has none. */
export function issuedIn(answer: TokenAnswer): Attempt<ReceivedTokens> {
  const { accessToken, refreshToken } = answer.tokens;
  const refused = notHonoured(answer);
  if (refused !== undefined) return refused;
  if (accessToken === undefined) return without('access_token');
  if (isSendable('access_token', accessToken)) return given({ accessToken, refreshToken });
  return { ok: false, status: 'wrong', message: 'an access_token that no header can carry' };
}

function notHonoured({ response, exchange }: TokenAnswer): Attempt<never> | undefined {
  if (response === undefined)
    return { ok: false, status: 'no-answer', message: exchange.failure?.message ?? 'no answer' };
  const { status } = response;
  if (isBusy(status))
    return { ok: false, status: 'no-answer', message: `status ${status}${errorIn(response)}` };
  if (isSuccess(response)) return undefined;
  const message = `the token endpoint answered ${status}${errorIn(response)}`;
  return { ok: false, status: 'refused', message };
}

function without(member: string): Attempt<never> {
  return { ok: false, status: 'wrong', message: `a success without ${member}` };
}

function given<T>(value: T): Attempt<T> {
  return { ok: true, value };
}
