import type { Run } from './assemble.ts';
import type { RequirementResult } from './results.ts';

/** What the catalogue and the configuration say of the age of requirements. */
export interface Ages {
  /** The version that the configuration has adopted; undefined where every requirement decides. */
  readonly adopted: string | undefined;
  /** The first version that has a requirement; undefined for what is not in the catalogue. */
  sinceOf(id: string): string | undefined;
  /** Whether a requirement is newer than what was adopted. */
  isNew(id: string): boolean;
}

/**
 * Writes beside each result since when its requirement is there, and marks those that the configuration has not adopted: a failure becomes
 * a warning, and whatever came decides nothing.
 */
export function withAdoption(run: Run, { adopted, sinceOf, isNew }: Ages): Run {
  const aged = (result: RequirementResult): RequirementResult => {
    const since = sinceOf(result.id);
    const dated = since === undefined ? result : { ...result, since };
    if (adopted === undefined || !isNew(result.id)) return dated;
    return { ...dated, result: result.result === 'fail' ? 'warning' : result.result, notAdopted: true };
  };
  return { ...run, ...(adopted !== undefined && { adopted }), requirements: run.requirements.map(aged) };
}
