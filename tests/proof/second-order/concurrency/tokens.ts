import { changing } from '../../../../src/emulator/defects/define-defect.ts';
import { ReceivedParameters } from '../../../../src/emulator/parameters.ts';
import type { Policy } from '../../../../src/emulator/policy/policy.ts';
import { refuse } from '../../../../src/emulator/refusal.ts';
import type { AuthorizationCode, Grant, IssuedPair } from '../../../../src/emulator/store/records.ts';
import type { SecondOrderDefects } from '../define-second-order.ts';
import { type Flight, InFlight, met } from '../tools/in-flight.ts';
import { noted, type RequestNotes } from '../tools/noted.ts';
import { EXPIRED, isExpired, marking, withFields } from '../tools/tokens.ts';

const HOUR = 3_600;

/** Token requests in flight from the moment on at which they are read, by their parameters. */
function flyingForms({ client }: Policy): {
  readonly parameters: Policy['client']['parameters'];
  readonly of: (request: RequestNotes) => Flight<ReceivedParameters> | undefined;
} {
  const flights = new InFlight<ReceivedParameters>();
  const byForm = new WeakMap<ReceivedParameters, Flight<ReceivedParameters>>();
  return {
    async parameters(request) {
      const sent = await client.parameters(request);
      if (sent instanceof ReceivedParameters) byForm.set(sent, await flights.fly(sent));
      return sent;
    },
    of: (request) => byForm.get(request.form),
  };
}

/** Tokens that a refresh gave, for others of the same refresh token that were in flight with it. */
interface Given {
  access?: string;
  refresh?: string;
}

/** Gives the tokens of the first refresh of a pair again where `again` has the pair. */
function repeating(
  token: Policy['token'],
  given: WeakMap<IssuedPair, Given>,
  again: WeakSet<IssuedPair>,
): Policy['token']['value'] {
  return (kind, randomness, previous) => {
    const first = previous && given.get(previous);
    const repeated = previous !== undefined && again.has(previous) ? first?.[kind] : undefined;
    const value = repeated ?? token.value(kind, randomness, previous);
    if (previous !== undefined) given.set(previous, { ...first, [kind]: value });
    return value;
  };
}

/** Rotates a pair, unless a refresh of it that `counts` is in flight with this one: then the pair is noted alone. */
function notingSecond(
  refresh: Policy['refresh'],
  second: WeakSet<IssuedPair>,
  counts: (other: Flight<IssuedPair>) => boolean = ({ over }) => over,
): Policy['refresh']['rotate'] {
  const flights = new InFlight<IssuedPair>();
  return async (pair, fate, all) => {
    const flight = await flights.fly(pair);
    if (!met(flight, (other, that) => other === pair && counts(that))) return refresh.rotate(pair, fate, all);
    second.add(pair);
    return undefined;
  };
}

