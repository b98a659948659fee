import type { RequirementId } from '../../../generated/ids.ts';
import type { ReadResourceRequest } from './read-request.ts';
import type { KnownPair } from './token-model.ts';

/** An assign, unassign, list or HEAD request that has no answer yet. */
export interface PendingResource {
  readonly request: ReadResourceRequest;
  readonly at: number;
  readonly begun: number;
  readonly pair: KnownPair | undefined;
  readonly refusals: readonly RequirementId[];
  /** The request must succeed: its token is live, has all three scopes, and was presented in a way that worked before. */
  readonly promised: boolean;
  readonly endangeredBy: readonly string[];
  readonly before: ReadonlySet<boolean>;
  /** Another request about the same user was in progress. */
  overlapped: boolean;
  /** Another change of the project was in progress: a refusal may be a conflict with it (RFC 9110 section 15.5.10). */
  met: boolean;
}

export function isChange({ request }: PendingResource): boolean {
  return request.operation !== 'list' && request.operation !== 'head';
}
