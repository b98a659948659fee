/** What came of one rung of the doctor's ladder. */
export type RungEnd =
  | {
      readonly holds: true;
      /** What was seen, in a few words. */
      readonly saw: string;
      /** What is worth knowing and no reason to stop. */
      readonly notes?: readonly string[];
    }
  | {
      readonly holds: false;
      /** What was expected and what came. */
      readonly saw: string;
      /** What to do. */
      readonly remedy: string;
    };

/** One rung: something without which nothing above it can work. */
export interface Rung {
  /** `names`, `certificates`, `authorize page`. */
  readonly name: string;
  climb(): Promise<RungEnd>;
}

/** A rung that was climbed. */
export interface ClimbedRung {
  readonly name: string;
  readonly end: RungEnd;
}

/**
 * Climbs rungs in their order and stops at the first that does not hold.
 *
 * @param tell called with each rung as soon as it was climbed
 * @returns whether all of them hold
 */
export async function climb(rungs: readonly Rung[], tell: (climbed: ClimbedRung) => void): Promise<boolean> {
  for (const { name, climb: act } of rungs) {
    const end = await act();
    tell({ name, end });
    if (!end.holds) return false;
  }
  return true;
}
