import { randomBytes } from 'node:crypto';
import { DEFECTS, DEMANDS, type DefectId, type DemandId } from './defects.ts';

/** How the stand-in was asked to behave; every member comes from one environment variable. */
export interface Settings {
  /** `STAND_IN_MODE`: `wrapped` corrects what `oidc-provider` cannot be configured to do; `as-shipped` does not. */
  readonly mode: 'wrapped' | 'as-shipped';
  /** `STAND_IN_DEFECT`: at most one. */
  readonly defect: DefectId | undefined;
  /** `STAND_IN_DEMANDS`: none, one, or several separated by commas. */
  readonly demands: ReadonlySet<DemandId>;
  /** `STAND_IN_CONSENT`: when the consent page is shown. `once` is what `oidc-provider` does by itself. */
  readonly consent: 'always' | 'once' | 'never';
  /** `STAND_IN_TWO_ORIGINS=1`: the pages are served on a port of their own. */
  readonly twoOrigins: boolean;
  /** `STAND_IN_PORT`: the first of the ports, which follow one another; 0, the default, for any free ones. */
  readonly port: number;
  /** `STAND_IN_INTERSTITIAL=1`: a notice stands between password and consent. */
  readonly interstitial: boolean;
  /** `STAND_IN_CAPTCHA=1`: a captcha stands beside the password, and nobody gets past it. */
  readonly captcha: boolean;
  /** `STAND_IN_TOTP_SECRET`: base32; a one-time code is asked for after the password. */
  readonly totpSecret: string | undefined;
  /** `STAND_IN_DRAWN_AFTER_MS`: pages of signing in are drawn by script, so many milliseconds after they have loaded. */
  readonly drawnAfterMs: number | undefined;
  /** `STAND_IN_TLS=1`: HTTPS everywhere, with a certificate of a private authority made at the start. */
  readonly tls: boolean;
  /** `STAND_IN_DIR`: where the authority's certificate is written. Needed with `STAND_IN_TLS=1`. */
  readonly directory: string | undefined;
  /** `STAND_IN_GRACE`: what a refresh token gets that was replaced just now. Without it, its use ends the grant. */
  readonly grace: 'same-pair' | 'another-pair' | 'refused' | undefined;
  /** `STAND_IN_GRACE_SECONDS`: for so long; 30 by default, Infinity for `for-ever`. */
  readonly graceSeconds: number;
  /** `STAND_IN_LIMITS`: the most requests of each method in a window, `GET=240,PUT=100`, but for pages; announced by headers. */
  readonly limits: ReadonlyMap<string, number>;
  /** `STAND_IN_LIMIT_SECONDS`: the length of that window; 60 by default. */
  readonly limitSeconds: number;
  /** `STAND_IN_BROWNOUT`: `10/5/410` refuses everything 10 seconds after the start, for 5 seconds, with 410 (or 503). */
  readonly brownout: { readonly after: number; readonly lasts: number; readonly status: number } | undefined;
  /** `STAND_IN_SUNSET`: `2027-01-31`, announced by `Sunset` and `Deprecation` in each answer. */
  readonly sunset: string | undefined;
  /** `STAND_IN_CLOCK=1`: `POST /clock/advance` of the resource API lets time pass, for tokens, codes and sessions. */
  readonly clock: boolean;
  /** `STAND_IN_CLIENT_SECRET`, else random. */
  readonly clientSecret: string;
  /** `STAND_IN_SECOND_CLIENT_SECRET`, else random. */
  readonly secondClientSecret: string;
  /** `STAND_IN_PASSWORD`, else random. */
  readonly password: string;
}

/** A variable has a value that the stand-in does not know. The message names variable, expectation and value. */
export class SettingsError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'SettingsError';
  }
}

type Environment = Readonly<Record<string, string | undefined>>;

function oneOf<T extends string>(env: Environment, name: string, known: readonly T[]): T | undefined {
  const value = env[name];
  if (value === undefined || value === '') return undefined;
  const found = known.find((candidate) => candidate === value);
  if (found === undefined) {
    throw new SettingsError(`${name} must be one of ${known.join(', ')}, but is "${value}"`);
  }
  return found;
}

function severalOf<T extends string>(env: Environment, name: string, known: readonly T[]): ReadonlySet<T> {
  const values = (env[name] ?? '').split(',').filter((value) => value !== '');
  return new Set(
    values.map((value) => {
      const found = known.find((candidate) => candidate === value.trim());
      if (found === undefined) {
        throw new SettingsError(
          `${name} takes ${known.join(', ')}, separated by commas, but holds "${value}"`,
        );
      }
      return found;
    }),
  );
}

