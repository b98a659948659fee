import { ClientError } from './client-error.ts';

/** The user, or the authorization server on the user's behalf, said no (`error=access_denied`, RFC 6749 section 4.1.2.1). */
export class AuthorizationDenied extends ClientError {
  constructor() {
    super('authorize', 'the user did not grant access. Offer to begin again; do not begin again unasked');
  }
}

/** The redirect brought an error other than a denial (RFC 6749 section 4.1.2.1). */
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
 * The `state` of the redirect is not the one that this browser was sent away with: the redirect may be forged, or belong
 * to another tab (RFC 6749 section 10.12). Nothing of it was used.
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

/** There are no tokens for this user, or none that can still be refreshed: send the user to an authorization request. */
export class AuthorizationNeeded extends ClientError {
  constructor() {
    super('authorize', 'no tokens are stored. Send the user to the authorization request first');
  }
}
