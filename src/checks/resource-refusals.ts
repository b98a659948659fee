import { neverIssued, unknownId } from './altered.ts';
import type { CheckContext } from './context.ts';
import { Blocked } from './outcome.ts';
import { type HeardResourceAnswer, NO_TOKEN, type ProvokedAnswer, type UserCall } from './user-acts.ts';

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
  const anyTarget: readonly (readonly [string, UserCall])[] = [
    ['no token', { token: NO_TOKEN }],
    ['a token that was never issued', { token: neverIssued(await given.accessToken()) }],
    ['an unknown project', { project: unknownId(target.projects[0]) }],
  ];
  const withUser = [...anyTarget, ['an unknown user', { user: unknownId(target.users[0]) }]] as const;
  const provoked: ProvokedRefusal[] = [];
  for (const operation of ['assign', 'list', 'unassign'] as const) {
    const kinds = operation === 'list' ? anyTarget : withUser;
    // Where the project does not exist, its own list is looked at too.
    const alone = ({ project }: UserCall) =>
      operation === 'list' || (operation === 'assign' && project !== undefined);
    const calls = kinds.map(([, call]) => call).filter((call) => !alone(call));
    let together: Promise<readonly ProvokedAnswer[]> | undefined;
    for (const [kind, call] of kinds) {
      const { answer, effect } = await context.once(`${operation} with ${kind}`, async () => {
        if (operation !== 'assign' && !(await given.lastListed()).includes(target.users[0]))
          await given.assigned([target.users[0]]);
        if (!alone(call)) together ??= users.provokedTogether(operation, calls);
        return (await together)?.[calls.indexOf(call)] ?? users[operation](call).provoked();
      });
      if (effect === undefined) provoked.push({ name: `${operation} with ${kind}`, answer });
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