function flag(env: Environment, name: string): boolean {
  return oneOf(env, name, ['0', '1']) === '1';
}

function milliseconds(env: Environment, name: string): number | undefined {
  const value = env[name];
  if (value === undefined || value === '') return undefined;
  if (!/^\d{1,5}$/.test(value)) {
    throw new SettingsError(`${name} must be a number of milliseconds, but is "${value}"`);
  }
  return Number(value);
}

/** Reads a value of a form; undefined if it is not set. */
function inForm(env: Environment, name: string, form: RegExp, example: string): RegExpExecArray | undefined {
  const value = env[name];
  if (value === undefined || value === '') return undefined;
  const found = form.exec(value);
  if (found === null) throw new SettingsError(`${name} must be like ${example}, but is "${value}"`);
  return found;
}

function limitsIn(env: Environment): ReadonlyMap<string, number> {
  const [whole] = inForm(env, 'STAND_IN_LIMITS', /^[A-Z]+=\d+(?:,[A-Z]+=\d+)*$/, 'GET=240,PUT=100') ?? [];
  return new Map(
    (whole?.split(',') ?? []).map((one) => [one.split('=')[0] ?? '', Number(one.split('=')[1])] as const),
  );
}

function brownoutIn(env: Environment): Settings['brownout'] {
  const found = inForm(env, 'STAND_IN_BROWNOUT', /^(\d+)\/(\d+)\/(410|503)$/, '10/5/410');
  if (found === undefined) return undefined;
  const [, after, lasts, status] = found.map(Number);
  return { after: after ?? 0, lasts: lasts ?? 0, status: status ?? 0 };
}

function secret(env: Environment, name: string): string {
  return env[name] || randomBytes(24).toString('base64url');
}

function keysOf<T extends object>(table: T): (keyof T)[] {
  return Object.keys(table) as (keyof T)[];
}

/**
 * Reads the stand-in's settings.
 *
 * @param env environment variables, all optional; an empty one counts as absent
 * @throws {SettingsError} when a variable has an unknown value, or `STAND_IN_TLS` comes without `STAND_IN_DIR`
 */
export function readSettings(env: Environment): Settings {
  const settings: Settings = {
    mode: oneOf(env, 'STAND_IN_MODE', ['wrapped', 'as-shipped']) ?? 'wrapped',
    defect: oneOf(env, 'STAND_IN_DEFECT', keysOf(DEFECTS)),
    demands: severalOf(env, 'STAND_IN_DEMANDS', keysOf(DEMANDS)),
    consent: oneOf(env, 'STAND_IN_CONSENT', ['always', 'once', 'never']) ?? 'once',
    twoOrigins: flag(env, 'STAND_IN_TWO_ORIGINS'),
    port: Number(env.STAND_IN_PORT || 0),
    interstitial: flag(env, 'STAND_IN_INTERSTITIAL'),
    captcha: flag(env, 'STAND_IN_CAPTCHA'),
    totpSecret: env.STAND_IN_TOTP_SECRET || undefined,
    drawnAfterMs: milliseconds(env, 'STAND_IN_DRAWN_AFTER_MS'),
    tls: flag(env, 'STAND_IN_TLS'),
    directory: env.STAND_IN_DIR || undefined,
    grace: oneOf(env, 'STAND_IN_GRACE', ['same-pair', 'another-pair', 'refused']),
    graceSeconds:
      env.STAND_IN_GRACE_SECONDS === 'for-ever'
        ? Number.POSITIVE_INFINITY
        : Number(inForm(env, 'STAND_IN_GRACE_SECONDS', /^\d+$/, '30 or for-ever')?.[0] ?? 30),
    limits: limitsIn(env),
    limitSeconds: Number(inForm(env, 'STAND_IN_LIMIT_SECONDS', /^\d+$/, '60')?.[0] ?? 60),
    brownout: brownoutIn(env),
    sunset: inForm(env, 'STAND_IN_SUNSET', /^\d{4}-\d{2}-\d{2}$/, '2027-01-31')?.[0],
    clock: flag(env, 'STAND_IN_CLOCK'),
    clientSecret: secret(env, 'STAND_IN_CLIENT_SECRET'),
    secondClientSecret: secret(env, 'STAND_IN_SECOND_CLIENT_SECRET'),
    password: secret(env, 'STAND_IN_PASSWORD'),
  };
  if (settings.tls && settings.directory === undefined) {
    throw new SettingsError(
      'STAND_IN_TLS=1 needs STAND_IN_DIR, the folder to write the authority to; it is not set',
    );
  }
  return settings;
}
