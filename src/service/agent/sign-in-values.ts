import { createHmac } from 'node:crypto';
import { BudgetSpent } from '../../http/ledger.ts';
import { type PaceClock, REAL_CLOCK } from '../../http/paced-transport.ts';
import type { FillValue, FormPages, Selector, SignInStep, Target } from '../target.ts';
import type { TrustedOrigins } from './trusted-origins.ts';

export interface CredentialSource {
  readonly owner: Target['owner'];
  readonly trusted: TrustedOrigins;
  /** Returns an unused one-time code; absent if the service asks for none. */
  readonly totp?: () => Promise<string>;
  /** Called before the password is typed. Throws {@link BudgetSpent} at the limit. */
  readonly beforePassword?: () => void;
  /** Returns how often the password may still be typed. */
  readonly signInsLeft: () => number;
  /** Allows one sign-in more: a moved clock may end the session of the service. */
  readonly clockMoved: () => void;
}

export function credentialSource(
  owner: Target['owner'],
  trusted: TrustedOrigins,
  budget: number = Number.POSITIVE_INFINITY,
): CredentialSource {
  let signIns = 0;
  let most = budget;
  return {
    owner,
    trusted,
    totp: owner.totpSecret === undefined ? undefined : totpSource(owner.totpSecret),
    beforePassword: () => {
      const more = most > budget ? ` and ${most - budget} more, one for each time that the clock moved` : '';
      if (signIns >= most) throw new BudgetSpent('signIns', budget, `sign-ins${more}`);
      signIns += 1;
    },
    signInsLeft: () => most - signIns,
    clockMoved: () => {
      most += 1;
    },
  };
}

/** The purpose of the request or step that sends the owner's credentials. */
export const SIGN_IN = 'sign in';

export interface FieldPlace {
  readonly page: string;
  readonly action: string;
}

/**
 * Returns the text that a sign-in step types into a field.
 * @throws ForeignOrigin if the page or the form's target may not get the credential; BudgetSpent at the limit of typed passwords;
 * Error if the configuration lacks the one-time code or password
 */
export async function credentialValue(
  value: FillValue,
  source: CredentialSource,
  place: FieldPlace,
): Promise<string> {
  if (typeof value === 'object') return value.text;
  source.trusted.demand(place);
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
  if ('fill' in step) return step.fill;
  return 'click' in step ? step.click : step.wait;
}

export function fills(step: SignInStep, credential: 'password' | 'totp'): boolean {
  return 'fill' in step && step.with === credential;
}

export function whatToCheck({ signIn }: FormPages): string {
  const keys = 'the login, the password and the steps of `signIn`';
  return `check ${keys}${signIn.some((step) => fills(step, 'totp')) ? ', and `owner.totpSecret`' : ''}`;
}

/** RFC 6238 section 4.1: seconds that one code is valid for. */
const PERIOD_SECONDS = 30;
const DIGITS = 6;

/**
 * Returns the one-time code of a moment (RFC 6238, SHA-1, six digits, 30 seconds: the default of authenticator apps).
 * @param secret base32, with or without spaces and padding
 */
export function totpAt(secret: string, seconds: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(seconds / PERIOD_SECONDS)));
  const digest = createHmac('sha1', fromBase32(secret)).update(counter).digest();
  // RFC 4226 section 5.3: four bytes from where the last half byte points, without the sign.
  const offset = (digest.at(-1) ?? 0) & 0x0f;
  const number = digest.readUInt32BE(offset) & 0x7fff_ffff;
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0');
}

/** Clock of the one-time codes, in milliseconds since the epoch. */
const EPOCH_CLOCK: PaceClock = { ...REAL_CLOCK, now: () => Date.now() };

/** Returns a source that never repeats a code (RFC 6238 section 5.2): a second request in the same period waits for the next. */
export function totpSource(secret: string, clock: PaceClock = EPOCH_CLOCK): () => Promise<string> {
  const periodMs = PERIOD_SECONDS * 1_000;
  let free = 0;
  return async () => {
    const period = Math.max(free, Math.floor(clock.now() / periodMs));
    free = period + 1;
    while (clock.now() < period * periodMs) await clock.sleep(period * periodMs - clock.now());
    return totpAt(secret, period * PERIOD_SECONDS);
  };
}

/** Decodes base32 (RFC 4648 section 6), ignoring white space and hyphens. */
function fromBase32(text: string): Buffer {
  const bytes: number[] = [];
  let held = 0;
  let bits = 0;
  for (const letter of text.toUpperCase().replace(/[\s=-]/g, '')) {
    const value = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter);
    if (value < 0) throw new Error('a one-time code secret must be base32, and is not');
    held = ((held << 5) | value) & 0xfff;
    bits += 5;
    if (bits >= 8) {
      bits -= 8;
      bytes.push((held >> bits) & 0xff);
    }
  }
  return Buffer.from(bytes);
}
