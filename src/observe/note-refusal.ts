import type { AspectOf } from '../../generated/ids.ts';
import { type AuthorizeOutcome, redirectParameters } from '../agent/user-agent.ts';
import { isSuccess, type WireResponse } from '../exchange/exchange.ts';
import type { Answered, TokenAnswer } from '../flow/answers.ts';
import { codesIn } from '../flow/conversation.ts';
import type { ProbeContext } from './probe-context.ts';
import { challengeOf, failureOf, pageOf, refusalOf, resourceWording, tokenWording } from './read.ts';

/** Records refusals: the answer at its own aspect, and the wording, realm and caching that all refusals of a kind share. */

export function noteResourceFailure(
  context: ProbeContext,
  aspect: AspectOf<'resource-failures'>,
  response: WireResponse,
): void {
  if (!context.wants(`resource-failures.${aspect}`)) return;
  context.see(`resource-failures.${aspect}`, failureOf(response));
  if (isSuccess(response)) return;
  context.wording('resource-failures', aspect, resourceWording(response));
  context.realm('resource-failures', challengeOf(response)?.parameters.realm);
}

export function noteTokenRefusal(
  context: ProbeContext,
  aspect: AspectOf<'token-failures'>,
  answer: Answered<TokenAnswer>,
): void {
  if (!context.wants(`token-failures.${aspect}`)) return;
  context.see(`token-failures.${aspect}`, refusalOf(answer));
  if (context.pairOf(answer) !== undefined) return;
  context.wording('token-failures', aspect, tokenWording(answer));
  context.realm('token-failures', challengeOf(answer.response)?.parameters.realm);
  context.cachingOfRefusal(answer.response);
}

export function notePage(
  context: ProbeContext,
  aspect: AspectOf<'authorize-failures'>,
  outcome: AuthorizeOutcome,
): void {
  context.see(`authorize-failures.${aspect}`, pageOf(outcome));
  if (codesIn(outcome).length > 0 || outcome.caught === undefined) return;
  const stated = redirectParameters(outcome.caught).query.get('error_description');
  context.wording('authorize-failures', aspect, stated ?? undefined);
}
