import type { Answered, ResourceAnswer } from '../flow/answers.ts';
import type { CheckContext } from './context.ts';
import { Blocked } from './outcome.ts';
import { plainCalls } from './refused-calls.ts';

export interface ProvokedRefusal {
  readonly name: string;
  readonly answer: Answered<ResourceAnswer>;
}

/**
 * Provokes every kind of refusal (clause 7) for each operation and returns the answers that refuse. Omits requests that
 * have an effect or list somebody: other requirements fail for them.
 */
export async function provokeResourceRefusals(
  context: CheckContext,
): Promise<readonly [ProvokedRefusal, ...ProvokedRefusal[]]> {
  const { given, users, target } = context;
  const [user] = target.users;
  const provoked: ProvokedRefusal[] = [];
  for (const { of, name, call } of plainCalls(context, await given.accessToken())) {
    if (of !== 'assign' && !(await given.lastListed()).includes(user)) await given.assigned([user]);
    const { answer, effect } = await users[of](call).provoked();
    if (effect === undefined) provoked.push({ name: `${of} with ${name}`, answer });
  }
  const [first, ...rest] = provoked;
  if (first === undefined)
    throw new Blocked(
      'see a refusal',
      'list.token-required',
      'every request that should be refused was honoured',
    );
  return [first, ...rest];
}
