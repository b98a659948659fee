import type { Run } from './assemble.ts';
import type { RequirementResult } from './results.ts';

export interface Ages {
  /** Undefined if every requirement counts. */
  readonly adopted: string | undefined;
  sinceOf(id: string): string | undefined;
  isNew(id: string): boolean;
}

/**
 * Adds `since` to each result and marks requirements newer than the adopted version: their failures become warnings and
 * do not affect the verdict.
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
