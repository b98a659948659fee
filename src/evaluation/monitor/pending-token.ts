import type { RequirementId } from '../../../generated/ids.ts';
import type { ReadTokenRequest } from './read-request.ts';
import type { Mistake } from './token-mistakes.ts';
import type { Code, KnownPair } from './token-model.ts';

/** A token request that has no answer yet. */
export interface PendingToken {
  readonly request: ReadTokenRequest;
  readonly at: number;
  readonly code: Code | undefined;
  readonly pair: KnownPair | undefined;
  readonly refusals: readonly Mistake[];
  /** Requirement that is violated if no tokens are issued; undefined if the document promises none. */
  readonly promised: RequirementId | undefined;
  readonly changedBefore: boolean;
  /** True for a refresh that was sent when its client had a later grant. */
  readonly ofEarlierGrant: boolean;
  /** True for a refresh that was sent before a pair that replaced its own was used: it may get that pair again. */
  readonly successorUnused: boolean;
  readonly endangeredBy: readonly string[];
  /** True if the document's request has no mistake: a service that honours it so honours its channel. */
  readonly isRight: boolean;
}
