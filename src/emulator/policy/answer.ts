import { type Answer, emptyAnswer, type HeaderLine } from '../answer.ts';
import type { AnswerPolicy, Endpoint } from '../policy.ts';
import type { Answers, OtherMethod, ResponseHeaders } from '../profile.ts';
import { authorizeAnswers } from './answer-authorize.ts';
import { resourceAnswers } from './answer-resource.ts';
import { tokenAnswers } from './answer-token.ts';

/** What clients see, by open points 3 to 7, 12, 16 and 17. */
export function answerPolicy(answers: Answers): AnswerPolicy {
  const { head, options, authorize, token, resource } = answers['other-methods'];
  const { names, ...headers } = answers['response-headers'];
  const extra = {
    pages: Object.entries(headers.pages),
    token: Object.entries(headers.token),
    resource: Object.entries(headers.resource),
  };

  return {
    ...authorizeAnswers(answers),
    ...tokenAnswers(answers),
    ...resourceAnswers(answers),

    method: (method) => (method === 'HEAD' && head === 'as-get' ? 'GET' : method),

    otherMethod(endpoint, method, allowed) {
      const kind = kindOf(endpoint);
      const own = { pages: authorize, token, resource }[kind];
      const { status, allow }: OtherMethod = method === 'OPTIONS' ? options : own;
      return emptyAnswer(status, allow ? [['Allow', allowed.join(', ')]] : []);
    },

    finish: (endpoint, answer) => dressed(answer, extra[kindOf(endpoint)], names),
  };
}

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

function dressed(answer: Answer, added: readonly HeaderLine[], names: ResponseHeaders['names']): Answer {
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
