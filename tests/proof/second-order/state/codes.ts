import type { Defect } from '../../../../src/emulator/defect.ts';
import { defect } from '../../../../src/emulator/defects/define-defect.ts';
import type { AuthorizationCode, Grant } from '../../../../src/emulator/records.ts';
import { refuse } from '../../../../src/emulator/refusal.ts';
import { goodAgainAfter } from '../tools/codes.ts';
import { noted } from '../tools/noted.ts';

const LIFETIME = 7_200;

/** Faults of codes, and of the requests that yield them, that show only in some states. */
export const codes: readonly Defect[] = [
  defect('exchange-code-twice-after-wrong-address', ({ code }) => {
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
  }),

  noted('exchange-any-address-after-wrong-secret', ({ client, code }, request) => {
    const spoiled = new Set<string>();
    return {
      client: {
        authenticate(credentials, applications, grantType) {
          const application = client.authenticate(credentials, applications, grantType);
          const sent = request.form.get('code');
          if ('refused' in application && application.refused === 'client-secret-wrong' && sent) {
            spoiled.add(sent);
          }
          return application;
        },
      },
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

  defect('exchange-code-revived-by-refused-replay', ({ code }) => ({
    code: {
      async redeem(record, exchange, now) {
        const refused = await code.redeem(record, exchange, now);
        if (refused?.refused === 'code-used') record.usedAt = undefined;
        return refused;
      },
    },
  })),

  noted('exchange-replay-ends-all-of-owner', ({ code }, request) => ({
    code: {
      afterRefusal(record, refusal) {
        const { ownerId } = record.grant;
        if (refusal.refused === 'code-used')
          for (const { grant } of request.store?.tokens.values() ?? [])
            if (grant.ownerId === ownerId) grant.revoked = true;
        return code.afterRefusal(record, refusal);
      },
    },
  })),

  noted('exchange-code-revived-by-new-code', ({ code }, request) => {
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

  defect('exchange-code-revived-by-refresh', ({ code, refresh }) => {
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
  }),

  goodAgainAfter('exchange-code-good-again-once-token-expired', LIFETIME),

  noted('exchange-code-dead-after-refused-response-type', ({ authorize, code }, request) => {
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

  defect('authorize-redirect-accepted-at-second-try', ({ authorize }) => {
    const tried = new Set<string>();
    return {
      authorize: {
        redirectUri(request, application) {
          const known = authorize.redirectUri(request, application);
          const asked = request.redirectUri;
          if (typeof known === 'string' || asked === undefined) return known;
          const attempt = `${application.clientId} ${asked}`;
          if (tried.has(attempt)) return asked;
          tried.add(attempt);
          return known;
        },
      },
    };
  }),
];
