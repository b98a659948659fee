import { validateProfile } from '../../generated/validators.js';
import { expectedAnswers } from './answers-of.ts';
import {
  type AspectAnswer,
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
  readonly notExpressed: ReadonlyMap<AspectId, AspectAnswer>;
}

/**
 * The answers of a profile on which the emulator does what was seen. Where it cannot be told to, or nothing was seen, it does as the
 * profile that was begun with. What comes out is held against what was seen, so that nothing is lost in silence.
 *
 * @param seen answers by aspect
 * @param base the profile to begin with
 */
export function express(seen: SeenAnswers, base: Profile, departures: Profile['departures']): Expressed {
  const told = structuredClone(base.answers);
  expressAccess(told, seen);
  expressOperations(told, seen);
  expressResourceFailures(told, seen);
  expressTokenFailures(told, seen);
  expressAuthorize(told, seen);
  expressTokens(told, seen);
  expressSurroundings(told, seen);
  const { departures: _, observed: __, ...plain } = base;
  const answers = validOf(told, plain);
  const expected = expectedAnswers({
    ...plain,
    answers,
    departures,
  });
  const notExpressed = [...seen].filter(([aspect, answer]) => {
    const shown = expected.get(aspect);
    if (shown === undefined) return true;
    if (!isWordingAspect(aspect)) return !sameAnswer(aspect, answer, shown);
    return canonical(answer) !== canonical(seenWording(aspect, shown, seen));
  });
  return { answers, notExpressed: new Map(notExpressed) };
}

/** The answers with those open points as they were that no profile can hold, whatever a service was seen to do there. */
function validOf(
  told: Profile['answers'],
  base: Omit<Profile, 'departures' | 'observed'>,
): Profile['answers'] {
  const points = Object.keys(told) as (keyof Profile['answers'])[];
  const invalid = points.filter(
    (point) => !validateProfile({ ...base, answers: { ...base.answers, [point]: told[point] } }),
  );
  return {
    ...told,
    ...Object.fromEntries(invalid.map((point) => [point, structuredClone(base.answers[point])])),
  };
}
