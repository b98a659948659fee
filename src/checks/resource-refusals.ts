import type { Answered, ResourceAnswer } from '../flow/answers.ts';
import type { CheckContext } from './context.ts';
import { plainCalls } from './refused-calls.ts';
import { type ProvokedRefusal, someOf } from './token-refusals.ts';

/**
 * Provokes every kind of refusal (clause 7) for each operation and returns the answers that refuse. Omits requests that
 * have an effect or list somebody: other requirements fail for them.
 */
export async function provokeResourceRefusals(
  context: CheckContext,
): Promise<readonly ProvokedRefusal<Answered<ResourceAnswer>>[]> {
  const { given, users, target } = context;
  const [user] = target.users;
  const provoked = [];
  for (const { of, name, call } of plainCalls(context, await given.accessToken())) {
    if (of !== 'assign' && !(await given.lastListed()).includes(user)) await given.assigned([user]);
    const { answer, effect } = await users[of](call).provoked();
    if (effect === undefined) provoked.push({ name: `${of} with ${name}`, answer });
  }
  return someOf(provoked, 'list.token-required');
}
