import { type AspectAnswer, type AspectId, aspectIds, type SeenAnswers } from './aspects.ts';
import type { Profile } from './profile.ts';

/** The answers that a profile stands for: of an observed one those that were seen, and no others. */
export function answersOf({ answers, observed }: Profile): SeenAnswers {
  return new Map<AspectId, AspectAnswer>(
    aspectIds.flatMap((id) => {
      const answer = answers[id];
      return answer === undefined || (observed !== undefined && id in observed.notObserved)
        ? []
        : [[id, answer as AspectAnswer]];
    }),
  );
}
