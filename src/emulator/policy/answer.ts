import type { HeaderLine, ServiceAnswer } from '../answer.ts';
import type { AnswerPolicy, Endpoint } from '../policy.ts';
import type { Answers, Departures, MethodAnswer } from '../profile.ts';
import { authorizeAnswers } from './answer-authorize.ts';
import { lookingAnswer, varyingLines } from './answer-parts.ts';
import { resourceAnswers } from './answer-resource.ts';
import { tokenAnswers } from './answer-token.ts';

export function answerPolicy(answers: Answers, { tokenType }: Departures): AnswerPolicy {
  const extra = {
    pages: varyingLines(headersOf('pages', answers)),
    token: varyingLines(headersOf('token', answers)),
    resource: varyingLines(headersOf('resource', answers)),
  };
  const headIsGet = isHeadOfList(answers);

  return {
    ...authorizeAnswers(answers),
    ...tokenAnswers(answers, tokenType),
    ...resourceAnswers(answers),

    method: (method) => (method === 'HEAD' && headIsGet ? 'GET' : method),

    otherMethod(endpoint, method, allowed) {
      const path = pathOf(endpoint, allowed);
      const methods = answers[`other-methods.${path}`];
      const answer = methods[method] ?? methods.PATCH ?? NOT_ALLOWED;
      const headers: readonly HeaderLine[] = answer.allow ? [['Allow', allowed.join(', ')]] : [];
      return lookingAnswer(answer, { text: 'Not allowed' }, headers);
    },

    finish: (endpoint, answer) => dressed(answer, extra[kindOf(endpoint)]()),
  };
}

const NOT_ALLOWED: MethodAnswer = { status: 405, allow: true, contentType: null, body: 'none' };

function isHeadOfList(answers: Answers): boolean {
  const { HEAD: head } = answers['other-methods.assigned-users'];
  return (
    head !== undefined &&
    !head.allow &&
    head.status === answers['operation-answers.list.status'] &&
    head.contentType === answers['operation-answers.list.content-type']
  );
}

/** Of the resource API's paths, only the list's permits GET. */
function pathOf(endpoint: Endpoint, allowed: readonly string[]) {
  if (endpoint === 'authorize') return endpoint;
  if (endpoint === 'token' || endpoint === 'neighbour') return 'token';
  if (endpoint === 'page') return 'account-area';
  return allowed.includes('GET') ? 'assigned-users' : 'assigned-user';
}

type Family = 'pages' | 'token' | 'resource';

function kindOf(endpoint: Endpoint): Family {
  switch (endpoint) {
    case 'authorize':
    case 'page':
      return 'pages';
    case 'token':
    case 'neighbour':
      return 'token';
    default:
      return 'resource';
  }
}

/** Header names that need more than a capital after each hyphen. */
const SPELLED: Readonly<Record<string, string>> = { etag: 'ETag', 'content-md5': 'Content-MD5', dnt: 'DNT' };

function spelled(name: string): string {
  const known =
    SPELLED[name] ??
    name.replace(/(^|-)([a-z])/g, (_, before: string, c: string) => before + c.toUpperCase());
  return known.replace(/^(X-)?Ratelimit/, (_, x: string | undefined) => `${x ?? ''}RateLimit`);
}

function headersOf(family: Family, answers: Answers): readonly HeaderLine[] {
  const kinds = ['caching', 'cors', 'rate-limit', 'retirement', 'transport'] as const;
  return kinds.flatMap((kind) =>
    Object.entries(answers[`response-headers.${kind}`][family] ?? {}).map(
      ([name, value]): HeaderLine => [spelled(name), value],
    ),
  );
}

function dressed(answer: ServiceAnswer, added: readonly HeaderLine[]): ServiceAnswer {
  return added.length === 0 ? answer : { ...answer, headers: [...answer.headers, ...added] };
}
