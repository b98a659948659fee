import { memberOf } from '../../http/answer-body.ts';
import { headerOf, type WireRequest } from '../../http/exchange.ts';
import type { Answered, TokenAnswer } from '../../target/flow/answers.ts';
import { provokingCheck } from '../language/check.ts';
import { AT_PROJECTS, oddCalls } from '../language/odd-ids.ts';
import { ConformanceFailure } from '../language/outcome.ts';
import { provokeResourceRefusals, provokeTokenRefusals, refusedCalls } from '../language/refused-calls.ts';
import { answerInBrief } from '../language/token-actions.ts';
import { TOKEN_ERRORS, type TokenError } from '../requests/wrong-requests.ts';

function fittingError(reason: TokenError) {
  const slug = {
    invalid_grant: 'invalid-grant',
    invalid_client: 'invalid-client',
    invalid_request: 'invalid-request',
  };
  const id =
    reason === 'unsupported_grant_type' ? 'unsupported-grant-type' : slug[reason as keyof typeof slug];
  return provokingCheck(`token.error-${id}` as 'token.error-invalid-grant', async (context) => {
    for (const { name, errors, answer } of await provokeTokenRefusals(context, reason)) {
      const error = errorOf(answer);
      if (errors.some((fitting) => fitting === error)) continue;
      throw new ConformanceFailure(
        `error "${reason}" for ${name}`,
        error === undefined ? 'none' : `"${error}"`,
      );
    }
  });
}

function errorOf({ response }: Answered<TokenAnswer>): string | undefined {
  const error = memberOf(response, 'error');
  return typeof error === 'string' ? error : undefined;
}

/** Clause 7: a request must fail, but the document leaves the form of the error open. */
export const checks = [
  refusedCalls('assign.unknown-project-refused'),
  refusedCalls('assign.unknown-user-refused'),
  refusedCalls('unassign.unknown-project-refused'),
  refusedCalls('unassign.unknown-user-refused'),
  refusedCalls('list.unknown-project-refused'),

  provokingCheck('token.error-json', async (context) => {
    for (const { name, answer } of await provokeTokenRefusals(context)) {
      const error = errorOf(answer);
      if (error !== undefined && (TOKEN_ERRORS as readonly string[]).includes(error)) continue;
      const got =
        answer.json === undefined
          ? 'a body that is no JSON'
          : `JSON with ${error === undefined ? 'no error' : `error "${error}"`}`;
      throw new ConformanceFailure(`JSON with an error of the standard's list for ${name}`, got);
    }
  }),

  provokingCheck('token.error-status', async (context) => {
    for (const { name, answer } of await provokeTokenRefusals(context)) {
      if ([400, 401].includes(answer.response.status)) continue;
      throw new ConformanceFailure(`status 400 or 401 for ${name}`, answerInBrief(answer));
    }
  }),

  fittingError('invalid_grant'),
  fittingError('invalid_client'),
  fittingError('invalid_request'),
  fittingError('unsupported_grant_type'),

  provokingCheck('token.error-leaks-nothing', async (context) => {
    for (const { name, answer } of await provokeTokenRefusals(context)) {
      const sent = secretsSent(answer.exchange.request);
      const said = `${answer.response.body}\n${answer.response.headers.map(([, value]) => value).join('\n')}`;
      for (const [secret, value] of sent) {
        if (!spelled(value).some((spelling) => said.includes(spelling))) continue;
        throw new ConformanceFailure(
          `nothing secret in the error for ${name}`,
          `the ${secret} of the request`,
        );
      }
    }
  }),

  provokingCheck('token.no-5xx', async (context) => {
    for (const { name, answer } of await provokeTokenRefusals(context)) {
      if (answer.response.status < 500) continue;
      throw new ConformanceFailure(`no server error for ${name}`, `status ${answer.response.status}`);
    }
  }),

  provokingCheck('resource.failure-status', async (context) => {
    for (const { name, answer } of await provokeResourceRefusals(context)) {
      const { status } = answer.response;
      if (status >= 400) continue;
      throw new ConformanceFailure(`a status of the 4xx class for ${name}`, `status ${status}`);
    }
  }),

  provokingCheck('resource.no-5xx', async (context) => {
    const { users, target } = context;
    for (const { name, answer } of await provokeResourceRefusals(context))
      expectNoServerError(name, answer.response.status);
    const all = [['assign', 'user'], ['unassign', 'user'], ...AT_PROJECTS] as const;
    const kinds = target.abilities.has('destructive-ids') ? all : ([['list', 'project']] as const);
    for (const call of oddCalls(target, kinds)) {
      const { operation, project, user } = call;
      const { response } = await users[operation]({ project, user }).answer();
      expectNoServerError(`${call.operation} with an odd ${call.odd} id`, response.status);
    }
  }),

  provokingCheck('resource.challenge', async (context) => {
    for (const { name, answer } of await provokeResourceRefusals(context)) {
      if (answer.response.status !== 401 || headerOf(answer.response, 'www-authenticate') !== undefined)
        continue;
      throw new ConformanceFailure(`WWW-Authenticate with the 401 for ${name}`, 'a 401 without it');
    }
  }),
];

function expectNoServerError(what: string, status: number): void {
  if (status >= 500) throw new ConformanceFailure(`no server error for ${what}`, `status ${status}`);
}

function spelled(value: string): readonly string[] {
  return [value, encodeURIComponent(value), JSON.stringify(value).slice(1, -1)];
}

const SECRET = ['client_secret', 'code', 'refresh_token'];

/**
 * Returns the secrets of a token request by parameter name, from the form, the JSON body or the HTTP Basic header. A
 * Basic secret counts both form-encoded and decoded (RFC 6749 section 2.3.1).
 */
export function secretsSent({ headers, body = '' }: WireRequest): readonly (readonly [string, string])[] {
  const isJson = headerOf({ headers }, 'content-type')?.startsWith('application/json');
  const sent: (readonly [string, string])[] = isJson
    ? Object.entries(JSON.parse(body) as Record<string, string>)
    : [...new URLSearchParams(body)];
  const [, basic] = /^basic (\S+)$/i.exec(headerOf({ headers }, 'authorization') ?? '') ?? [];
  if (basic !== undefined) {
    const encoded = Buffer.from(basic, 'base64')
      .toString()
      .replace(/^[^:]*:/, '');
    const [decoded = ''] = new URLSearchParams(`v=${encoded}`).values();
    for (const value of [basic, encoded, decoded]) sent.push(['client_secret', value]);
  }
  return sent.filter(([name, value]) => SECRET.includes(name) && value !== '');
}
