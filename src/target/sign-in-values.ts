import type { FillValue } from './pages/page-actions.ts';
import type { Owner } from './target.ts';

/** Where the values typed while signing in come from. */
export interface CredentialSource {
  readonly owner: Owner;
  /** The current one-time code, where the service asks for one. */
  readonly totp?: () => string;
}

/**
 * The text that a sign-in step types.
 *
 * @throws Error when a one-time code is wanted and the configuration has no secret for it
 */
export function credentialValue(value: FillValue, source: CredentialSource): string {
  if ('text' in value) return value.text;
  if (value.credential === 'login') return source.owner.login;
  if (value.credential === 'password') return source.owner.password;
  if (source.totp === undefined) {
    throw new Error('a sign-in step fills a one-time code, but no TOTP secret is configured for the owner');
  }
  return source.totp();
}
