import type { ResultsUsed } from '../../generated/schemas.d.ts';
import { withoutMark } from './bodies.ts';
import type { WireHabit, WireResponse } from './exchange.ts';

export type Habit = WireHabit | 'byteOrderMarks';

const WORDS: Readonly<Record<Habit, string>> = {
  byteOrderMarks: 'begin with a byte order mark, which RFC 8259 section 8.1 forbids; the suite reads over it',
  strayBytes:
    'are followed by bytes that belong to no answer, such as a body after 204 (RFC 9112 section 6.3); the suite, curl and `fetch` read over them',
  unaskedContinues:
    'follow a 100 (Continue) that no request asked for (RFC 9110 section 10.1.1); the suite and curl read over it, `fetch` refuses the answer',
};

/** Returns the fault of an answer that the suite reads over; undefined for none. */
export function habitOf({ body, habit }: WireResponse): Habit | undefined {
  return withoutMark(body) === body ? habit : 'byteOrderMarks';
}

/** Says which faults the suite read over, and in how many answers. @param used of {@link Ledger}; absent in-process */
export function habitTexts(used?: Partial<ResultsUsed>): readonly string[] {
  return (Object.keys(WORDS) as Habit[]).flatMap((name) =>
    used?.[name] ? `habit: ${used[name]} answers of the service ${WORDS[name]}` : [],
  );
}
