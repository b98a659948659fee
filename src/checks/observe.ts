import type { AspectOf, OpenPointId, RequirementId } from '../../generated/ids.ts';
import type { AuthorizeOutcome } from '../agent/user-agent.ts';
import { headerOf, jsonOf, type WireResponse } from '../exchange/exchange.ts';
import type { TokenAnswer } from '../flow/answers.ts';
import type { Operation } from '../flow/request-style.ts';
import {
  bodyOf,
  contentTypeOf,
  failureOf,
  fieldsOfTokenResponse,
  pageOf,
  refusalOf,
} from '../observe/read.ts';

export type Sight =
  | { readonly of: 'token-success'; readonly answer: TokenAnswer }
  | { readonly of: 'token-refusal'; readonly answer: TokenAnswer }
  | { readonly of: 'authorize-failure'; readonly outcome: AuthorizeOutcome }
  | { readonly of: 'operation'; readonly operation: Operation; readonly response: WireResponse }
  | { readonly of: 'resource-refusal'; readonly response: WireResponse };

export type Observe = (sight: Sight) => void;

export interface SeenAnswer {
  readonly openPoint: OpenPointId;
  readonly aspect: string;
  readonly answer: unknown;
}

/**
 * Returns the answers in an observation. The check's requirement determines a refusal's aspect; if it determines none,
 * nothing is recorded.
 */
export function answersIn(sight: Sight, check: RequirementId): readonly SeenAnswer[] {
  switch (sight.of) {
    case 'token-success':
      return tokenSuccess(sight.answer);
    case 'token-refusal':
      return seen('token-failures', TOKEN_FAILURES[check], refusalOf(sight.answer));
    case 'authorize-failure':
      return seen('authorize-failures', AUTHORIZE_FAILURES[check], pageOf(sight.outcome));
    case 'operation':
      return operation(sight.operation, sight.response);
    case 'resource-refusal':
      return seen(
        'resource-failures',
        RESOURCE_FAILURES[check.split('.')[1] ?? ''],
        failureOf(sight.response),
      );
  }
}

function seen<P extends OpenPointId>(
  openPoint: P,
  aspect: AspectOf<P> | undefined,
  answer: unknown,
): readonly SeenAnswer[] {
  return aspect === undefined || answer === undefined ? [] : [{ openPoint, aspect: String(aspect), answer }];
}

function tokenSuccess({ json, response }: TokenAnswer): readonly SeenAnswer[] {
  if (response === undefined) return [];
  const fields = fieldsOfTokenResponse(json);
  return [
    ...seen('token-response-fields', 'extra-fields', fields.extra),
    ...seen('token-response-fields', 'order', fields.order),
    ...seen('token-response-fields', 'content-type', contentTypeOf(response)),
    ...seen('token-response-fields', 'cache-control', headerOf(response, 'cache-control') ?? null),
    ...seen('token-response-fields', 'pragma', headerOf(response, 'pragma') ?? null),
  ];
}

function operation(name: Operation, response: WireResponse): readonly SeenAnswer[] {
  const status = seen('operation-answers', `${name}.status`, response.status);
  const contentType = seen('operation-answers', `${name}.content-type`, contentTypeOf(response));
  if (name !== 'list') {
    return [...status, ...contentType, ...seen('operation-answers', `${name}.body`, bodyOf(response))];
  }
  return [
    ...status,
    ...contentType,
    ...seen('list-shape', 'format', jsonOf(response) === undefined ? 'other' : 'json'),
  ];
}

/** The aspect of `token-failures` that each requirement's refusals answer. */
const TOKEN_FAILURES: Partial<Record<RequirementId, AspectOf<'token-failures'>>> = {
  'exchange.requires-client-id': 'exchange.no-client-id',
  'exchange.requires-client-secret': 'exchange.no-client-secret',
  'exchange.requires-code': 'exchange.no-code',
  'exchange.requires-redirect-uri': 'exchange.no-redirect-uri',
  'exchange.requires-grant-type': 'exchange.no-grant-type',
  'exchange.grant-type-checked': 'exchange.unsupported-grant-type',
  'exchange.client-id-checked': 'exchange.unknown-client',
  'exchange.client-secret-checked': 'exchange.wrong-secret',
  'exchange.code-unknown-refused': 'exchange.unknown-code',
  'exchange.code-single-use': 'exchange.used-code',
  'exchange.code-short-lived': 'exchange.expired-code',
  'exchange.redirect-uri-same': 'exchange.other-redirect-uri',
  'exchange.code-bound-to-client': 'exchange.other-client',
  'token.duplicate-parameter': 'exchange.duplicate-parameter',
  'token.post-only': 'exchange.get',
  'refresh.requires-client-id': 'refresh.no-client-id',
  'refresh.requires-client-secret': 'refresh.no-client-secret',
  'refresh.requires-refresh-token': 'refresh.no-refresh-token',
  'refresh.requires-grant-type': 'refresh.no-grant-type',
  'refresh.client-id-checked': 'refresh.unknown-client',
  'refresh.client-secret-checked': 'refresh.wrong-secret',
  'refresh.token-unknown-refused': 'refresh.unknown-token',
  'refresh.bound-to-client': 'refresh.other-client',
};

const AUTHORIZE_FAILURES: Partial<Record<RequirementId, AspectOf<'authorize-failures'>>> = {
  'authorize.client-id-known': 'unknown-client',
  'authorize.redirect-uri-required': 'no-redirect-uri',
  'authorize.redirect-uri-authorized': 'unauthorized-redirect-uri',
  'authorize.response-type-required': 'no-response-type',
  'authorize.response-type-code-only': 'unsupported-response-type',
  'authorize.scope-required': 'no-scope',
  'authorize.scope-unknown-refused': 'unknown-scope',
};

/** Keyed by the second half of the requirement id, because the three operations share their failures. */
const RESOURCE_FAILURES: Readonly<Record<string, AspectOf<'resource-failures'>>> = {
  'unknown-project-refused': 'unknown-project',
  'unknown-user-refused': 'unknown-user',
  'token-required': 'no-token',
  'token-invalid-refused': 'invalid-token',
  'dead-after-7200': 'expired-token',
};
