import type { ServiceAnswer } from '../../answer.ts';
import type { AnswerPolicy, Policy, ReceivedResourceRequest, ResourceOperation } from '../../policy.ts';
import { refuse } from '../../refusal.ts';
import type { Changes, Defects, PolicyChanges } from '../define-defect.ts';
import { anybodysPair, METHOD } from './anybody.ts';

const MISSING = refuse('token-missing', 'no token was presented');

function lettingIn(
  { token }: Policy,
  operation: ResourceOperation,
  lets: (request: ReceivedResourceRequest) => boolean,
): { readonly token: NonNullable<PolicyChanges['token']>; readonly letIn: () => boolean } {
  let letIn = false;
  return {
    letIn: () => letIn,
    token: {
      presented(request) {
        const presented = token.presented(request);
        letIn = presented === undefined && request.method === METHOD[operation] && lets(request);
        return presented;
      },
      find: (presented, store) => (letIn ? anybodysPair() : token.find(presented, store)),
    },
  };
}

function lettingAnybodyIn(operation: ResourceOperation): Changes {
  return (policy) => ({ token: lettingIn(policy, operation, () => true).token });
}

function lettingEmptyIn(operation: ResourceOperation): Changes {
  return (policy) => ({
    token: lettingIn(policy, operation, ({ authorization }) => authorization !== '').token,
  });
}

function refusedAndDone(operation: ResourceOperation): Changes {
  return (policy) => {
    const { token, letIn } = lettingIn(policy, operation, () => true);
    return { token, answer: refusing(policy.answer, letIn) };
  };
}

/** Answers operations done without a token: the status of a refusal, but with the list in the body. */
function refusing(answer: AnswerPolicy, letIn: () => boolean): Partial<AnswerPolicy> {
  const orRefused = (given: ServiceAnswer): ServiceAnswer =>
    letIn() ? answer.resourceFailure(MISSING) : given;
  return {
    assigned: (outcome, project, user) => orRefused(answer.assigned(outcome, project, user)),
    unassigned: (outcome, project, user) => orRefused(answer.unassigned(outcome, project, user)),
    list(project, users, query) {
      const given = answer.list(project, users, query);
      return letIn() ? { ...orRefused(given), body: given.body } : given;
    },
  };
}

export const tokenRequired: Defects = {
  'assign-token-optional': {
    summary: 'Assign needs no access token.',
    severity: 'blunt',
    breaks: ['assign.token-required'],
    changes: lettingAnybodyIn('assign'),
  },
  'assign-empty-token-accepted': {
    summary: 'Assign is content with a header that names the scheme and holds no token.',
    breaks: ['assign.token-required'],
    changes: lettingEmptyIn('assign'),
  },
  'assign-without-token-refused-and-done': {
    summary: 'Assign without a token is answered with 401, after it was done.',
    breaks: ['assign.token-required'],
    changes: refusedAndDone('assign'),
  },
  'unassign-token-optional': {
    summary: 'Unassign needs no access token.',
    severity: 'blunt',
    breaks: ['unassign.token-required'],
    changes: lettingAnybodyIn('unassign'),
  },
  'unassign-empty-token-accepted': {
    summary: 'Unassign is content with a header that names the scheme and holds no token.',
    breaks: ['unassign.token-required'],
    changes: lettingEmptyIn('unassign'),
  },
  'unassign-without-token-refused-and-done': {
    summary: 'Unassign without a token is answered with 401, after it was done.',
    breaks: ['unassign.token-required'],
    changes: refusedAndDone('unassign'),
  },
  'list-token-optional': {
    summary: 'The list needs no access token.',
    severity: 'blunt',
    breaks: ['list.token-required'],
    changes: lettingAnybodyIn('list'),
  },
  'list-empty-token-accepted': {
    summary: 'The list is content with a header that names the scheme and holds no token.',
    breaks: ['list.token-required'],
    changes: lettingEmptyIn('list'),
  },
  'list-without-token-refused-and-done': {
    summary: 'The list without a token has the status of a refusal, and is there all the same.',
    breaks: ['list.token-required'],
    changes: refusedAndDone('list'),
  },
};
