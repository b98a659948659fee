import { type AspectAnswer, type AspectId, aspectIds, type SeenAnswers } from './aspects.ts';
import type { Profile } from './profile.ts';

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
