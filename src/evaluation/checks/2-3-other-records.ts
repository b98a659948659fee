import { provokingCheck } from '../language/check.ts';
import type { CheckContext } from '../language/context.ts';
import { describeDifference, sameMembers } from '../language/lists.ts';
import {
  AT_PROJECTS,
  describeOdd,
  type OddCall,
  oddCalls,
  type WrappedCalls,
  wrappedCalls,
} from '../language/odd-ids.ts';
import { ConformanceFailure } from '../language/outcome.ts';

export const checks = [
  provokingCheck('resource.odd-ids-contained', async (context) => {
    const { given, target } = context;
    const [first, second] = target.users;
    const [project, other] = target.projects;
    const unassigned: Prepare = () => given.unassigned(first, project);
    const assigned: Prepare = async () => {
      await given.assigned([first]);
      if (second !== undefined && other !== undefined) await given.assigned([second], other);
    };
    await expectContained(context, oddCalls(target, [['assign', 'user']]), unassigned);
    for (const group of wrappedCalls(target, [['assign', 'user']]))
      await expectNotCut(context, group, unassigned);
    await assigned();
    await expectContained(context, oddCalls(target, [['unassign', 'user']]), assigned);
    await expectContained(context, oddCalls(target, AT_PROJECTS), assigned);
    for (const group of wrappedCalls(target, [['unassign', 'user'], ...AT_PROJECTS]))
      await expectNotCut(context, group, assigned);
  }),
];

type Prepare = () => Promise<void>;

/** Like {@link expectContained}, unless an unknown number reaches a user too; another requirement covers that. */
async function expectNotCut(
  context: CheckContext,
  { calls, unknown }: WrappedCalls,
  prepare: Prepare,
): Promise<void> {
  if (calls.length === 0) return;
  try {
    await expectContained(context, [unknown], prepare);
  } catch (error) {
    if (error instanceof ConformanceFailure) return;
    throw error;
  }
  await expectContained(context, calls, prepare);
}

/**
 * Requires that requests with odd ids change no list of the suite's projects and list none of their users. Reads the
 * lists after all requests, and sends them one by one only if a list changed.
 *
 * @param prepare makes the assignments again that the requests start from
 */
async function expectContained(
  context: CheckContext,
  calls: readonly OddCall[],
  prepare: Prepare,
): Promise<void> {
  const { given, target, users } = context;
  const before = await given.lists();
  const everybody = [...before.values()].flat();
  for (const call of calls) {
    const { operation, project, user } = call;
    const answer = await users[operation]({ project, user }).send();
    if (operation === 'list' && users.listsAnyOf(answer, everybody))
      throw new ConformanceFailure(
        `${describeOdd(call, target)} to list no user`,
        `status ${answer.response.status} and a list`,
      );
  }
  for (const [project, listed] of await given.lists()) {
    const was = before.get(project) ?? [];
    if (sameMembers(listed, was)) continue;
    const alone = calls.length === 1 ? calls[0] : undefined;
    for (const call of alone === undefined ? calls : []) {
      await prepare();
      await expectContained(context, [call], prepare);
    }
    const what = alone === undefined ? 'requests with odd ids' : describeOdd(alone, target);
    throw new ConformanceFailure(
      `${what} to reach no user`,
      `${describeDifference(was, listed)} in a project's list`,
    );
  }
}
