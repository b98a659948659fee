import { NotApplicable } from './outcome.ts';
import type { HeardTokenAnswer } from './token-acts.ts';

/** The scopes that a token response says were granted (RFC 6749 section 5.1). */
export function grantedScopes(answer: HeardTokenAnswer): readonly string[] {
  const scope = (answer.json as { scope?: unknown } | undefined)?.scope;
  if (typeof scope !== 'string') {
    throw new NotApplicable('scope-visible', 'needs scope-visible: the token response has no field `scope`');
  }
  return scope.split(' ').filter((s) => s !== '');
}
