import { neverIssued, unknownId } from './altered.ts';
import type { CheckContext } from './context.ts';
import { type HeardResourceAnswer, NO_TOKEN, type UserCall } from './user-acts.ts';

/** One answer of the resource API to a request that is to be refused. */
export interface ProvokedRefusal {
  readonly name: string;
  readonly answer: HeardResourceAnswer;
}

/** Every kind of refusal at the resource API (clause 7) for each operation, whatever becomes of it. */
export async function provokeResourceRefusals(context: CheckContext): Promise<readonly ProvokedRefusal[]> {
  const { given, users, target } = context;
  await given.assigned([target.users[0]]);
  const never = neverIssued(await given.accessToken());
  const kinds: readonly (readonly [string, UserCall])[] = [
    ['no token', { token: NO_TOKEN }],
    ['a token that was never issued', { token: never }],
    ['an unknown project', { project: unknownId(target.projects[0]) }],
  ];
  const provoked: ProvokedRefusal[] = [];
  for (const operation of ['list', 'assign', 'unassign'] as const) {
    for (const [kind, call] of kinds) {
      provoked.push({ name: `${operation} with ${kind}`, answer: await users[operation](call).answer() });
    }
    if (operation === 'list') continue;
    const user = unknownId(target.users[0]);
    provoked.push({
      name: `${operation} with an unknown user`,
      answer: await users[operation]({ user }).answer(),
    });
  }
  return provoked;
}
