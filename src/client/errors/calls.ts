import { ClientError, type ClientOperation } from './client-error.ts';

/**
 * How a request failed to bring an answer. `not-sent`: it surely never reached the service. `deadline`: no whole answer
 * in time. `interrupted`: the connection broke, perhaps in the middle of the answer.
 */
export type Unreached = 'not-sent' | 'deadline' | 'interrupted';

/** No whole answer arrived. */
export class Unreachable extends ClientError {
  readonly reason: Unreached;
  /** Error code of the system or of the HTTP client, such as `ECONNRESET`, where there is one. */
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

/** The resource API refuses the access token with 401, also after the one refresh that a call may cost. */
export class Unauthorized extends ClientError {
  constructor(operation: ClientOperation) {
    super(
      operation,
      'the access token is refused with status 401, and a refreshed one would be or was refused too',
    );
  }
}

/** The resource API refused with a 4xx other than 401 and 429. Which status means what is not shown (clause 7). */
export class OperationRefused extends ClientError {
  readonly status: number;

  constructor(operation: ClientOperation, status: number) {
    super(operation, `refused with status ${status}. Check the project, the user and the granted scopes`);
    this.status = status;
  }
}

/** 429: too many requests. The client does not retry by itself. */
export class TooManyRequests extends ClientError {
  /** Seconds to wait, as `Retry-After` says, where it says so. */
  readonly retryAfterSeconds: number | undefined;

  constructor(operation: ClientOperation, retryAfterSeconds?: number) {
    super(operation, `too many requests (status 429); ${waiting(retryAfterSeconds)}`);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** A 5xx. The client does not retry by itself; what is stored stays as it was. */
export class ServiceFailed extends ClientError {
  readonly status: number;
  /** Seconds to wait, as `Retry-After` says, where it says so. */
  readonly retryAfterSeconds: number | undefined;

  constructor(operation: ClientOperation, status: number, retryAfterSeconds?: number) {
    super(operation, `the service failed with status ${status}; ${waiting(retryAfterSeconds)}`);
    this.status = status;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** An answer that is neither what the clause describes nor a refusal. The message tells shapes, never values. */
export class UnexpectedAnswer extends ClientError {
  /** Status of the answer; absent for the redirect that ends an authorization request. */
  readonly status: number | undefined;

  constructor(operation: ClientOperation, expected: string, came: string, status?: number) {
    super(operation, `expected ${expected}, came ${came}`);
    this.status = status;
  }
}

function waiting(seconds: number | undefined): string {
  return seconds === undefined ? 'try again later' : `try again in ${seconds} s`;
}