/** Faults of token requests in flight at once. */
export const tokens: SecondOrderDefects = {
  'refresh-at-once-answers-crossed': {
    summary: 'Of two refreshes of different chains in flight at once, each gets the answer of the other.',
    breaks: ['refresh.token-response'],
    changes: noted(
      changing('client.parameters', (base) => {
        const flights = new InFlight<ReceivedParameters>();
        const partners = new Map<Flight<ReceivedParameters>, Flight<ReceivedParameters>>();
        const token = (sent: ReceivedParameters) => sent.get('refresh_token');
        return async (request) => {
          const sent = await base(request);
          if (!(sent instanceof ReceivedParameters) || sent.get('grant_type') !== 'refresh_token')
            return sent;
          const flight = await flights.fly(sent);
          const free = [...flight.met].find(
            (other) => !partners.has(other) && token(other.what) !== token(sent),
          );
          if (!partners.has(flight) && free !== undefined) {
            partners.set(flight, free);
            partners.set(free, flight);
          }
          return partners.get(flight)?.what ?? sent;
        };
      }),
    ),
  },

  'exchange-at-once-answers-share-refresh-token': {
    summary: 'The answers to two exchanges in flight at once hold the same refresh token.',
    breaks: ['exchange.token-response'],
    changes: noted(({ code, token }, request) => {
      const flights = new InFlight<AuthorizationCode>();
      const flown = new WeakMap<AuthorizationCode, Flight<AuthorizationCode>>();
      const given = new WeakMap<AuthorizationCode, string>();
      return {
        code: {
          async redeem(record, exchange, now) {
            const refused = await code.redeem(record, exchange, now);
            if (refused === undefined) flown.set(record, await flights.fly(record));
            return refused;
          },
        },
        token: {
          value(kind, randomness, previous) {
            const record = request.code;
            if (kind !== 'refresh' || previous !== undefined || record === undefined) {
              return token.value(kind, randomness, previous);
            }
            const others = [...(flown.get(record)?.met ?? [])].map(({ what }) => given.get(what));
            const value =
              others.find((other) => other !== undefined) ?? token.value(kind, randomness, previous);
            given.set(record, value);
            return value;
          },
        },
      };
    }),
  },

  'exchange-at-once-with-wrong-address-shares-answer': {
    summary:
      'An exchange with another redirect_uri is answered with the tokens of the right exchange of that code that is in flight with it.',
    breaks: [
      'exchange.redirect-uri-same',
      'exchange.redirect-uri-same-among-authorized',
      'exchange.code-single-use-parallel',
    ],
    changes: noted((policy, request) => {
      const { code, token } = policy;
      const forms = flyingForms(policy);
      const waiting = new InFlight<AuthorizationCode>();
      const sharing = new WeakSet<AuthorizationCode>();
      return {
        client: { parameters: forms.parameters },
        code: {
          check(record, exchange, now) {
            const refused = code.check(record, exchange, now);
            const flight = forms.of(request);
            sharing.delete(record);
            if (refused?.refused !== 'code-redirect-uri-different' || flight === undefined) return refused;
            const right = (other: ReceivedParameters) =>
              other.get('code') === record.value && other.get('redirect_uri') === record.redirectUri;
            if (!met(flight, right)) return refused;
            sharing.add(record);
            return undefined;
          },
          async redeem(record, exchange, now) {
            if (!sharing.delete(record)) return code.redeem(record, exchange, now);
            await waiting.fly(record);
            return undefined;
          },
        },
        token: {
          existing: (record, granted, now) => record.gave ?? token.existing(record, granted, now),
        },
      };
    }),
  },

  'refresh-at-once-with-wrong-secret-shares-answer': {
    summary:
      'A refresh with a wrong secret is answered with the tokens of the right refresh that is in flight with it.',
    breaks: ['refresh.client-secret-checked'],
    changes: noted((policy, request) => {
      const { client, refresh, token } = policy;
      const forms = flyingForms(policy);
      const given = new WeakMap<IssuedPair, Given>();
      const sharing = new WeakSet<IssuedPair>();
      const others = () => {
        const sent = request.form;
        return [...(forms.of(request)?.met ?? [])]
          .map(({ what }) => what)
          .filter(
            (other) =>
              other.get('refresh_token') === sent.get('refresh_token') &&
              other.get('client_id') === sent.get('client_id') &&
              other.get('client_secret') !== sent.get('client_secret'),
          );
      };
      return {
        client: {
          parameters: forms.parameters,
          authenticate(credentials, applications, grantType) {
            const found = client.authenticate(credentials, applications, grantType);
            if (grantType !== 'refresh_token' || !('refused' in found)) return found;
            for (const other of others()) {
              const clientSecret = other.get('client_secret');
              const shared = client.authenticate({ ...credentials, clientSecret }, applications, grantType);
              if (!('refused' in shared)) return shared;
            }
            return found;
          },
        },
        refresh: {
          check(pair, exchange, now) {
            sharing.delete(pair);
            if (given.get(pair) === undefined || others().length === 0)
              return refresh.check(pair, exchange, now);
            sharing.add(pair);
            return undefined;
          },
          rotate: (pair, fate, all) => (sharing.has(pair) ? undefined : refresh.rotate(pair, fate, all)),
        },
        token: { value: repeating(token, given, sharing) },
      };
    }),
  },

  'refresh-at-once-of-same-token-both-void': {
    summary:
      'Two refreshes with the same refresh token in flight at once are answered with pairs of their own, of which neither can be refreshed.',
    // Which of the two was answered last is the latest token response (4.3). It must refresh: before expiry where the service does that, and after it (3).
    breaks: ['refresh.token-response', 'refresh.chain', 'refresh.after-expiry'],
    changes: noted(({ refresh, token }) => {
      const twice = new WeakSet<IssuedPair>();
      const dead = new Set<string>();
      return {
        refresh: {
          rotate: notingSecond(refresh, twice, () => true),
          check: (pair, exchange, now) =>
            dead.has(exchange.refreshToken)
              ? refuse('refresh-token-revoked', 'its token was refreshed twice at once')
              : refresh.check(pair, exchange, now),
        },
        token: { value: marking(token.value, dead, (previous) => twice.has(previous), 'refresh') },
      };
    }),
  },

  'refresh-at-once-of-same-token-without-refresh-token': {
    summary:
      'Of two refreshes with the same refresh token in flight at once, the second is answered without a refresh_token.',
    breaks: ['refresh.token-response'],
    changes: noted(({ refresh, token, answer }) => {
      const second = new WeakSet<IssuedPair>();
      const bare = new Set<string>();
      return {
        refresh: { rotate: notingSecond(refresh, second) },
        token: { value: marking(token.value, bare, (previous) => second.delete(previous)) },
        answer: {
          tokens: withFields(answer, ({ access_token }) =>
            bare.has(access_token) ? { refresh_token: undefined } : {},
          ),
        },
      };
    }),
  },

  'lifetime-of-second-of-refreshes-at-once-an-hour': {
    summary: 'Of two refreshes in flight at once, the second gives an access token that dies after 3600 s.',
    breaks: ['lifetime.refreshed-full'],
    changes: noted(({ refresh, token }) => {
      const flights = new InFlight<IssuedPair>();
      const second = new WeakSet<IssuedPair>();
      const short = new Set<string>();
      return {
        refresh: {
          async rotate(pair, fate, all) {
            const flight = await flights.fly(pair);
            if (met(flight, (_, { over }) => over)) second.add(pair);
            return refresh.rotate(pair, fate, all);
          },
        },
        token: {
          value: marking(token.value, short, (previous) => second.delete(previous)),
          check: (pair, now) =>
            short.has(pair.accessToken) && now >= pair.issuedAt + HOUR ? EXPIRED : token.check(pair, now),
        },
      };
    }),
  },

  'exchange-at-once-accepts-credentials-of-other': {
    summary:
      'While an exchange of an application is in flight, the credentials of another are accepted for its codes.',
    breaks: ['exchange.code-bound-to-client'],
    changes: noted((policy, request) => {
      const forms = flyingForms(policy);
      return {
        client: { parameters: forms.parameters },
        code: {
          check(record, exchange, now) {
            const refused = policy.code.check(record, exchange, now);
            const flight = forms.of(request);
            const { clientId } = record.grant;
            const owner = (other: ReceivedParameters) =>
              other.get('client_id') === clientId && other.get('grant_type') === 'authorization_code';
            if (refused?.refused !== 'code-of-other-client' || flight === undefined || !met(flight, owner)) {
              return refused;
            }
            const application = { ...exchange.application, clientId };
            return policy.code.check(record, { ...exchange, application }, now);
          },
        },
      };
    }),
  },

  'lifetime-unchecked-beside-live-request': {
    summary: 'A request with an expired access token is served while one with a live token is in flight.',
    breaks: ['lifetime.dead-after-7200'],
    changes: noted(({ token, assignments }) => {
      const flights = new InFlight<boolean>();
      let live = false;
      return {
        token: {
          check(pair, now) {
            const dead = token.check(pair, now);
            live = dead === undefined;
            return isExpired(dead) && flights.now().some(({ what }) => what) ? undefined : dead;
          },
        },
        assignments: {
          async assign(all, project, user, now) {
            await flights.fly(live);
            return assignments.assign(all, project, user, now);
          },
          async unassign(all, project, user, now) {
            await flights.fly(live);
            return assignments.unassign(all, project, user, now);
          },
          async list(all, project, now) {
            await flights.fly(live);
            return assignments.list(all, project, now);
          },
        },
      };
    }),
  },

  'list-at-once-with-refresh-empty': {
    summary: 'A list that is in flight with a refresh of its chain is empty.',
    breaks: ['list.returns-assigned'],
    changes: noted(({ refresh, assignments }, request) => {
      const flights = new InFlight<{ readonly refresh: boolean; readonly grant: Grant }>();
      return {
        refresh: {
          async rotate(pair, fate, all) {
            await flights.fly({ refresh: true, grant: pair.grant });
            return refresh.rotate(pair, fate, all);
          },
        },
        assignments: {
          async list(all, project, now) {
            const { grant } = request.caller;
            const flight = await flights.fly({ refresh: false, grant });
            if (met(flight, (other) => other.refresh && other.grant === grant)) return [];
            return assignments.list(all, project, now);
          },
        },
      };
    }),
  },
};
