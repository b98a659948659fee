import { type ServiceAnswer, withHeader } from '../../answer.ts';
import type { Defect } from '../../defect.ts';
import type { Refusal, ResourceReason } from '../../refusal.ts';
import { defect } from '../define-defect.ts';
import { isOrdinary } from './current-route.ts';

/** A defect that changes what a refusal looks like. */
function failing(
  id: string,
  change: (answer: ServiceAnswer, refusal: Refusal<ResourceReason>) => ServiceAnswer,
): Defect {
  return defect(id, ({ answer }) => ({
    answer: { resourceFailure: (refusal) => change(answer.resourceFailure(refusal), refusal) },
  }));
}

/** A defect that falls over an id that is no ordinary number. */
function fallingOver(id: string, which: 'project' | 'user'): Defect {
  return defect(id, ({ assignments, answer }) => {
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
  });
}

/** Reasons that say nothing of tokens which were good once. */
const EVERYDAY: readonly ResourceReason[] = [
  'token-missing',
  'token-unknown',
  'project-unknown',
  'user-unknown',
];

const CHALLENGE = 'WWW-Authenticate';

/** Faults in what a refusal of the resource API looks like. */
export const answers: readonly Defect[] = [
  failing('resource-failure-as-200', (answer, { refused }) =>
    EVERYDAY.includes(refused) ? { ...answer, status: 200 } : answer,
  ),

  failing('resource-failure-as-redirect', (answer, { refused }) =>
    refused === 'token-missing'
      ? withHeader({ ...answer, status: 302, body: '' }, 'Location', '/sign-in')
      : answer,
  ),

  failing('resource-unknown-project-as-500', (answer, { refused }) =>
    refused === 'project-unknown' ? { ...answer, status: 500 } : answer,
  ),
  fallingOver('resource-odd-project-as-500', 'project'),
  fallingOver('resource-odd-user-as-500', 'user'),

  failing('resource-challenge-missing', (answer) => withHeader(answer, CHALLENGE, undefined)),
  failing('resource-challenge-missing-for-unknown-token', (answer, { refused }) =>
    refused === 'token-unknown' ? withHeader(answer, CHALLENGE, undefined) : answer,
  ),
];
