import { unlessAborted } from '../../http/exchange.ts';
import { cureOf, Unreachable, type Unreached } from '../../http/unreachable.ts';
import type { Clues } from '../../service/flow/smoke-steps.ts';
import type { ConfigurationFinding, Target } from '../../service/target.ts';

interface Passed {
  readonly ok: true;
  readonly observed: string;
  readonly notes: readonly string[];
}

interface Failed extends ConfigurationFinding {
  readonly ok: false;
  readonly cause?: Clues['cause'];
}

/** The end of a step: what was observed, and for a failure how to fix it. */
export type StepEnd = Passed | Failed;

export function passed(observed: string, ...notes: readonly string[]): Passed {
  return { ok: true, observed, notes };
}

export function failed(observed: string, remedy: string, cause?: Clues['cause']): Failed {
  return { ok: false, observed, remedy, cause };
}

/** One step of `doctor`. */
export interface DoctorStep {
  readonly name: string;
  /** Assigns users, and unassigns them before it ends, after an abort too. */
  readonly assigns?: boolean;
  check(): Promise<StepEnd>;
}

/** @returns the name of the step that failed; undefined if none did */
export async function checkSteps(
  steps: readonly DoctorStep[],
  tell: (name: string, end: StepEnd) => void,
  { traffic }: Pick<Target, 'traffic'>,
  signal?: AbortSignal,
): Promise<string | undefined> {
  for (const { name, assigns, check: act } of steps) {
    const ended = await (assigns ? act() : unlessAborted(act(), signal));
    const end = reached(ended, traffic?.unreached(1) ?? []);
    tell(name, end);
    if (!end.ok) return name;
  }
  return undefined;
}

/** A service that is gone explains a step better than its settings. */
function reached(end: StepEnd, gone: readonly Unreached[]): StepEnd {
  if (end.ok) return end;
  const lost = [end.cause, ...gone.map(({ failure }) => failure)].find((one) => one instanceof Unreachable);
  const key = lost?.silent.key;
  return lost && key ? failed(lost.message, cureOf(lost, key)) : end;
}

/** Passes a step that the service accepts only in another way than the document's. */
export function withWorkaround({ observed, notes }: Passed, message: string): StepEnd {
  return passed(observed, ...notes, `the service differs from the document: ${message}`);
}

/** The advice for a failure of unknown cause. */
export const COMPARE_SETTINGS =
  'compare the configuration with the settings of the application and the owner at the service';
