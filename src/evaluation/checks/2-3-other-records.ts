import { isSuccess } from '../../http/exchange.ts';
import { provokingCheck } from '../language/check.ts';
import type { CheckContext } from '../language/context.ts';
import { difference, sameMembers } from '../language/lists.ts';
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
    const [, other] = target.projects;
    await expectContained(context, oddCalls(target, [['assign', 'user']]));
    for (const group of wrappedCalls(target, [['assign', 'user']])) await expectNotCut(context, group);
    await given.assigned([first]);
    if (second !== undefined && other !== undefined) await given.assigned([second], other);
    await expectContained(context, oddCalls(target, [['unassign', 'user']]));
    await expectContained(context, oddCalls(target, AT_PROJECTS));
    for (const group of wrappedCalls(target, [['unassign', 'user'], ...AT_PROJECTS]))
      await expectNotCut(context, group);
  }),
];

/** Like {@link expectContained}, unless an unknown number reaches a user too; another requirement covers that. */
async function expectNotCut(context: CheckContext, { calls, unknown }: WrappedCalls): Promise<void> {
  if (calls.length === 0) return;
  try {
    await expectContained(context, [unknown]);
  } catch (error) {
    if (error instanceof ConformanceFailure) return;
    throw error;
  }
  await expectContained(context, calls);
}

/**
 * Requires that requests with odd ids change no list of the suite's projects and list none of their users. Reads the
 * lists after all requests, and names the honoured requests only if a list changed.
 */
async function expectContained(context: CheckContext, calls: readonly OddCall[]): Promise<void> {
  const { given, target, users } = context;
  const before = await given.lists();
  const everybody = [...before.values()].flat();
  const honoured: string[] = [];
  for (const call of calls) {
    const { operation, project, user } = call;
    const answer = await users[operation]({ project, user }).send();
    const name = describeOdd(call, target);
    if (isSuccess(answer.response)) honoured.push(name);
    if (operation === 'list' && users.listsAnyOf(answer, everybody))
      throw new ConformanceFailure(`${name} to list no user`, `status ${answer.response.status} and a list`);
  }
  for (const [project, listed] of await given.lists()) {
    const was = before.get(project) ?? [];
    if (sameMembers(listed, was)) continue;
    const got = `${difference(was, listed)} in a project's list`;
    const what = honoured.length === 0 ? 'requests with odd ids' : `one of ${honoured.join(', ')}`;
    throw new ConformanceFailure(`${what} to reach no user`, got);
  }
}
