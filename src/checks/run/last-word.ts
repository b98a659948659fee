import type { RequirementId } from '../../../generated/ids.ts';
import type { RecordEntry } from '../../exchange/recorder.ts';
import { toEvidence } from '../../exchange/to-evidence.ts';
import type { UnsteadyList } from '../../flow/project-watch.ts';
import type { RunTrouble } from '../../report/results.ts';
import { noEffect } from '../given.ts';
import { ConformanceFailure } from '../outcome.ts';
import { ownerOfRefusal } from '../resource-owners.ts';
import type { CheckOutcome } from '../run-check.ts';
import type { UsableGround } from './ground.ts';
import { lastCleanUp } from './last-clean-up.ts';
import { failedElsewhere, settled } from './settle.ts';

/** What is to be said when all checks were made. */
export interface LastWord {
  /** Requirements that failed although their own check did not, in place of what they came to before. */
  readonly failed: readonly CheckOutcome[];
  readonly troubles: readonly RunTrouble[];
  /** Own users who stay assigned because of a requirement that failed, in one sentence. */
  readonly left?: string;
}

/** Requirements whose failure explains that own users stay assigned, or that nobody can tell. */
const EXPLAIN_LEFT: readonly string[] = ['unassign.removes-user', 'list.returns-assigned'];

/**
 * Looks at a lane's checks together, and cleans up once more whom the service did not unassign.
 *
 * @param outcomes of the lane's checks
 * @param disturbed why another client may be the cause of what is left; undefined without one
 */
export async function lastWord(
  { surroundings: { session, bodyView, walk }, projects }: UsableGround,
  outcomes: readonly CheckOutcome[],
  disturbed: string | undefined,
): Promise<LastWord> {
  const failed = [...settled(outcomes, session.secrets)];
  const troubles: RunTrouble[] = [];
  /** Fails a requirement that was checked and has not failed; false where it was not checked. */
  const fail = (
    id: RequirementId,
    seen: ConformanceFailure,
    where: string,
    entries: readonly RecordEntry[],
  ): boolean => {
    const own = outcomes.find(({ result }) => result.id === id);
    const open = own?.result.result === 'pass' || own?.result.result === 'blocked';
    const evidence = toEvidence(entries, session.secrets, bodyView);
    if (own !== undefined && open) failed.push(failedElsewhere(own, seen, where, evidence, session.secrets));
    return own !== undefined;
  };
  const unsteady = projects?.unsteady;
  if (unsteady !== undefined) {
    const told = fail('list.returns-assigned', differing(), 'lists of this run', listsOf(unsteady));
    const { project, what } = unsteady;
    const message = `the lists of project ${project} differ by themselves: between two, with nothing sent in between, ${what}, and a later one was as the first`;
    if (!told) troubles.push({ kind: 'inconclusive', message });
  }
  const { stopped } = walk;
  if (stopped?.step === 'unassign' && stopped.httpStatus !== undefined) {
    const owner = ownerOfRefusal('unassign', stopped.httpStatus);
    const refused = new ConformanceFailure(
      'unassign to be honoured for a user who is listed',
      `status ${stopped.httpStatus}`,
    );
    fail(owner, refused, 'the smoke flow', stopped.entries);
  }
  const left = await lastCleanUp(session);
  if (left === undefined) return { failed, troubles };
  if (left.acknowledged && left.listed && disturbed === undefined)
    fail('unassign.removes-user', noEffect('unassign'), 'cleaning up', left.entries);
  const explaining = [session.leftovers.owner, ...EXPLAIN_LEFT];
  const explained = [...outcomes, ...failed].some(
    ({ result: { id, result } }) => result === 'fail' && explaining.includes(id),
  );
  if (explained && disturbed === undefined) return { failed, troubles, left: left.message };
  const unseen = left.answered && !left.listed;
  const kind = disturbed === undefined && !unseen ? 'broken' : 'inconclusive';
  return { failed, troubles: [...troubles, { kind, message: left.message }] };
}

function differing(): ConformanceFailure {
  return new ConformanceFailure(
    'lists to hold the same users while nothing is sent that changes them',
    'lists that differ and are alike again',
  );
}

function listsOf({ request, lists }: UnsteadyList): readonly RecordEntry[] {
  return lists.map((response, index) => ({
    kind: 'exchange',
    exchange: {
      purpose: index === 0 ? 'list' : 'the same list again',
      request,
      response,
      startedAt: Date.now(),
      durationMs: 0,
    },
  }));
}
