import type { ClauseId } from '../../../generated/ids.ts';

/** What the client was doing when something went wrong. */
export type ClientOperation = 'authorize' | 'exchange' | 'refresh' | 'list' | 'assign' | 'unassign' | 'store';

const CLAUSES: Readonly<Record<ClientOperation, ClauseId>> = {
  authorize: '4.1',
  exchange: '4.2',
  refresh: '4.3',
  list: '4.4',
  assign: '4.4',
  unassign: '4.4',
  store: '5',
};

/**
 * Base of everything that the client throws on purpose. No message, field or cause holds a secret, a code or a token:
 * an error of this family may be logged as it is. For the same reason `cause` is only ever another `ClientError`; what
 * the runtime threw (it may quote a request or a body) is not kept.
 */
export abstract class ClientError extends Error {
  /** What the client was doing. */
  readonly operation: ClientOperation;
  /** The clause that describes what was being done. */
  readonly clause: ClauseId;

  constructor(operation: ClientOperation, message: string, cause?: ClientError) {
    super(
      `${operation}: ${message} (clause ${CLAUSES[operation]})`,
      cause === undefined ? undefined : { cause },
    );
    this.name = new.target.name;
    this.operation = operation;
    this.clause = CLAUSES[operation];
  }
}
