import type { AnswerAt } from '../../document/profiles/aspects.ts';
import { shapeOf } from '../../document/profiles/shape.ts';
import { errorCodeOf } from '../../http/answer-body.ts';
import { type Header, headerOf, isSuccess, jsonOf, type WireResponse } from '../../http/exchange.ts';
import { type AuthorizeOutcome, redirectParameters } from '../agent/user-agent.ts';
import type { TokenAnswer } from './answers.ts';
import { codesIn } from './service-client.ts';

type Body = AnswerAt<'operation-answers.assign.body'>;
type Success = Exclude<AnswerAt<'operation-answers.assign.repeated'>, 'refused'>;
type Failure = AnswerAt<'resource-failures.no-token'>;
type Refusal = AnswerAt<'token-failures.exchange.no-code'>;
type Page = AnswerAt<'authorize-failures.no-scope'>;

/** Reads an answer as status, media type, shape and error code. Bodies are not kept, because they may hold personal data. */

export function contentTypeOf(response: WireResponse): string | null {
  return headerOf(response, 'content-type') ?? null;
}

export function bodyOf(response: WireResponse): Body {
  if (response.body === '') return 'none';
  const json = jsonOf(response);
  return typeof json === 'object' && json !== null ? (shapeOf(json) as object) : 'text';
}

export function successOf(response: WireResponse): Success {
  return { status: response.status, contentType: contentTypeOf(response), body: bodyOf(response) };
}

export function failureShape(response: WireResponse): Failure {
  if (isSuccess(response)) return 'accepted';
  const challenge = challengeOf(response);
  const error = challenge?.parameters.error;
  return {
    ...successOf(response),
    challenge: challenge === undefined ? null : [challenge.scheme, ...(error ? [error] : [])].join(' '),
  };
}

export function refusalOf({ response, tokens }: TokenAnswer): Refusal | undefined {
  if (response === undefined) return undefined;
  if (isSuccess(response) && tokens.accessToken !== undefined) return 'accepted';
  return {
    status: response.status,
    error: errorCodeOf(response) ?? null,
    contentType: contentTypeOf(response),
    body: bodyOf(response),
    challenge: challengeOf(response)?.scheme ?? null,
  };
}

const DOCUMENTED = ['access_token', 'token_type', 'expires_in', 'refresh_token'];

export function extraFieldsOf(response: WireResponse): readonly string[] {
  const json = jsonOf(response);
  const fields = Object.keys(typeof json === 'object' && json !== null ? json : {});
  return fields.filter((field) => !DOCUMENTED.includes(field));
}

export function pageOf(outcome: AuthorizeOutcome): Page | undefined {
  if (codesIn(outcome).length > 0) return 'accepted';
  if (outcome.caught === undefined) {
    const status = outcome.pages.at(-1)?.status;
    return status === undefined ? undefined : { kind: 'page', status, error: null };
  }
  const { query, fragment } = redirectParameters(outcome.caught);
  const error = query.get('error') ?? fragment.get('error');
  return { kind: 'redirect', status: outcome.caught.status ?? null, error };
}

export function challengeOf(response: { readonly headers: readonly Header[] }) {
  const value = headerOf(response, 'www-authenticate');
  const scheme = value === undefined ? undefined : /^[^\s,]+/.exec(value)?.[0];
  if (value === undefined || scheme === undefined) return undefined;
  const parameters: Record<string, string> = {};
  for (const [, name = '', quoted, plain] of value.matchAll(/([\w-]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))/g)) {
    parameters[name.toLowerCase()] ??= quoted?.replace(/\\(.)/g, '$1') ?? plain ?? '';
  }
  return { scheme, parameters };
}
