import type { AspectOf } from '../../generated/ids.ts';
import { type AuthorizeOutcome, redirectParameters } from '../agent/user-agent.ts';
import { isSuccess, type WireResponse } from '../exchange/exchange.ts';
import { codesIn, type TokenAnswer } from '../flow/conversation.ts';
import type { Heard, Lab } from './lab.ts';
import { challengeOf, failureOf, pageOf, refusalOf, resourceWording, tokenWording } from './read.ts';

/** Notes of refusals: the answer at its own aspect, and what belongs to all refusals of a kind: wording, realm, caching. */

/** Notes a refusal of the resource API (open point 5). */
export function noteResourceFailure(
  lab: Lab,
  aspect: AspectOf<'resource-failures'>,
  response: WireResponse,
): void {
  if (!lab.wants(`resource-failures.${aspect}`)) return;
  lab.see(`resource-failures.${aspect}`, failureOf(response));
  if (isSuccess(response)) return;
  lab.told('resource-failures', aspect, resourceWording(response));
  lab.realm('resource-failures', challengeOf(response)?.parameters.realm);
}

/** Notes a refusal of the token endpoint (open point 6). */
export function noteTokenRefusal(
  lab: Lab,
  aspect: AspectOf<'token-failures'>,
  answer: Heard<TokenAnswer>,
): void {
  if (!lab.wants(`token-failures.${aspect}`)) return;
  lab.see(`token-failures.${aspect}`, refusalOf(answer));
  if (lab.pairOf(answer) !== undefined) return;
  lab.told('token-failures', aspect, tokenWording(answer));
  lab.realm('token-failures', challengeOf(answer.response)?.parameters.realm);
  lab.cachingOfRefusal(answer.response);
}

/** Notes how an authorization request ended (open point 7). */
export function notePage(lab: Lab, aspect: AspectOf<'authorize-failures'>, outcome: AuthorizeOutcome): void {
  lab.see(`authorize-failures.${aspect}`, pageOf(outcome));
  if (codesIn(outcome).length > 0 || outcome.caught === undefined) return;
  const told = redirectParameters(outcome.caught).query.get('error_description');
  lab.told('authorize-failures', aspect, told ?? undefined);
}
