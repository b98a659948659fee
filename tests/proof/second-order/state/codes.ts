import { changing } from '../../../../src/emulator/defects/define-defect.ts';
import { refuse } from '../../../../src/emulator/refusal.ts';
import type { AuthorizationCode, Grant } from '../../../../src/emulator/store/records.ts';
import type { SecondOrderDefects } from '../define-second-order.ts';
import { goodAgainAfter } from '../tools/codes.ts';
import { noted, notedChanging, notingWrongSecrets } from '../tools/noted.ts';

const LIFETIME = 7_200;

/** Faults of codes, and of the requests that yield them, that show only in some states. */
export const codes: SecondOrderDefects = {
  'exchange-code-ended-by-sign-in': {
    summary: 'A sign-in ends the codes that were issued before it.',
    breaks: ['exchange.form-encoded'],
    changes: ({ authorize, code }) => {
      let signIns = 0;
      const issuedAt = new Map<string, number>();
      return {
        authorize: {
          knows(password, owner) {
            const known = authorize.knows(password, owner);
            if (known) signIns += 1;
            return known;
          },
        },
        code: {
          value(randomness) {
            const value = code.value(randomness);
            issuedAt.set(value, signIns);
            return value;
          },
          find: (value, all) =>
            (issuedAt.get(value) ?? signIns) < signIns
              ? refuse('code-unknown', 'issued before a sign-in')
              : code.find(value, all),
        },
      };
    },
  },

  'exchange-code-twice-after-wrong-address': {
    summary: 'A code that was refused once for another redirect_uri can afterwards be exchanged twice.',
    breaks: ['exchange.code-single-use'],
    changes: ({ code }) => {
      const wrong = new WeakSet<AuthorizationCode>();
      return {
        code: {
          check(record, exchange, now) {
            const refused = code.check(record, exchange, now);
            if (refused?.refused === 'code-redirect-uri-different' && record.usedAt === undefined) {
              wrong.add(record);
            }
            return refused;
          },
          redeem: (record, exchange, now) =>
            record.usedAt !== undefined && wrong.delete(record)
              ? undefined
              : code.redeem(record, exchange, now),
        },
      };
    },
  },

  'exchange-any-address-after-wrong-secret': {
    summary:
      'A code that was refused once for a wrong secret can afterwards be exchanged with any redirect_uri.',
    breaks: ['exchange.redirect-uri-same', 'exchange.redirect-uri-same-among-authorized'],
    changes: noted(({ client, code }, request) => {
      const spoiled = new Set<string>();
      return {
        client: notingWrongSecrets(client, request, 'code', spoiled),
        code: {
          check: (record, exchange, now) =>
            code.check(
              record,
              spoiled.has(record.value) ? { ...exchange, redirectUri: record.redirectUri } : exchange,
              now,
            ),
        },
      };
    }),
  },

  'exchange-code-revived-by-refused-replay': {
    summary: 'A replay of a code is refused and takes the mark from it, so that the next exchange succeeds.',
    breaks: ['exchange.code-single-use'],
    changes: changing('code.redeem', (base) => async (record, exchange, now) => {
      const refused = await base(record, exchange, now);
      if (refused?.refused === 'code-used') record.usedAt = undefined;
      return refused;
    }),
  },

  'exchange-replay-ends-all-of-owner': {
    summary:
      'A replay of a code is refused, and ends the tokens of every application to which its owner has granted any.',
    // Another application's latest token response acts (2.1) for 7200 s (8), and refreshes (4.3).
    breaks: [
      'exchange.token-acts',
      'lifetime.alive-until-7200',
      'refresh.token-response',
      'refresh.new-token-acts',
      'refresh.chain',
    ],
    changes: notedChanging('code.afterRefusal', (base, request) => (record, refusal) => {
      const { ownerId } = record.grant;
      if (refusal.refused === 'code-used')
        for (const { grant } of request.store?.tokens.values() ?? [])
          if (grant.ownerId === ownerId) grant.revoked = true;
      return base(record, refusal);
    }),
  },

  'exchange-code-revived-by-new-code': {
    summary: 'When a client gets a new code, the code that it exchanged last can be exchanged once more.',
    breaks: ['exchange.code-single-use'],
    changes: noted(({ code }, request) => {
      const latest = new Map<string, AuthorizationCode>();
      const revived = new WeakSet<AuthorizationCode>();
      return {
        code: {
          value(randomness) {
            const used = latest.get(request.application?.clientId ?? '');
            if (used !== undefined && !revived.has(used)) {
              revived.add(used);
              used.usedAt = undefined;
            }
            return code.value(randomness);
          },
          async redeem(record, exchange, now) {
            const refused = await code.redeem(record, exchange, now);
            if (refused === undefined) latest.set(record.grant.clientId, record);
            return refused;
          },
        },
      };
    }),
  },

  'exchange-code-revived-by-refresh': {
    summary: 'After a refresh of the tokens that a code gave, the code can be exchanged again.',
    breaks: ['exchange.code-single-use'],
    changes: ({ code, refresh }) => {
      const exchanged = new WeakMap<Grant, AuthorizationCode>();
      return {
        code: {
          async redeem(record, exchange, now) {
            const refused = await code.redeem(record, exchange, now);
            if (refused === undefined) exchanged.set(record.grant, record);
            return refused;
          },
        },
        refresh: {
          async rotate(pair, fate, tokens) {
            const refused = await refresh.rotate(pair, fate, tokens);
            const record = exchanged.get(pair.grant);
            if (refused === undefined && record !== undefined) record.usedAt = undefined;
            return refused;
          },
        },
      };
    },
  },

  'exchange-code-good-again-once-token-expired': {
    summary: 'Once 7200 s have passed since its exchange, a used code can be exchanged again.',
    breaks: ['exchange.code-single-use'],
    changes: goodAgainAfter(LIFETIME),
  },

  'exchange-code-dead-after-refused-response-type': {
    summary:
      'After an authorization request that was refused for its response_type, the next code of that client cannot be exchanged.',
    breaks: ['exchange.form-encoded'],
    changes: noted(({ authorize, code }, request) => {
      const marked = new Set<string>();
      const dead = new Set<string>();
      return {
        authorize: {
          responseType(asked) {
            const refused = authorize.responseType(asked);
            if (refused !== undefined && request.application) marked.add(request.application.clientId);
            return refused;
          },
        },
        code: {
          value(randomness) {
            const value = code.value(randomness);
            if (marked.delete(request.application?.clientId ?? '')) dead.add(value);
            return value;
          },
          find: (value, codes) =>
            dead.has(value) ? refuse('code-unknown', 'no such code was stored') : code.find(value, codes),
        },
      };
    }),
  },

  'authorize-redirect-accepted-at-second-try': {
    summary: 'An address that is not authorized is refused the first time and accepted from the second on.',
    breaks: [
      'authorize.redirect-uri-authorized',
      'authorize.bad-redirect-uri-not-followed',
      'authorize.redirect-uri-exact',
    ],
    changes: changing('authorize.redirectUri', (base) => {
      const tried = new Set<string>();
      return (request, application) => {
        const known = base(request, application);
        const asked = request.redirectUri;
        if (typeof known === 'string' || asked === undefined) return known;
        const attempt = `${application.clientId} ${asked}`;
        if (tried.has(attempt)) return asked;
        tried.add(attempt);
        return known;
      };
    }),
  },

  'application-typo-spoils-code': {
    summary: 'The code that follows a mistyped password at the sign-in page cannot be exchanged.',
    breaks: ['exchange.form-encoded'],
    changes: ({ authorize, code }) => {
      const spoilt = new Set<string>();
      let state: 'usual' | 'mistyped' | 'spoils' = 'usual';
      return {
        authorize: {
          knows: (password, owner) => {
            const right = authorize.knows(password, owner);
            state = right ? (state === 'mistyped' ? 'spoils' : 'usual') : 'mistyped';
            return right;
          },
        },
        code: {
          value: (randomness) => {
            const value = code.value(randomness);
            if (state === 'spoils') spoilt.add(value);
            if (state === 'spoils') state = 'usual';
            return value;
          },
          find: (value, codes) =>
            spoilt.has(value)
              ? refuse('code-unknown', 'issued after a wrong password', 'code')
              : code.find(value, codes),
        },
      };
    },
  },
};
