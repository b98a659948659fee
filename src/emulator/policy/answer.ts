import type { HeaderLine, ServiceAnswer } from '../answer.ts';
import type { AnswerPolicy, Endpoint } from '../policy.ts';
import type { Answers, OtherMethod, ResponseHeaders } from '../profile.ts';
import { authorizeAnswers } from './answer-authorize.ts';
import { resourceAnswers } from './answer-resource.ts';
import { tokenAnswers } from './answer-token.ts';
import { shapedAnswer } from './shapes.ts';
import { varyingLines } from './varying.ts';

/** What clients see, by open points 3 to 7, 12, 16 and 17. */
export function answerPolicy(answers: Answers): AnswerPolicy {
  const { head, options, authorize, token, resource, exceptions } = answers['other-methods'];
  const { names, ...headers } = answers['response-headers'];
  const extra = {
    pages: varyingLines(Object.entries(headers.pages)),
    token: varyingLines(Object.entries(headers.token)),
    resource: varyingLines(Object.entries(headers.resource)),
  };

  return {
    ...authorizeAnswers(answers),
    ...tokenAnswers(answers),
    ...resourceAnswers(answers),

    method: (method) => (method === 'HEAD' && head === 'as-get' ? 'GET' : method),

    otherMethod(endpoint, method, allowed) {
      const kind = kindOf(endpoint);
      const own = { pages: authorize, token, resource }[kind];
      const exception =
        endpoint === 'neighbour' ? undefined : exceptions?.[pathOf(endpoint, allowed)]?.[method];
      const { status, allow, ...body }: OtherMethod = exception ?? (method === 'OPTIONS' ? options : own);
      return shapedAnswer(status, body, 'Not allowed', allow ? [['Allow', allowed.join(', ')]] : []);
    },

    finish: (endpoint, answer) => dressed(answer, extra[kindOf(endpoint)](), names),
  };
}

/** Which of the document's paths is meant; of the resource API's, the one with a list has GET. */
function pathOf(endpoint: Endpoint, allowed: readonly string[]): keyof MethodExceptions {
  if (endpoint === 'authorize' || endpoint === 'token') return endpoint;
  if (endpoint === 'page') return 'account-area';
  return allowed.includes('GET') ? 'assigned-users' : 'assigned-user';
}

type MethodExceptions = NonNullable<Answers['other-methods']['exceptions']>;

/** Which of the three families of answers an endpoint belongs to. */
function kindOf(endpoint: Endpoint): 'pages' | 'token' | 'resource' {
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

function dressed(
  answer: ServiceAnswer,
  added: readonly HeaderLine[],
  names: ResponseHeaders['names'],
): ServiceAnswer {
  if (added.length === 0 && names === 'title-case') return answer;
  const headers = [...answer.headers, ...added];
  return {
    ...answer,
    headers:
      names === 'title-case'
        ? headers
        : headers.map(([name, value]): HeaderLine => [inCase(name, names), value]),
  };
}

function inCase(name: string, names: 'lower-case' | 'upper-case'): string {
  return names === 'lower-case' ? name.toLowerCase() : name.toUpperCase();
}
