import { BudgetSpent } from '../../http/ledger.ts';
import type { FillValue, FormPages, Owner, Selector, SignInStep } from '../target.ts';
import { totpSource } from './totp.ts';
import type { TrustedOrigins } from './trusted-origins.ts';

export interface CredentialSource {
  readonly owner: Owner;
  readonly trusted: TrustedOrigins;
  /** Returns an unused one-time code; absent if the service asks for none. */
  readonly totp?: () => Promise<string>;
  /** Called before the password is typed. Throws {@link BudgetSpent} at the limit. */
  readonly beforePassword?: () => void;
  /** Returns how often the password may still be typed. */
  readonly signInsLeft: () => number;
}

export function credentialSource(
  owner: Owner,
  trusted: TrustedOrigins,
  mostSignIns: number = Number.POSITIVE_INFINITY,
): CredentialSource {
  let signIns = 0;
  return {
    owner,
    trusted,
    ...(owner.totpSecret === undefined ? {} : { totp: totpSource(owner.totpSecret) }),
    beforePassword: () => {
      if (signIns >= mostSignIns) throw new BudgetSpent('signIns', mostSignIns, 'sign-ins');
      signIns += 1;
    },
    signInsLeft: () => mostSignIns - signIns,
  };
}

export interface FieldPlace {
  readonly page: string;
  readonly action: string;
}

/**
 * Returns the text that a sign-in step types into a field.
 *
 * @throws ForeignOrigin if the page or the form's target may not get the credential
 * @throws Error if the configuration lacks the one-time code or password
 * @throws BudgetSpent at the limit of typed passwords
 */
export async function credentialValue(
  value: FillValue,
  source: CredentialSource,
  place: FieldPlace,
): Promise<string> {
  if (typeof value === 'object') return value.text;
  source.trusted.demandPage(place.page);
  source.trusted.demandRecipient(place.action);
  if (value === 'login') return source.owner.login;
  if (value === 'password') {
    const { password } = source.owner;
    if (password === undefined)
      throw new Error('a sign-in step fills the password, but none is configured for the owner');
    source.beforePassword?.();
    return password;
  }
  if (source.totp === undefined) {
    throw new Error('a sign-in step fills a one-time code, but no TOTP secret is configured for the owner');
  }
  return source.totp();
}

export function elementOf(step: SignInStep): Selector {
  return 'fill' in step ? step.fill : 'click' in step ? step.click : step.wait;
}

export function fills(step: SignInStep, credential: 'password' | 'totp'): boolean {
  return 'fill' in step && step.with === credential;
}

export function whatToCheck({ signIn }: FormPages): string {
  const keys = 'the login, the password and the steps of `signIn`';
  return `check ${keys}${signIn.some((step) => fills(step, 'totp')) ? ', and `owner.totpSecret`' : ''}`;
}
