import type { AnswerPolicy } from '../policy.ts';
import type { Refusal, ResourceReason } from '../refusal.ts';

export function refusedAndDone(
  answer: AnswerPolicy,
  refused: () => boolean,
  refusal: Refusal<ResourceReason>,
): Partial<AnswerPolicy> {
  return {
    assigned: (outcome, project, user) =>
      refused() ? answer.resourceFailure(refusal) : answer.assigned(outcome, project, user),
    unassigned: (outcome, project, user) =>
      refused() ? answer.resourceFailure(refusal) : answer.unassigned(outcome, project, user),
    list(project, users, query) {
      const list = answer.list(project, users, query);
      return refused() ? { ...answer.resourceFailure(refusal), body: list.body } : list;
    },
  };
}
