import type { OpenPointId, RequirementId } from '../../../generated/ids.ts';
import { jsonOf, type WireResponse } from '../../http/exchange.ts';
import type { AuthorizeOutcome } from '../../service/agent/user-agent.ts';
import {
  bodyOf,
  contentTypeOf,
  extraFieldsOf,
  failureShape,
  pageOf,
  refusalOf,
} from '../../service/flow/answer-shape.ts';
import type { TokenAnswer } from '../../service/flow/answers.ts';
import type { Operation } from '../../service/flow/requests.ts';
import { WRONG_REQUESTS } from '../requests/wrong-requests.ts';

type ObservedAnswer =
  | { readonly of: 'token-success'; readonly answer: TokenAnswer }
  | { readonly of: 'token-refusal'; readonly answer: TokenAnswer }
  | { readonly of: 'authorize-failure'; readonly outcome: AuthorizeOutcome }
  | { readonly of: 'operation'; readonly operation: Operation; readonly response: WireResponse }
  | { readonly of: 'resource-refusal'; readonly response: WireResponse };

export type NoteAnswer = (seen: ObservedAnswer) => void;

interface SeenAnswer {
  readonly openPoint: OpenPointId;
  readonly aspect: string;
  readonly answer: unknown;
}

/** Returns the answers in an observation. The check's requirement determines a refusal's aspect; without one, nothing is recorded. */
export function answersIn(seen: ObservedAnswer, check: RequirementId): readonly SeenAnswer[] {
  switch (seen.of) {
    case 'token-success':
      return tokenSuccess(seen.answer);
    case 'token-refusal':
      return refusal('token-failures', check, refusalOf(seen.answer));
    case 'authorize-failure':
      return refusal('authorize-failures', check, pageOf(seen.outcome));
    case 'operation':
      return operation(seen.operation, seen.response);
    case 'resource-refusal':
      return refusal('resource-failures', check, failureShape(seen.response));
  }
}

/** Aspects of refusals, by {@link keyOf} the requirement: of wrong requests, and of those that are wrong by history or form. */
const ASPECTS: ReadonlyMap<string, string> = new Map([
  ['exchange.code-single-use', 'token-failures.exchange.used-code'],
  ['exchange.code-short-lived', 'token-failures.exchange.expired-code'],
  ['token.duplicate-parameter', 'token-failures.exchange.duplicate-parameter'],
  ['token.post-only', 'token-failures.exchange.get'],
  ['dead-after-7200', 'resource-failures.expired-token'],
  // The first row of a requirement counts.
  ...WRONG_REQUESTS.toReversed().flatMap(({ requirement, aspect }) =>
    aspect === undefined ? [] : [[keyOf(requirement, aspect), aspect] as const],
  ),
]);

/** The three operations share their failures, so the second half of the id decides there. */
function keyOf(check: RequirementId, aspect: string): string {
  return aspect.startsWith('resource-failures') ? (check.split('.')[1] ?? '') : check;
}

function refusal(openPoint: OpenPointId, check: RequirementId, answer: unknown): readonly SeenAnswer[] {
  const found = ASPECTS.get(keyOf(check, openPoint));
  if (!found?.startsWith(`${openPoint}.`) || answer === undefined) return [];
  return [{ openPoint, aspect: found.slice(openPoint.length + 1), answer }];
}

function tokenSuccess({ response }: TokenAnswer): readonly SeenAnswer[] {
  if (response === undefined) return [];
  const answers = { 'extra-fields': extraFieldsOf(response), 'content-type': contentTypeOf(response) };
  return seen('token-response-fields', answers);
}

function operation(name: Operation, response: WireResponse): readonly SeenAnswer[] {
  const answers = {
    [`${name}.status`]: response.status,
    [`${name}.content-type`]: contentTypeOf(response),
    ...(name !== 'list' && { [`${name}.body`]: bodyOf(response) }),
  };
  const format = jsonOf(response) === undefined ? 'other' : 'json';
  return [...seen('operation-answers', answers), ...seen('list-shape', name === 'list' ? { format } : {})];
}

function seen(openPoint: OpenPointId, answers: Readonly<Record<string, unknown>>): readonly SeenAnswer[] {
  return Object.entries(answers).map(([aspect, answer]) => ({ openPoint, aspect, answer }));
}
