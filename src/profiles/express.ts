import { expectedAnswers } from './answers-of.ts';
import {
  type Answer,
  type AspectId,
  canonical,
  isWordingAspect,
  type SeenAnswers,
  sameAnswer,
  seenWording,
} from './aspects.ts';
import { expressAuthorize } from './express/authorize.ts';
import { expressResourceFailures, expressTokenFailures } from './express/failures.ts';
import { expressAccess, expressOperations } from './express/operations.ts';
import { expressSurroundings } from './express/surroundings.ts';
import { expressTokens } from './express/tokens.ts';
import type { Profile } from './profile.ts';

/** What the emulator can be told of what was seen. */
export interface Expressed {
  readonly answers: Profile['answers'];
  /** Where it would be seen to do something else, what was seen. */
  readonly notExpressed: ReadonlyMap<AspectId, Answer>;
}

/**
 * The answers of a profile on which the emulator does what was seen. Where it cannot be told to, or nothing was seen, it does as the
 * profile that was begun with. What comes out is held against what was seen, so that nothing is lost in silence.
 *
 * @param seen answers by aspect
 * @param base the profile to begin with
 */
export function express(seen: SeenAnswers, base: Profile, departures: Profile['departures']): Expressed {
  const answers = structuredClone(base.answers);
  expressAccess(answers, seen);
  expressOperations(answers, seen);
  expressResourceFailures(answers, seen);
  expressTokenFailures(answers, seen);
  expressAuthorize(answers, seen);
  expressTokens(answers, seen);
  expressSurroundings(answers, seen);
  const { departures: _, observed: __, ...plain } = base;
  const expected = expectedAnswers({
    ...plain,
    answers,
    departures,
  });
  const notExpressed = [...seen].filter(([aspect, answer]) => {
    const told = expected.get(aspect);
    if (told === undefined) return true;
    if (!isWordingAspect(aspect)) return !sameAnswer(aspect, answer, told);
    return canonical(answer) !== canonical(seenWording(aspect, told, seen));
  });
  return { answers, notExpressed: new Map(notExpressed) };
}
