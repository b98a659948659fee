import type { AspectOf } from '../../../generated/ids.ts';
import type { WireResponse } from '../../http/exchange.ts';
import type { AuthorizeOutcome } from '../../target/agent/user-agent.ts';
import { failureOf, pageOf, refusalOf } from '../../target/flow/answer-shape.ts';
import type { Answered, TokenAnswer } from '../../target/flow/answers.ts';
import type { ProbeContext } from './probe-context.ts';

export function noteResourceFailure(
  context: ProbeContext,
  aspect: AspectOf<'resource-failures'>,
  response: WireResponse,
): void {
  if (!context.wants(`resource-failures.${aspect}`)) return;
  context.see(`resource-failures.${aspect}`, failureOf(response));
}

export function noteTokenRefusal(
  context: ProbeContext,
  aspect: AspectOf<'token-failures'>,
  answer: Answered<TokenAnswer>,
): void {
  if (!context.wants(`token-failures.${aspect}`)) return;
  context.see(`token-failures.${aspect}`, refusalOf(answer));
}

export function notePage(
  context: ProbeContext,
  aspect: AspectOf<'authorize-failures'>,
  outcome: AuthorizeOutcome,
): void {
  context.see(`authorize-failures.${aspect}`, pageOf(outcome));
}
