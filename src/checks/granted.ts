import type { Application } from '../targets/target.ts';
import type { AuthorizeAction } from './authorize-actions.ts';
import type { CheckContext } from './context.ts';
import { Blocked, ConformanceFailure } from './outcome.ts';

/**
 * Requires a code for a scope value, and a token response that names no fewer scopes. A response without scopes grants
 * those requested (RFC 6749 section 5.1).
 */
export async function expectGranted({ authorize, token }: CheckContext, scope: string): Promise<void> {
  const { code } = await authorize.request({ scope }).expectCode();
  const answer = await token.exchange({ code }).anyAnswer();
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
 * Requires no code although one scope was granted before. If the tokens of a code name that scope alone, blocks the
 * check: the service dropped the others and need not ask.
 */
export async function expectNotCovered(
  { token }: Pick<CheckContext, 'token'>,
  request: AuthorizeAction,
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
