import type { Application } from '../targets/target.ts';
import type { AuthorizeAct } from './authorize-acts.ts';
import type { CheckContext } from './context.ts';
import { Blocked, ConformanceFailure } from './outcome.ts';

/**
 * Demands that a scope value is granted: a code comes, and the token response names no fewer scopes (RFC 6749 section 5.1:
 * one that names none grants what was asked for).
 */
export async function expectGranted({ authorize, token }: CheckContext, scope: string): Promise<void> {
  const { code } = await authorize.request({ scope }).expectCode();
  const answer = await token.exchange({ code }).asGiven();
  const granted = (answer.json as { scope?: unknown } | undefined)?.scope;
  if (typeof granted !== 'string') return;
  const absent = scope.split(' ').filter((wanted) => !granted.split(' ').includes(wanted));
  if (absent.length === 0) return;
  throw new ConformanceFailure(
    `\`${scope}\` to be granted`,
    `a token response without ${absent.join(' and ')}`,
  );
}

/**
 * Demands that a request gets no code although one scope was granted before. Where a code comes and its tokens name that scope alone,
 * the service has dropped the others: it did not have to ask, and the check is blocked.
 */
export async function expectNotCovered(
  { token }: Pick<CheckContext, 'token'>,
  request: AuthorizeAct,
  granted: string,
  application?: Application,
): Promise<void> {
  await request.expectNoCode(async (code) => {
    const { json } = await token.exchange({ code }, application).answer();
    const scope = (json as { scope?: unknown } | undefined)?.scope;
    if (scope !== granted) return;
    throw new Blocked(
      'ask for more than was granted before',
      'authorize.scope-combined',
      `the code is good for \`${granted}\` alone`,
    );
  });
}
