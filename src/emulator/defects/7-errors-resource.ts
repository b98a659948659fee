import { type ServiceAnswer, withHeader } from '../answer.ts';
import type { ResourceReason, ResourceRefusal } from '../refusal.ts';
import { type Changes, changing, type Defects } from './define-defect.ts';

export function failing(change: (answer: ServiceAnswer, refusal: ResourceRefusal) => ServiceAnswer): Changes {
  return changing('answer.resourceFailure', (base) => (refusal) => change(base(refusal), refusal));
}

/** Reasons that do not concern tokens that were valid once. */
const EVERYDAY: readonly ResourceReason[] = [
  'token-missing',
  'token-unknown',
  'project-unknown',
  'user-unknown',
];

export const CHALLENGE = 'WWW-Authenticate';

export const defects: Defects = {
  'resource-failure-as-200': {
    summary: 'Refusals have status 200 and tell of it in the body alone.',
    breaks: ['resource.failure-status'],
    changes: failing((answer, { refused }) =>
      EVERYDAY.includes(refused) ? { ...answer, status: 200 } : answer,
    ),
  },

  'resource-unknown-project-as-500': {
    summary: 'A project that does not exist is answered with status 500.',
    breaks: ['resource.no-5xx'],
    changes: failing((answer, { refused }) =>
      refused === 'project-unknown' ? { ...answer, status: 500 } : answer,
    ),
  },

  'resource-challenge-missing': {
    summary: 'A 401 does not say how to authenticate.',
    breaks: ['resource.challenge'],
    changes: failing((answer) => withHeader(answer, CHALLENGE, undefined)),
  },
};
