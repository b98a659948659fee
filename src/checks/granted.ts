import type { CheckContext } from './context.ts';
import { ConformanceFailure } from './outcome.ts';

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
