import type { ServiceAnswer } from '../../answer.ts';
import type { Defect } from '../../defect.ts';
import type { AnswerPolicy, Policy, ReceivedResourceRequest, ResourceOperation } from '../../policy.ts';
import { refuse } from '../../refusal.ts';
import { defect, type PolicyChanges } from '../define-defect.ts';
import { anybodysPair, METHOD } from './anybody.ts';

const MISSING = refuse('token-missing', 'no token was presented');

/** An operation lets in whoever presents no token, if their request is as told. */
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

/** The three ways in which an operation does without a token. */
function withoutToken(operation: ResourceOperation): readonly Defect[] {
  return [
    defect(`${operation}-token-optional`, (policy) => ({
      token: lettingIn(policy, operation, () => true).token,
    })),

    defect(`${operation}-empty-token-accepted`, (policy) => ({
      token: lettingIn(policy, operation, ({ authorization }) => authorization !== '').token,
    })),

    defect(`${operation}-without-token-refused-and-done`, (policy) => {
      const { token, letIn } = lettingIn(policy, operation, () => true);
      return { token, answer: refusing(policy.answer, letIn) };
    }),
  ];
}

/** Answers of operations that were done for nobody: the status of a refusal, and the list all the same. */
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

/** Faults by which an operation needs no access token. */
export const tokenRequired: readonly Defect[] = [
  ...withoutToken('assign'),
  ...withoutToken('unassign'),
  ...withoutToken('list'),
];
