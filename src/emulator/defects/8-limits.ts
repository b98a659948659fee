import { type ResourceRefusal, refuse } from '../refusal.ts';
import type { IssuedPair } from '../store/records.ts';
import { type Changes, changing, type Defects } from './define-defect.ts';

export const HOUR = 3_600;

export const EXPIRED = refuse('token-expired', 'the access token expired');

type Verdict = ResourceRefusal | undefined;

/** Decides in place of the policy if an access token has expired; `dead` is the policy's verdict. */
export function expiring(make: () => (pair: IssuedPair, now: number, dead: Verdict) => Verdict): Changes {
  return changing('token.check', (base) => {
    const decide = make();
    return (pair, now) => decide(pair, now, base(pair, now));
  });
}

/** Returns the policy's verdict, but treats no token as expired. */
export function unlessExpired(dead: Verdict): Verdict {
  return dead?.refused === 'token-expired' ? undefined : dead;
}

/** Lets a refreshed access token end with the one before it. */
export const inherited = changing(
  'lifetime.accessToken',
  (base) => (previous, now) =>
    previous !== undefined && now < previous.expiresAt ? previous.expiresAt - now : base(previous, now),
);

export const defects: Defects = {
  'lifetime-half': {
    summary: 'The access token dies after half the time that its response tells.',
    breaks: ['lifetime.alive-until-7200', 'lifetime.refreshed-full'],
    changes: expiring(() => (pair, now, dead) => (now >= pair.issuedAt + HOUR ? EXPIRED : dead)),
  },

  'lifetime-endless': {
    summary: 'Access tokens never expire, whatever lifetime the response gives.',
    breaks: ['lifetime.dead-after-7200', 'lifetime.refreshed-full'],
    changes: expiring(() => (_pair, _now, dead) => unlessExpired(dead)),
  },

  'lifetime-inherited-by-refresh': {
    summary: 'The access token of a refresh dies when the one that it replaces would have died.',
    breaks: ['lifetime.refreshed-full', 'refresh.expires-in-7200'],
    changes: inherited,
  },

  'exchange-code-never-expires': {
    summary: 'A code that was not exchanged is good for ever.',
    breaks: ['exchange.code-short-lived'],
    changes: changing('lifetime.code', () => () => Number.POSITIVE_INFINITY),
  },
};
