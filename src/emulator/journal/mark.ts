/** Stands between the mark of a test and the situation that the test marks. */
const ON_TOP = ' / ';

/** Returns the mark of a situation within a test. */
export function markWithin(test: string, situation: string): string {
  return test + ON_TOP + situation;
}

/** Returns the test of a mark, or the whole mark if it names a situation alone. */
export function testOf(mark: string | undefined): string | undefined {
  return mark?.split(ON_TOP)[0];
}

/** Returns the situation of a mark, or the whole mark if it names a test alone. */
export function situationOf(mark: string | undefined): string | undefined {
  return mark?.split(ON_TOP).at(-1);
}
