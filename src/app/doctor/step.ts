/** What came of one step of `doctor`. */
export type StepEnd =
  | {
      readonly ok: true;
      /** What was seen, in a few words. */
      readonly saw: string;
      /** What is worth knowing and no reason to stop. */
      readonly notes?: readonly string[];
    }
  | {
      readonly ok: false;
      /** What was expected and what came. */
      readonly saw: string;
      /** What to do. */
      readonly remedy: string;
    };

/** One step: something without which no step after it can work. */
export interface DoctorStep {
  /** `names`, `certificates`, `authorize page`. */
  readonly name: string;
  /** It assigns users, and unassigns them before it ends. */
  readonly assigns?: boolean;
  check(): Promise<StepEnd>;
}

/** A step that was checked. */
export interface CheckedStep {
  readonly name: string;
  readonly end: StepEnd;
}

/**
 * Checks steps in their order and stops at the first that fails.
 *
 * @param tell called with each step as soon as it was checked
 * @returns whether all of them passed
 */
export async function checkSteps(
  steps: readonly DoctorStep[],
  tell: (checked: CheckedStep) => void,
): Promise<boolean> {
  for (const { name, check: act } of steps) {
    const end = await act();
    tell({ name, end });
    if (!end.ok) return false;
  }
  return true;
}
