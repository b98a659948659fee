import { randomBytes } from 'node:crypto';
import type { DefectId, DemandId } from './defects.ts';

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
  /** `STAND_IN_GRACE_SECONDS`: for so long; 30 by default, or `Infinity`. */
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

type Environment = Readonly<Record<string, string | undefined>>;

function limitsIn({ STAND_IN_LIMITS: limits = '' }: Environment): ReadonlyMap<string, number> {
  const pairs = limits.split(',').map((one) => one.split('='));
  return new Map(pairs.map(([method = '', most]) => [method, Number(most)]));
}

function brownoutIn({ STAND_IN_BROWNOUT: written }: Environment): Settings['brownout'] {
  if (written === undefined) return undefined;
  const [after = 0, lasts = 0, status = 0] = written.split('/').map(Number);
  return { after, lasts, status };
}

function secret(env: Environment, name: string): string {
  return env[name] || randomBytes(24).toString('base64url');
}

/** Reads the stand-in's settings from environment variables of the tests, all optional. */
export function readSettings(env: Environment): Settings {
  const is = (name: string) => env[name] === '1';
  const demands = (env.STAND_IN_DEMANDS ?? '').split(',').filter((one) => one !== '');
  return {
    mode: (env.STAND_IN_MODE ?? 'wrapped') as Settings['mode'],
    defect: env.STAND_IN_DEFECT as Settings['defect'],
    demands: new Set(demands as DemandId[]),
    consent: (env.STAND_IN_CONSENT ?? 'once') as Settings['consent'],
    twoOrigins: is('STAND_IN_TWO_ORIGINS'),
    port: Number(env.STAND_IN_PORT ?? 0),
    interstitial: is('STAND_IN_INTERSTITIAL'),
    captcha: is('STAND_IN_CAPTCHA'),
    totpSecret: env.STAND_IN_TOTP_SECRET,
    drawnAfterMs: env.STAND_IN_DRAWN_AFTER_MS === undefined ? undefined : Number(env.STAND_IN_DRAWN_AFTER_MS),
    tls: is('STAND_IN_TLS'),
    directory: env.STAND_IN_DIR,
    grace: env.STAND_IN_GRACE as Settings['grace'],
    graceSeconds: Number(env.STAND_IN_GRACE_SECONDS ?? 30),
    limits: limitsIn(env),
    limitSeconds: Number(env.STAND_IN_LIMIT_SECONDS ?? 60),
    brownout: brownoutIn(env),
    sunset: env.STAND_IN_SUNSET,
    clock: is('STAND_IN_CLOCK'),
    clientSecret: secret(env, 'STAND_IN_CLIENT_SECRET'),
    secondClientSecret: secret(env, 'STAND_IN_SECOND_CLIENT_SECRET'),
    password: secret(env, 'STAND_IN_PASSWORD'),
  };
}
