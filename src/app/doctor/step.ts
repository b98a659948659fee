export type StepEnd =
  | {
      readonly ok: true;
      readonly saw: string;
      readonly notes?: readonly string[];
    }
  | {
      readonly ok: false;
      readonly saw: string;
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
