export type ClientOperation = 'authorize' | 'exchange' | 'refresh' | 'list' | 'assign' | 'unassign' | 'store';

const CLAUSES = {
  authorize: '4.1',
  exchange: '4.2',
  refresh: '4.3',
  list: '4.4',
  assign: '4.4',
  unassign: '4.4',
  store: '5',
} as const satisfies Readonly<Record<ClientOperation, string>>;

/** A clause of the service's document. */
export type Clause = (typeof CLAUSES)[ClientOperation];

/**
 * Base of all errors that the client throws on purpose. No message, field or cause holds a secret, code or token, so
 * these errors may be logged as they are. `cause` is therefore always another `ClientError`: runtime errors may quote a
 * request or a body.
 */
export abstract class ClientError extends Error {
  readonly operation: ClientOperation;
  readonly clause: Clause;

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

/**
 * The user, or the authorization server on the user's behalf, denied access (`error=access_denied`, RFC 6749 section
 * 4.1.2.1).
 */
export class AuthorizationDenied extends ClientError {
  constructor() {
    super('authorize', 'the user did not grant access. Offer to begin again; do not begin again unasked');
  }
}

export class AuthorizationFailed extends ClientError {
  /** The value of `error`, such as `invalid_scope`. */
  readonly error: string;

  constructor(error: string) {
    super(
      'authorize',
      `the authorization server answered error=${error}. See what this application may ask for`,
    );
    this.error = error;
  }
}

/**
 * The redirect's `state` is not the one kept for this browser: the redirect may be forged, or belong to another tab
 * (RFC 6749 section 10.12). The client used nothing of it.
 */
export class StateMismatch extends ClientError {
  /** `absent`: the redirect has none. `different`: it has another one. `unexpected`: none was kept for this browser. */
  readonly reason: 'absent' | 'different' | 'unexpected';

  constructor(reason: 'absent' | 'different' | 'unexpected') {
    const what = {
      absent: 'the redirect has no state',
      different: 'the redirect has another state',
      unexpected: 'no state is kept for this browser, so no redirect was expected',
    }[reason];
    super('authorize', `${what}. Nothing was exchanged; begin again with a new authorization request`);
    this.reason = reason;
  }
}

/** No waitUntilRefreshIsAllowed tokens are stored for this user: send the user to an authorization request. */
export class AuthorizationNeeded extends ClientError {
  constructor() {
    super('authorize', 'no tokens are stored. Send the user to the authorization request first');
  }
}

export type TokenOperation = Extract<ClientOperation, 'exchange' | 'refresh'>;

export interface TokenRefusal {
  /** Status of the answer; 200 if the body of a success holds an error. */
  readonly status: number;
  /** The `error` of the body (RFC 6749 section 5.2), if present. Clause 7 shows none. */
  readonly error?: string;
  /** The `error_description` of the body, with every secret of the request redacted. */
  readonly description?: string;
}

/**
 * The token endpoint refused. `error` comes from the body, even if a `WWW-Authenticate` header is present.
 * `invalid_grant` for a refresh means that the refresh token is dead: send the user to a new authorization request.
 */
export class TokenRefused extends ClientError {
  readonly status: number;
  readonly error: string | undefined;
  readonly description: string | undefined;

