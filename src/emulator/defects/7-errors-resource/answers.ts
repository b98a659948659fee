import { type ServiceAnswer, withHeader } from '../../answer.ts';
import type { Refusal, ResourceReason } from '../../refusal.ts';
import { type Changes, changing, type Defects } from '../define-defect.ts';
import { isOrdinary } from './ordinary-id.ts';

function failing(
  change: (answer: ServiceAnswer, refusal: Refusal<ResourceReason>) => ServiceAnswer,
): Changes {
  return changing('answer.resourceFailure', (base) => (refusal) => change(base(refusal), refusal));
}

function fallingOver(which: 'project' | 'user'): Changes {
  return ({ assignments, answer }) => {
    let odd = false;
    return {
      assignments: {
        project(projectId, store) {
          odd = which === 'project' && !isOrdinary(projectId);
          return assignments.project(projectId, store);
        },
        user(userId, store) {
          odd = which === 'user' && !isOrdinary(userId);
          return assignments.user(userId, store);
        },
      },
      answer: {
        resourceFailure(refusal) {
          const failure = answer.resourceFailure(refusal);
          return odd && refusal.refused === `${which}-unknown` ? { ...failure, status: 500 } : failure;
        },
      },
    };
  };
}

/** Reasons that do not concern tokens that were valid once. */
const EVERYDAY: readonly ResourceReason[] = [
  'token-missing',
  'token-unknown',
  'project-unknown',
  'user-unknown',
];

const CHALLENGE = 'WWW-Authenticate';

export const answers: Defects = {
  'resource-failure-as-200': {
    summary: 'Refusals have status 200 and tell of it in the body alone.',
    severity: 'blunt',
    breaks: ['resource.failure-status'],
    changes: failing((answer, { refused }) =>
      EVERYDAY.includes(refused) ? { ...answer, status: 200 } : answer,
    ),
  },

  'resource-failure-as-redirect': {
    summary: 'A request without a token is redirected to the sign-in page.',
    breaks: ['resource.failure-status'],
    changes: failing((answer, { refused }) =>
      refused === 'token-missing'
        ? withHeader({ ...answer, status: 302, body: '' }, 'Location', '/sign-in')
        : answer,
    ),
  },

  'resource-unknown-project-as-500': {
    summary: 'A project that does not exist is answered with status 500.',
    severity: 'blunt',
    breaks: ['resource.no-5xx'],
    changes: failing((answer, { refused }) =>
      refused === 'project-unknown' ? { ...answer, status: 500 } : answer,
    ),
  },
  'resource-odd-project-as-500': {
    summary: 'A project id that is no number is answered with status 500.',
    breaks: ['resource.no-5xx'],
    changes: fallingOver('project'),
  },
  'resource-odd-user-as-500': {
    summary: 'A user id that is no number is answered with status 500.',
    breaks: ['resource.no-5xx'],
    changes: fallingOver('user'),
  },

  'resource-challenge-missing': {
    summary: 'A 401 does not say how to authenticate.',
    severity: 'blunt',
    breaks: ['resource.challenge'],
    changes: failing((answer) => withHeader(answer, CHALLENGE, undefined)),
  },
  'resource-challenge-missing-for-unknown-token': {
    summary: 'A 401 for a token that is not known does not say how to authenticate.',
    breaks: ['resource.challenge'],
    changes: failing((answer, { refused }) =>
      refused === 'token-unknown' ? withHeader(answer, CHALLENGE, undefined) : answer,
    ),
  },
};
