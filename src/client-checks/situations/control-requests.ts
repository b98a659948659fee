import type { Fault, Hold } from '../../emulator/control-types.ts';

export interface ControlRequest {
  readonly method: 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly body?: Readonly<Record<string, unknown>>;
}

/** A user is signed in before, unless the act begins with a sign-in. */
export interface ByHand {
  readonly before?: readonly ControlRequest[];
  readonly act: string;
  readonly after?: readonly ControlRequest[];
  readonly next?: string;
}

export const REFRESH = { route: 'token', grantType: 'refresh_token' } as const;
export const FOR_EVER = { count: 'unlimited' } as const;
export const CLEAR: ControlRequest = { method: 'DELETE', path: '/faults' };
export const RELEASE: ControlRequest = { method: 'DELETE', path: '/holds' };
export const SIGN_IN_AGAIN = 'Sign in again, and list.';
export const LIST_FAILS = 'List. The call fails.';

export function fault(body: Fault): ControlRequest {
  return { method: 'POST', path: '/faults', body };
}

export function hold(body: Hold): ControlRequest {
  return { method: 'POST', path: '/holds', body };
}

export function consent(user: string, decision: 'grant' | 'deny' = 'grant'): ControlRequest {
  return { method: 'PUT', path: '/auto-consent', body: { user, decision } };
}

export function tokenForm(form: 'profile' | 'every-character' | 'long'): ControlRequest {
  return { method: 'PUT', path: '/token-form', body: { form } };
}