  constructor(operation: TokenOperation, { status, error, description }: TokenRefusal) {
    const said = error === undefined ? 'without an error that could be read' : `with error=${error}`;
    const why = description === undefined ? '' : `: ${description}`;
    super(operation, `the token endpoint refused with status ${status}, ${said}${why}`);
    this.status = status;
    this.error = error;
    this.description = description;
  }
}

/** The client has already sent this code. A code is valid for one exchange (clause 2.2). */
export class CodeAlreadySent extends ClientError {
  constructor() {
    super(
      'exchange',
      'this code was sent before and is not sent again. Begin again with a new authorization request',
    );
  }
}

/**
 * The answer to an exchange was lost, completely or in part. The code may be used, so the client does not send it
 * again: start a new authorization request. `cause` is the {@link Unreachable} that describes the loss.
 */
export class ExchangeLost extends ClientError {
  constructor(cause: ClientError) {
    super(
      'exchange',
      'the answer was lost and the code may be used up. Begin again with a new authorization request',
      cause,
    );
  }
}

/**
 * The answer to a refresh was lost: the stored refresh token may be replaced already, and its successor is unknown. The client
 * never sends it again automatically. Either start a new authorization request, or call `recoverLostRefresh()`, which tries the
 * stored refresh token once more. That works if the service keeps the old pair alive until the new one is used.
 * An answer with an error status is not lost: the stored pair stays, and a later call tries again.
 */
export class RefreshLost extends ClientError {
  /** @param cause the loss; absent if another process or an earlier call lost it */
  constructor(cause?: ClientError) {
    super(
      'refresh',
      'the answer was lost and the stored refresh token may be replaced already. Authorize again, or try recoverLostRefresh()',
      cause,
    );
  }
}

/**
 * The token store could not be read, written or locked. If a new pair could not be written, the client keeps it in
 * memory, does not use it, and writes it first in the next call (clause 5.5).
 */
export class TokenStoreFailed extends ClientError {
  readonly code: string | undefined;

  constructor(message: string, code?: string) {
    super('store', code === undefined ? message : `${message} [${code}]`);
    this.code = code;
  }
}

/**
 * `not-sent`: the request certainly never reached the service. `deadline`: no complete answer in time. `interrupted`:
 * the connection broke, perhaps in the middle of the answer.
 */
export type Unreached = 'not-sent' | 'deadline' | 'interrupted';

export class Unreachable extends ClientError {
  readonly reason: Unreached;
  /** System or HTTP error code, such as `ECONNRESET`; undefined if there is none. */
  readonly code: string | undefined;

  constructor(operation: ClientOperation, reason: Unreached, code?: string) {
    const what = {
      'not-sent': 'the service could not be reached',
      deadline: 'no whole answer arrived within the deadline',
      interrupted: 'the connection broke before the whole answer had arrived',
    }[reason];
    super(operation, code === undefined ? what : `${what} [${code}]`);
    this.reason = reason;
    this.code = code;
  }
}

/** The resource API refused the access token with 401, even after the one refresh that a call may use. */
export class Unauthorized extends ClientError {
  constructor(operation: ClientOperation) {
    super(
      operation,
      'the access token is refused with status 401, and a refreshed one would be or was refused too',
    );
  }
}

/** The resource API refused with a 4xx other than 401 and 429. Clause 7 does not show the meaning of each status. */
export class OperationRefused extends ClientError {
  readonly status: number;

  constructor(operation: ClientOperation, status: number) {
    super(operation, `refused with status ${status}. Check the project, the user and the granted scopes`);
    this.status = status;
  }
}

/** 429: too many requests. The client does not retry. */
export class TooManyRequests extends ClientError {
  /** Seconds to wait, from `Retry-After`; undefined without one. */
  readonly retryAfterSeconds: number | undefined;

  constructor(operation: ClientOperation, retryAfterSeconds?: number) {
    super(operation, `too many requests (status 429); ${waiting(retryAfterSeconds)}`);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** A 5xx. The client does not retry; the stored tokens stay unchanged. */
export class ServiceFailed extends ClientError {
  readonly status: number;
  /** Seconds to wait, from `Retry-After`; undefined without one. */
  readonly retryAfterSeconds: number | undefined;

  constructor(operation: ClientOperation, status: number, retryAfterSeconds?: number) {
    super(operation, `the service failed with status ${status}; ${waiting(retryAfterSeconds)}`);
    this.status = status;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** An answer that is neither a refusal nor what the clause describes. The message names shapes, never values. */
export class UnexpectedAnswer extends ClientError {
  /** Status of the answer; undefined for the redirect that ends an authorization request. */
  readonly status: number | undefined;

  constructor(operation: ClientOperation, expected: string, actual: string, status?: number) {
    super(operation, `expected ${expected}, got ${actual}`);
    this.status = status;
  }
}

function waiting(seconds: number | undefined): string {
  return seconds === undefined ? 'try again later' : `try again in ${seconds} s`;
}
