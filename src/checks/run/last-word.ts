import { toEvidence } from '../../exchange/to-evidence.ts';
import type { RunTrouble } from '../../report/results.ts';
import { noEffect } from '../given.ts';
import type { CheckOutcome } from '../run-check.ts';
import type { UsableGround } from './ground.ts';
import { lastCleanUp } from './last-clean-up.ts';
import { failedElsewhere, settled } from './settle.ts';

/** What is to be said when all checks were made. */
export interface LastWord {
  /** Requirements that failed although their own check did not, in place of what they came to before. */
  readonly failed: readonly CheckOutcome[];
  readonly troubles: readonly RunTrouble[];
}

/**
 * Looks at a lane's checks together, and cleans up once more whom the service did not unassign.
 *
 * @param outcomes of the lane's checks
 * @param disturbed why another client may be the cause of what is left; undefined without one
 */
export async function lastWord(
  { surroundings: { session, bodyView } }: UsableGround,
  outcomes: readonly CheckOutcome[],
  disturbed: string | undefined,
): Promise<LastWord> {
  const left = await lastCleanUp(session);
  const failed = settled(outcomes, session.secrets);
  if (left === undefined) return { failed, troubles: [] };
  if (disturbed !== undefined) return { failed, troubles: [{ kind: 'inconclusive', message: left.message }] };
  const troubles = [{ kind: 'broken', message: left.message }] as const;
  const owner = outcomes.find(({ result }) => result.id === 'unassign.removes-user');
  const open = owner?.result.result === 'pass' || owner?.result.result === 'blocked';
  if (!left.acknowledged || owner === undefined || !open) return { failed, troubles };
  const evidence = toEvidence(left.entries, session.secrets, bodyView);
  const own = failedElsewhere(owner, noEffect('unassign'), 'cleaning up', evidence, session.secrets);
  return { failed: [...failed, own], troubles };
}
