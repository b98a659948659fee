import { EXPIRED, expiring, HOUR, inherited, unlessExpired } from '../../../src/emulator/defects/8-limits.ts';
import { forbidding, METHOD } from '../../../src/emulator/defects/at-resource-api.ts';
import { changing, type Defects, whenever } from '../../../src/emulator/defects/define-defect.ts';
import type { IssuedPair } from '../../../src/emulator/store/records.ts';

/** Seconds by which a token expires too early or too late. */
const EARLY = 15;
const GRACE = 60;

/** Seconds of clock difference between two unsynchronized machines. */
const SECONDS_EARLY = 5;

export const defects: Defects = {
  'lifetime-a-little-short-after-exchange': {
    summary: 'The access token of an exchange dies a quarter of a minute too early.',
    breaks: ['lifetime.alive-until-7200'],
    changes: expiring(
      () => (pair, now, dead) => (!pair.refreshed && now >= pair.expiresAt - EARLY ? EXPIRED : dead),
    ),
  },

  'lifetime-ends-when-idle': {
    summary: 'An access token dies when it was not used for an hour.',
    breaks: ['lifetime.alive-until-7200', 'lifetime.refreshed-full'],
    changes: expiring(() => {
      const used = new WeakMap<IssuedPair, number>();
      return (pair, now, dead) => {
        const idle = now - (used.get(pair) ?? pair.issuedAt);
        used.set(pair, now);
        return idle > HOUR ? EXPIRED : dead;
      };
    }),
  },

  'lifetime-second-application-never-ends': {
    summary: 'Tokens of all applications but the first never expire.',
    breaks: ['lifetime.dead-after-7200'],
    changes: expiring(() => {
      let first: string | undefined;
      return ({ grant }, _, dead) => {
        first ??= grant.clientId;
        return grant.clientId === first ? dead : unlessExpired(dead);
      };
    }),
  },

  'lifetime-writing-ends-early': {
    summary: 'After half of its lifetime an access token only lists.',
    breaks: ['lifetime.alive-until-7200', 'lifetime.refreshed-full'],
    changes: whenever(
      'token.check',
      (pair, now) => now >= pair.issuedAt + HOUR,
      forbidding(EXPIRED, (operation) => operation !== 'list'),
    ),
  },

  'lifetime-ends-seconds-early': {
    summary: 'The access token dies five seconds before its lifetime is over.',
    breaks: ['lifetime.alive-until-7200'],
    changes: expiring(() => (pair, now, dead) => (now >= pair.expiresAt - SECONDS_EARLY ? EXPIRED : dead)),
  },

  'lifetime-ends-seconds-late': {
    summary: 'The access token dies five seconds after its lifetime is over.',
    breaks: ['lifetime.dead-after-7200'],
    changes: expiring(
      () => (pair, now, dead) => (now < pair.expiresAt + SECONDS_EARLY ? unlessExpired(dead) : dead),
    ),
  },

  'lifetime-revived-by-refresh': {
    summary: 'An expired access token is accepted again once its pair was refreshed.',
    breaks: ['lifetime.dead-after-7200'],
    changes: ({ token, refresh }) => {
      const revived = new WeakSet<IssuedPair>();
      return {
        token: {
          check(pair, now) {
            const dead = token.check(pair, now);
            return revived.has(pair) ? unlessExpired(dead) : dead;
          },
        },
        refresh: {
          rotate(pair, fate, tokens) {
            revived.add(pair);
            return refresh.rotate(pair, fate, tokens);
          },
        },
      };
    },
  },

  'lifetime-with-a-minute-of-grace': {
    summary: 'An access token is accepted for a minute after it has expired.',
    breaks: ['lifetime.dead-after-7200', 'lifetime.refreshed-full'],
    changes: expiring(() => (pair, now, dead) => (now < pair.expiresAt + GRACE ? unlessExpired(dead) : dead)),
  },

  'lifetime-prolonged-by-use': {
    summary: 'Every use of an access token restarts its lifetime.',
    breaks: ['lifetime.dead-after-7200', 'lifetime.refreshed-full'],
    changes: expiring(() => {
      const used = new WeakMap<IssuedPair, number>();
      return (pair, now, dead) => {
        const from = used.get(pair) ?? pair.issuedAt;
        if (now >= from + (pair.expiresAt - pair.issuedAt)) return dead;
        used.set(pair, now);
        return unlessExpired(dead);
      };
    }),
  },

  'lifetime-over-for-all-but-unassign': {
    summary: 'Unassign does not ask whether the access token has expired.',
    breaks: ['lifetime.dead-after-7200', 'lifetime.refreshed-full'],
    changes: whenever(
      'token.presented',
      ({ method }) => method === METHOD.unassign,
      expiring(() => (_pair, _now, dead) => unlessExpired(dead)),
    ),
  },

  'lifetime-inherited-by-late-refresh': {
    summary:
      'After an hour, the access token of a refresh dies when the one that it replaces would have died.',
    breaks: ['lifetime.refreshed-full'],
    changes: whenever(
      'lifetime.accessToken',
      (previous, now) => previous !== undefined && now >= previous.issuedAt + HOUR,
      inherited,
    ),
  },

  'lifetime-endless-after-refresh': {
    summary: 'The access token of a refresh never dies.',
    breaks: ['lifetime.refreshed-full'],
    changes: expiring(() => (pair, _, dead) => (pair.refreshed ? unlessExpired(dead) : dead)),
  },

  'lifetime-shorter-after-refresh': {
    summary: 'The access token of a refresh lives for an hour, as its response tells.',
    reference: 'doorkeeper-gem/doorkeeper#1364',
    breaks: ['refresh.expires-in-7200', 'lifetime.refreshed-full'],
    changes: changing(
      'lifetime.accessToken',
      (base) => (previous, now) => (previous === undefined ? base(previous, now) : HOUR),
    ),
  },
  'exchange-code-lives-an-hour': {
    summary: 'A code is good for an hour.',
    breaks: ['exchange.code-short-lived'],
    changes: changing('lifetime.code', () => () => HOUR),
  },
};
