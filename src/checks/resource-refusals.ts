import { neverIssued, unknownId } from './altered.ts';
import type { CheckContext } from './context.ts';
import { Blocked } from './outcome.ts';
import { type HeardResourceAnswer, NO_TOKEN, type UserCall } from './user-acts.ts';

/** One answer of the resource API that refuses. */
export interface ProvokedRefusal {
  readonly name: string;
  readonly answer: HeardResourceAnswer;
}

/**
 * Provokes every kind of refusal at the resource API (clause 7) for each operation, and yields the answers that refuse.
 * Requests that have an effect, or list somebody, against the document are left out: other requirements fail for them.
 */
export async function provokeResourceRefusals(
  context: CheckContext,
): Promise<readonly [ProvokedRefusal, ...ProvokedRefusal[]]> {
  const { given, users, target } = context;
  const [user] = target.users;
  const refused: readonly { readonly name: string; readonly call: UserCall }[] = [
    { name: 'no token', call: { token: NO_TOKEN } },
    { name: 'a token that was never issued', call: { token: neverIssued(await given.accessToken()) } },
    { name: 'an unknown project', call: { project: unknownId(target.projects[0]) } },
    { name: 'an unknown user', call: { user: unknownId(user) } },
  ];
  const provoked: ProvokedRefusal[] = [];
  for (const operation of ['assign', 'list', 'unassign'] as const) {
    for (const { name, call } of refused) {
      if (operation === 'list' && call.user !== undefined) continue;
      if (operation !== 'assign' && !(await given.lastListed()).includes(user)) await given.assigned([user]);
      const { answer, effect } = await users[operation](call).provoked();
      if (effect === undefined) provoked.push({ name: `${operation} with ${name}`, answer });
    }
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
