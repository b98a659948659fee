import type { RequirementId } from '../../../generated/ids.ts';
import { errorCodeOf } from '../../http/answer-body.ts';
import { headerOf, jsonOf, type WireRequest } from '../../http/exchange.ts';
import type { Answered } from '../../service/flow/answers.ts';
import { provokingCheck } from '../language/check.ts';
import type { CheckContext } from '../language/context.ts';
import { AT_PROJECTS, oddCalls } from '../language/odd-ids.ts';
import { Blocked, ConformanceFailure } from '../language/outcome.ts';
import { resourceRefusals, tokenRefusals } from '../language/provoked-refusals.ts';
import { answerInBrief } from '../language/token-actions.ts';
import { TOKEN_ERRORS } from '../requests/wrong-requests.ts';

/** Evaluates every refusal by one rule, which tells what it expected and what it got; undefined where it is kept. */
function everyRefusal<R extends { readonly name: string; readonly answer: Pick<Answered, 'response'> }>(
  id: RequirementId,
  provoke: (context: CheckContext) => Promise<readonly R[]>,
  wrong: (refusal: R) => readonly [expected: string, got: string] | undefined,
) {
  return provokingCheck(id, async (context) => {
    for (const refusal of await provoke(context)) {
      const [expected, got] = wrong(refusal) ?? [];
      if (expected === undefined) continue;
      const { name, answer } = refusal;
      throw new ConformanceFailure(`${expected} for ${name}`, got ?? '', answer.response);
    }
  });
}

const ofTokens = (context: CheckContext) => tokenRefusals(context);

const fitting = (
  ['invalid_grant', 'invalid_client', 'invalid_request', 'unsupported_grant_type'] as const
).map((reason) =>
  everyRefusal(
    `token.error-${reason.replaceAll('_', '-')}` as RequirementId,
    (context) => tokenRefusals(context, reason),
    ({ errors, answer }) => {
      const error = errorCodeOf(answer.response);
      if (error === undefined) throw new Blocked('read the error', 'token.error-json', 'the answer has none');
      return errors.some((fits) => fits === error) ? undefined : [`error "${reason}"`, `"${error}"`];
    },
  ),
);

/** Clause 7: a request must fail, but the document leaves the form of the error open. */
export const checks = [
  everyRefusal('token.error-json', ofTokens, ({ answer }) => {
    const error = errorCodeOf(answer.response);
    if (error !== undefined && (TOKEN_ERRORS as readonly string[]).includes(error)) return undefined;
    const held = error === undefined ? 'no error' : `error "${error}"`;
    const got = jsonOf(answer.response) === undefined ? 'a body that is no JSON' : `JSON with ${held}`;
    return ["JSON with an error of the standard's list", got];
  }),

  everyRefusal('token.error-status', ofTokens, ({ answer }) =>
    [400, 401].includes(answer.response.status) ? undefined : ['status 400 or 401', answerInBrief(answer)],
  ),

  ...fitting,

  everyRefusal('token.error-leaks-nothing', ofTokens, ({ answer: { request, response } }) => {
    const answerText = `${response.body}\n${response.headers.map(([, value]) => value).join('\n')}`;
    const [secret] =
      secretsSent(request).find(([, value]) => spelled(value).some((text) => answerText.includes(text))) ??
      [];
    return secret === undefined ? undefined : ['nothing secret in the error', `the ${secret} of the request`];
  }),

  everyRefusal('token.no-5xx', ofTokens, ({ answer }) => serverError(answer.response.status)),

  everyRefusal('resource.failure-status', resourceRefusals, ({ answer: { response } }) =>
    response.status >= 400 ? undefined : ['a status of the 4xx class', `status ${response.status}`],
  ),

  everyRefusal(
    'resource.no-5xx',
    async (context) => [...(await resourceRefusals(context)), ...(await oddAnswers(context))],
    ({ answer }) => serverError(answer.response.status),
  ),

  everyRefusal('resource.challenge', resourceRefusals, ({ answer: { response } }) => {
    if (response.status !== 401 || headerOf(response, 'www-authenticate') !== undefined) return undefined;
    return ['WWW-Authenticate with the 401', 'a 401 without it'];
  }),
];

function serverError(status: number) {
  return status >= 500 ? (['no server error', `status ${status}`] as const) : undefined;
}

async function oddAnswers({ users, target }: CheckContext) {
  const all = [['assign', 'user'], ['unassign', 'user'], ...AT_PROJECTS] as const;
  const kinds = target.abilities.has('destructive-ids') ? all : ([['list', 'project']] as const);
  const answers = [];
  for (const { operation, odd, project, user } of oddCalls(target, kinds)) {
    const answer = await users[operation]({ project, user }).send();
    answers.push({ name: `${operation} with an odd ${odd} id`, answer });
  }
  return answers;
}

function spelled(value: string): readonly string[] {
  return [value, encodeURIComponent(value), JSON.stringify(value).slice(1, -1)];
}

const SECRET = ['client_secret', 'code', 'refresh_token'];

/**
 * Returns the secrets of a token request by parameter name, from the form, the JSON body or the HTTP Basic header. A
 * Basic secret counts both form-encoded and decoded (RFC 6749 section 2.3.1).
 */
function secretsSent({ headers, body = '' }: WireRequest): readonly (readonly [string, string])[] {
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
