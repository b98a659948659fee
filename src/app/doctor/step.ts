export type StepEnd =
  | {
      readonly ok: true;
      readonly observed: string;
      readonly notes?: readonly string[];
    }
  | {
      readonly ok: false;
      readonly observed: string;
      readonly remedy: string;
    };

export interface DoctorStep {
  readonly name: string;
  /** Assigns users, and unassigns them before it ends. */
  readonly assigns?: boolean;
  check(): Promise<StepEnd>;
}

export interface CheckedStep {
  readonly name: string;
  readonly end: StepEnd;
}

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
