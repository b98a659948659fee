import { randomBytes } from 'node:crypto';
import type { DefectId, DemandId } from './defects.ts';

/** Settings of the independent service; every member comes from one environment variable. */
export interface Settings {
  /** `INDEPENDENT_SERVICE_MODE`: `wrapped` corrects what `oidc-provider` cannot be configured to do; `as-shipped` does not. */
  readonly mode: 'wrapped' | 'as-shipped';
  /** `INDEPENDENT_SERVICE_DEFECT`: at most one. */
  readonly defect: DefectId | undefined;
  /** `INDEPENDENT_SERVICE_DEMANDS`: none, one, or several separated by commas. */
  readonly demands: ReadonlySet<DemandId>;
  /** `INDEPENDENT_SERVICE_CONSENT`: when the consent page is shown. `once` is what `oidc-provider` does by itself. */
  readonly consent: 'always' | 'once' | 'never';
  /** `INDEPENDENT_SERVICE_TWO_ORIGINS=1`: the pages are served on a port of their own. */
  readonly twoOrigins: boolean;
  /** `INDEPENDENT_SERVICE_PORT`: the first of the ports, which follow one another; 0, the default, for any free ones. */
  readonly port: number;
  /** `INDEPENDENT_SERVICE_INTERSTITIAL=1`: a notice stands between password and consent. */
  readonly interstitial: boolean;
  /** `INDEPENDENT_SERVICE_CAPTCHA=1`: a captcha stands beside the password, and nobody gets past it. */
  readonly captcha: boolean;
  /** `INDEPENDENT_SERVICE_TOTP_SECRET`: base32; a one-time code is asked for after the password. */
  readonly totpSecret: string | undefined;
  /** `INDEPENDENT_SERVICE_DRAWN_AFTER_MS`: pages of signing in are drawn by script, so many milliseconds after they have loaded. */
  readonly drawnAfterMs: number | undefined;
  /** `INDEPENDENT_SERVICE_TLS=1`: HTTPS everywhere, with a certificate of a private authority made at the start. */
  readonly tls: boolean;
  /** `INDEPENDENT_SERVICE_DIR`: where the authority's certificate is written. Needed with `INDEPENDENT_SERVICE_TLS=1`. */
  readonly directory: string | undefined;
  /** `INDEPENDENT_SERVICE_GRACE`: what a refresh token gets that was replaced just now. Without it, its use ends the grant. */
  readonly grace: 'same-pair' | 'another-pair' | 'refused' | undefined;
  /** `INDEPENDENT_SERVICE_GRACE_SECONDS`: for so long; 30 by default, or `Infinity`. */
  readonly graceSeconds: number;
  /** `INDEPENDENT_SERVICE_LIMITS`: the most requests of each method in a window, `GET=240,PUT=100`, but for pages; announced by headers. */
  readonly limits: ReadonlyMap<string, number>;
  /** `INDEPENDENT_SERVICE_LIMIT_SECONDS`: the length of that window; 60 by default. */
  readonly limitSeconds: number;
  /** `INDEPENDENT_SERVICE_BROWNOUT`: `10/5/410` refuses everything 10 seconds after the start, for 5 seconds, with 410 (or 503). */
  readonly brownout: { readonly after: number; readonly lasts: number; readonly status: number } | undefined;
  /** `INDEPENDENT_SERVICE_SUNSET`: `2027-01-31`, announced by `Sunset` and `Deprecation` in each answer. */
  readonly sunset: string | undefined;
  /** `INDEPENDENT_SERVICE_CLOCK=1`: `POST /clock/advance` of the resource API lets time pass, for tokens, codes and sessions. */
  readonly clock: boolean;
  /** `INDEPENDENT_SERVICE_CLIENT_SECRET`, else random. */
  readonly clientSecret: string;
  /** `INDEPENDENT_SERVICE_SECOND_CLIENT_SECRET`, else random. */
  readonly secondClientSecret: string;
  /** `INDEPENDENT_SERVICE_PASSWORD`, else random. */
  readonly password: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

function limitsIn({ INDEPENDENT_SERVICE_LIMITS: limits = '' }: Environment): ReadonlyMap<string, number> {
  const pairs = limits.split(',').map((one) => one.split('='));
  return new Map(pairs.map(([method = '', most]) => [method, Number(most)]));
}

function brownoutIn({ INDEPENDENT_SERVICE_BROWNOUT: written }: Environment): Settings['brownout'] {
  if (written === undefined) return undefined;
  const [after = 0, lasts = 0, status = 0] = written.split('/').map(Number);
  return { after, lasts, status };
}

function secret(env: Environment, name: string): string {
  return env[name] || randomBytes(24).toString('base64url');
}

/** Reads the independent service's settings from environment variables of the tests, all optional. */
export function readSettings(env: Environment): Settings {
  const is = (name: string) => env[name] === '1';
  const demands = (env.INDEPENDENT_SERVICE_DEMANDS ?? '').split(',').filter((one) => one !== '');
  return {
    mode: (env.INDEPENDENT_SERVICE_MODE ?? 'wrapped') as Settings['mode'],
    defect: env.INDEPENDENT_SERVICE_DEFECT as Settings['defect'],
    demands: new Set(demands as DemandId[]),
    consent: (env.INDEPENDENT_SERVICE_CONSENT ?? 'once') as Settings['consent'],
    twoOrigins: is('INDEPENDENT_SERVICE_TWO_ORIGINS'),
    port: Number(env.INDEPENDENT_SERVICE_PORT ?? 0),
    interstitial: is('INDEPENDENT_SERVICE_INTERSTITIAL'),
    captcha: is('INDEPENDENT_SERVICE_CAPTCHA'),
    totpSecret: env.INDEPENDENT_SERVICE_TOTP_SECRET,
    drawnAfterMs:
      env.INDEPENDENT_SERVICE_DRAWN_AFTER_MS === undefined
        ? undefined
        : Number(env.INDEPENDENT_SERVICE_DRAWN_AFTER_MS),
    tls: is('INDEPENDENT_SERVICE_TLS'),
    directory: env.INDEPENDENT_SERVICE_DIR,
    grace: env.INDEPENDENT_SERVICE_GRACE as Settings['grace'],
    graceSeconds: Number(env.INDEPENDENT_SERVICE_GRACE_SECONDS ?? 30),
    limits: limitsIn(env),
    limitSeconds: Number(env.INDEPENDENT_SERVICE_LIMIT_SECONDS ?? 60),
    brownout: brownoutIn(env),
    sunset: env.INDEPENDENT_SERVICE_SUNSET,
    clock: is('INDEPENDENT_SERVICE_CLOCK'),
    clientSecret: secret(env, 'INDEPENDENT_SERVICE_CLIENT_SECRET'),
    secondClientSecret: secret(env, 'INDEPENDENT_SERVICE_SECOND_CLIENT_SECRET'),
    password: secret(env, 'INDEPENDENT_SERVICE_PASSWORD'),
  };
}
