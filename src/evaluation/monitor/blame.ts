import type { RequirementId } from '../../../generated/ids.ts';
import type { AssignmentChange, WrongUser } from './projects.ts';

/**
 * Returns the requirement to blame for a wrong list.
 * @param since changes since that project's last right list, oldest first
 * @param elsewhere true if the user is assigned to another project
 */
export function blameFor(
  wrong: WrongUser,
  project: string,
  since: readonly AssignmentChange[],
  elsewhere: boolean,
): RequirementId {
  const toUser = since.findLast((one) => one.project === project && one.user === wrong.user);
  const last = since.at(-1);
  const lastHere = since.findLast((one) => one.project === project);
  if (toUser !== undefined) return blameOnUsersOwn(wrong, toUser, lastHere ?? toUser);
  if (lastHere !== undefined) return blameOnOthers(wrong, lastHere, elsewhere);
  if (last === undefined) return wrong.listed && elsewhere ? 'list.project-scoped' : 'list.returns-assigned';
  if (last.blame !== 'lawful') return last.blame ?? 'list.returns-assigned';
  const operation = wrong.listed ? 'assign' : 'unassign';
  const same = since.findLast((one) => one.operation === operation && one.user === wrong.user);
  if (same !== undefined || (!wrong.listed && last.operation === operation))
    return `${operation}.project-scoped`;
  return wrong.listed && elsewhere ? 'list.project-scoped' : 'list.returns-assigned';
}

function blameOnUsersOwn(
  wrong: WrongUser,
  change: AssignmentChange,
  lastHere: AssignmentChange,
): RequirementId {
  if (change.blame !== 'lawful') return change.blame ?? 'list.returns-assigned';
  const { operation, redundant } = change;
  if (operation === 'other') return 'list.returns-assigned';
  const undone = operation === 'assign' ? !wrong.listed : wrong.listed;
  if (!undone) return 'list.returns-assigned';
  if (lastHere !== change && !wrong.listed) return blameOnOthers(wrong, lastHere, false);
  if (redundant) return `${operation}.idempotent`;
  return operation === 'assign' ? 'assign.adds-user' : 'unassign.removes-user';
}

export interface WrongReader {
  /** The same token got the right list a moment ago, after the last change. */
  readonly sawItRight: boolean;
  /** This token, or one that it descends from, got the same list before the last change. */
  readonly wasShownThis: boolean;
  readonly shownBefore: boolean;
}

/** The same for a list that became wrong without a change: reading caused it, or this reader gets another list. */
export function blameOnReader(
  { listed }: WrongUser,
  { sawItRight, wasShownThis, shownBefore }: WrongReader,
  lastDone: 'assign' | 'unassign' | undefined,
  elsewhere: boolean,
): RequirementId {
  if (sawItRight) return listed && elsewhere ? 'list.project-scoped' : 'list.safe';
  if (wasShownThis || (!listed && shownBefore)) return 'list.fresh';
  if (listed && lastDone === 'unassign') return 'unassign.removes-user';
  return listed && elsewhere ? 'list.project-scoped' : 'list.returns-assigned';
}

export function blameForTwice(
  user: string,
  project: string,
  since: readonly AssignmentChange[],
): RequirementId {
  const toUser = since.filter((one) => one.project === project && one.user === user);
  const [before, last] = [toUser.at(-2), toUser.at(-1)];
  const again = last?.redundant || before?.operation === 'assign';
  return last?.operation === 'assign' && again ? 'assign.idempotent' : 'list.returns-assigned';
}

function blameOnOthers(wrong: WrongUser, last: AssignmentChange, elsewhere: boolean): RequirementId {
  if (last.blame !== 'lawful') return last.blame ?? 'list.returns-assigned';
  if (last.operation === 'other') return 'list.returns-assigned';
  if (!wrong.listed) return `${last.operation}.leaves-others`;
  return elsewhere ? 'list.project-scoped' : 'list.returns-assigned';
}
