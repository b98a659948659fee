import { ClientError, type ClientOperation } from './client-error.ts';

/** What asks for tokens. */
export type TokenOperation = Extract<ClientOperation, 'exchange' | 'refresh'>;

/** What the token endpoint said when it refused. */
export interface TokenRefusal {
  /** Status of the answer; 200 where an error came disguised as a success. */
  readonly status: number;
  /** The `error` of the body (RFC 6749 section 5.2), where it has one. Clause 7 shows none. */
  readonly error?: string;
  /** The `error_description` of the body, with every secret of the request blacked out. */
  readonly description?: string;
}

/**
 * The token endpoint refused. `error` comes from the body, also where a `WWW-Authenticate` header is present.
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

/** This client has sent this code before, whatever came of it. A code is good for one exchange (clause 2.2). */
export class CodeAlreadySent extends ClientError {
  constructor() {
    super(
      'exchange',
      'this code was sent before and is not sent again. Begin again with a new authorization request',
    );
  }
}

/**
 * The answer to an exchange did not arrive, or not whole. The code may be used up, so it is not sent again: begin again
 * with a new authorization request. `cause` is the {@link Unreachable} that tells how the answer was lost.
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
 * The answer to a refresh was lost: the stored refresh token may be replaced already, and its successor is unknown.
 * The client does not send it again by itself, neither now nor in a later call. Either send the user to a new
 * authorization request, or call `recoverLostRefresh()`, which tries the stored refresh token once more: where the
 * service keeps the old pair alive until the new one is used, that works; elsewhere it is refused.
 *
 * An answer with an error status is not lost: after one the stored pair stands and a later call tries again.
 */
export class RefreshLost extends ClientError {
  /** @param cause how it was lost; absent when another process, or an earlier call, was the one to lose it */
  constructor(cause?: ClientError) {
    super(
      'refresh',
      'the answer was lost and the stored refresh token may be replaced already. Authorize anew, or try recoverLostRefresh()',
      cause,
    );
  }
}

/**
 * The token store could not be read, written or locked. Where a new pair could not be written, the client keeps it in
 * memory, uses it for nothing, and writes it before anything else in the next call (clause 5.5).
 */
export class TokenStoreFailed extends ClientError {
  /** Error code of the system, such as `ENOSPC`, where there is one. */
  readonly code: string | undefined;

  constructor(message: string, code?: string) {
    super('store', code === undefined ? message : `${message} [${code}]`);
    this.code = code;
  }
}
