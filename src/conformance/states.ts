import { type AuthorizeOutcome, redirectParameters } from '../agent/user-agent.ts';
import { cameOf } from '../checks/authorize-actions.ts';
import { ConformanceFailure } from '../checks/outcome.ts';

/**
 * All characters allowed in `state` (RFC 6749 appendix A.5: printable ASCII, with a space first and last), values that
 * some languages treat as empty, and 1000 characters, longer than common database columns, as in signed states.
 */
export const STATES = [
  `${Array.from({ length: 95 }, (_, i) => String.fromCharCode(0x20 + i)).join('')}%20 `,
  '0',
  // A service that decodes twice keeps the first one unchanged, because its percent signs start no escape.
  '%2Fback%3Fto%3Da%2Bb%26c%20d',
  'abcdefgh'.repeat(125),
] as const;

/** Requires `state` to be returned once and unchanged (RFC 6749 sections 4.1.2 and 4.1.2.1). */
export function expectState(caught: AuthorizeOutcome['caught'], sent: string): void {
  const came = caught === undefined ? [] : redirectParameters(caught).query.getAll('state');
  if (came.length === 1 && came[0] === sent) return;
  const got = came.length === 0 ? 'none' : came.length > 1 ? 'it more than once' : 'another value';
  throw new ConformanceFailure('`state` to come back unchanged', got);
}

/** Requires that the client receives `access_denied` after a denial (RFC 6749 section 4.1.2.1). */
export function expectDenialTold(outcome: AuthorizeOutcome): void {
  const error = outcome.caught && redirectParameters(outcome.caught).query.get('error');
  if (error === 'access_denied') return;
  throw new ConformanceFailure('a redirect to the client with error=access_denied', cameOf(outcome));
}
