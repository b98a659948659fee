import {
  type AspectAnswer,
  type AspectId,
  aspectIds,
  isAspectId,
  isWordingAspect,
  type SeenAnswers,
  seenWording,
} from './aspects.ts';
import { flowExpected } from './expected/flow.ts';
import { operationsExpected } from './expected/operations.ts';
import { otherMethodsExpected } from './expected/other-methods.ts';
import { resourceFailuresExpected } from './expected/resource-failures.ts';
import { tokenFailuresExpected } from './expected/token-failures.ts';
import type { Profile } from './profile.ts';

/** What is seen, aspect by aspect, of the emulator when it runs on a profile. */
export function expectedAnswers(profile: Profile): SeenAnswers {
  const { answers } = profile;
  const expected = new Map<AspectId, AspectAnswer>([
    ...operationsExpected(answers),
    ...resourceFailuresExpected(answers),
    ...tokenFailuresExpected(answers),
    ...flowExpected(profile),
    ...otherMethodsExpected(answers),
  ]);
  return new Map(
    aspectIds.flatMap((aspect) => {
      const answer = expected.get(aspect);
      return answer === undefined ? [] : [[aspect, answer] as const];
    }),
  );
}

/**
 * The answers that a profile stands for: those of the emulator that runs on it; of an observed profile, those that were seen and no
 * others.
 */
export function answersOf(profile: Profile): SeenAnswers {
  const { observed } = profile;
  if (observed === undefined) return expectedAnswers(profile);
  const answers = new Map(expectedAnswers(profile));
  for (const aspect of Object.keys(observed.notObserved)) if (isAspectId(aspect)) answers.delete(aspect);
  for (const [aspect, answer] of answers) {
    if (isWordingAspect(aspect)) answers.set(aspect, seenWording(aspect, answer, answers));
  }
  for (const [aspect, answer] of Object.entries(observed.notExpressed ?? {})) {
    if (isAspectId(aspect)) answers.set(aspect, answer as AspectAnswer);
  }
  return answers;
}
