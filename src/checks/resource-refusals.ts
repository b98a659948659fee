import { neverIssued, unknownId } from './altered.ts';
import type { CheckContext } from './context.ts';
import { Blocked } from './outcome.ts';
import type { RefusalId } from './refused-calls.ts';
import { type HeardResourceAnswer, NO_TOKEN, type ProvokedAnswer, type UserCall } from './user-acts.ts';

/** One answer of the resource API that refuses. */
export interface ProvokedRefusal {
  readonly name: string;
  readonly answer: HeardResourceAnswer;
}

/** One way in which a request to the resource API is to be refused. */
interface Kind {
  readonly name: string;
  readonly call: UserCall;
  /** The check of each operation that is about it. */
  readonly check:
    | 'token-required'
    | 'token-invalid-refused'
    | 'unknown-project-refused'
    | 'unknown-user-refused';
}

/**
 * Provokes every kind of refusal at the resource API (clause 7) for each operation, and yields the answers that refuse.
 * Requests that have an effect, or list somebody, against the document are left out: other requirements fail for them.
 */
export async function provokeResourceRefusals(
  context: CheckContext,
): Promise<readonly [ProvokedRefusal, ...ProvokedRefusal[]]> {
  const { given, users, refused, target } = context;
  const anyTarget: readonly Kind[] = [
    { name: 'no token', call: { token: NO_TOKEN }, check: 'token-required' },
    {
      name: 'a token that was never issued',
      call: { token: neverIssued(await given.accessToken()) },
      check: 'token-invalid-refused',
    },
    {
      name: 'an unknown project',
      call: { project: unknownId(target.projects[0]) },
      check: 'unknown-project-refused',
    },
  ];
  const unknownUser = {
    name: 'an unknown user',
    call: { user: unknownId(target.users[0]) },
    check: 'unknown-user-refused',
  } as const;
  const provoked: ProvokedRefusal[] = [];
  for (const operation of ['assign', 'list', 'unassign'] as const) {
    const unsent: Kind[] = [];
    for (const kind of operation === 'list' ? anyTarget : [...anyTarget, unknownUser]) {
      const answer = refused.firstAnswer(`${operation}.${kind.check}` as RefusalId);
      if (answer === undefined) unsent.push(kind);
      else provoked.push({ name: `${operation} with ${kind.name}`, answer });
    }
    // Where the project does not exist, its own list is looked at too.
    const alone = ({ project }: UserCall) =>
      operation === 'list' || (operation === 'assign' && project !== undefined);
    const calls = unsent.map(({ call }) => call).filter((call) => !alone(call));
    let together: Promise<readonly ProvokedAnswer[]> | undefined;
    for (const { name, call } of unsent) {
      const { answer, effect } = await context.once(`${operation} with ${name}`, async () => {
        if (operation !== 'assign' && !(await given.lastListed()).includes(target.users[0]))
          await given.assigned([target.users[0]]);
        if (!alone(call)) together ??= users.provokedTogether(operation, calls);
        return (await together)?.[calls.indexOf(call)] ?? users[operation](call).provoked();
      });
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
