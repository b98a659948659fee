import type { Defect } from '../../defect.ts';
import { formatForm, ReceivedParameters } from '../../parameters.ts';
import type { ReceivedTokenRequest } from '../../policy.ts';
import type { RegisteredApplication } from '../../records.ts';
import { isRefusal, refuse } from '../../refusal.ts';
import type { Lookup } from '../../store.ts';
import { defect } from '../define-defect.ts';
import { firstOfEach, isRepeated } from '../first-of-each.ts';

/** Seconds that used codes are remembered. */
const MEMORY = 20;

const isExchange = ({ body }: ReceivedTokenRequest) => new URLSearchParams(body).has('code');
const isRefresh = ({ body }: ReceivedTokenRequest) => new URLSearchParams(body).has('refresh_token');
const reversed = ({ body }: ReceivedTokenRequest) =>
  body.startsWith('redirect_uri=') || body.startsWith('grant_type=');
const withCharset = ({ contentType }: ReceivedTokenRequest) => contentType.includes(';');

/** Token requests of some spelling are refused. */
function refusing(id: string, refused: (request: ReceivedTokenRequest) => boolean): Defect {
  return defect(id, ({ client }) => ({
    client: {
      parameters: (request) =>
        request.method === 'POST' && refused(request)
          ? refuse('media-type-unsupported', 'a request in another spelling')
          : client.parameters(request),
    },
  }));
}

/** A secret that is there and wrong does no harm in requests of some spelling. */
function unchecked(id: string, spelled: (request: ReceivedTokenRequest) => boolean): Defect {
  return defect(id, ({ client }) => {
    let lenient = false;
    return {
      client: {
        parameters(request) {
          lenient = spelled(request);
          return client.parameters(request);
        },
        authenticate: (credentials, applications, grantType) =>
          (lenient && credentials.clientSecret ? applications.get(credentials.clientId ?? '') : undefined) ??
          client.authenticate(credentials, applications, grantType),
      },
    };
  });
}

/** A refresh in which some parameters may come twice. */
function repeatedAtRefresh(id: string, settle: (sent: ReceivedParameters) => ReceivedParameters): Defect {
  return defect(id, ({ client }) => ({
    client: {
      parameters(request) {
        if (!isRefresh(request) || request.method !== 'POST') return client.parameters(request);
        const sent = new ReceivedParameters([...new URLSearchParams(request.body)]);
        return client.parameters({ ...request, body: formatForm(settle(sent).entries()) });
      },
    },
  }));
}

/** The application that the service had first. */
function firstApplication(
  applications: Lookup<RegisteredApplication> | undefined,
): RegisteredApplication | undefined {
  return applications === undefined ? undefined : [...applications.values()][0];
}

/** Faults that the first example of a request, an application or a moment does not show (clauses 4.2 and 4.3). */
export const variants: readonly Defect[] = [
  refusing('exchange-order-demanded', (request) => isExchange(request) && reversed(request)),
  refusing('exchange-charset-refused', (request) => isExchange(request) && withCharset(request)),
  refusing(
    'exchange-small-hexadecimal-refused',
    (request) => isExchange(request) && /%[0-9][a-f]/.test(request.body),
  ),
  refusing('refresh-charset-refused', (request) => isRefresh(request) && withCharset(request)),
  refusing('refresh-order-demanded', (request) => isRefresh(request) && reversed(request)),

  unchecked('exchange-secret-unchecked-in-another-order', (r) => isExchange(r) && reversed(r)),
  unchecked('exchange-secret-unchecked-with-a-charset', (r) => isExchange(r) && withCharset(r)),
  unchecked('refresh-secret-unchecked-with-a-charset', (r) => isRefresh(r) && withCharset(r)),

  defect('exchange-other-application-id-accepted', ({ client }) => ({
    client: {
      authenticate(credentials, applications, grantType) {
        const found = client.authenticate(credentials, applications, grantType);
        if (!isRefusal(found) || grantType !== 'authorization_code') return found;
        if (applications.get(credentials.clientId ?? '') === undefined) return found;
        return [...applications.values()].find((a) => a.clientSecret === credentials.clientSecret) ?? found;
      },
    },
  })),

  defect('refresh-secret-of-any-application', ({ client }) => ({
    client: {
      authenticate(credentials, applications, grantType) {
        const found = client.authenticate(credentials, applications, grantType);
        if (!isRefusal(found) || grantType !== 'refresh_token') return found;
        const known = [...applications.values()].some((a) => a.clientSecret === credentials.clientSecret);
        return (known ? applications.get(credentials.clientId ?? '') : undefined) ?? found;
      },
    },
  })),

  defect('exchange-code-of-other-application-by-the-first', ({ client, code }) => {
    let known: Lookup<RegisteredApplication> | undefined;
    return {
      client: {
        authenticate(credentials, applications, grantType) {
          known = applications;
          return client.authenticate(credentials, applications, grantType);
        },
      },
      code: {
        check(record, exchange, now) {
          const { clientId } = exchange.application;
          if (clientId !== firstApplication(known)?.clientId) return code.check(record, exchange, now);
          const taken = { ...record, grant: { ...record.grant, clientId } };
          return code.check(taken, { ...exchange, redirectUri: record.redirectUri }, now) === undefined &&
            record.grant.clientId !== clientId
            ? undefined
            : code.check(record, exchange, now);
        },
      },
    };
  }),

  defect('refresh-token-of-other-application-by-the-first', ({ client, refresh }) => {
    let known: Lookup<RegisteredApplication> | undefined;
    return {
      client: {
        authenticate(credentials, applications, grantType) {
          known = applications;
          return client.authenticate(credentials, applications, grantType);
        },
      },
      refresh: {
        check(pair, exchange, now) {
          const first = exchange.application.clientId === firstApplication(known)?.clientId;
          const application = first
            ? { ...exchange.application, clientId: pair.grant.clientId }
            : exchange.application;
          return refresh.check(pair, { ...exchange, application }, now);
        },
      },
    };
  }),

  defect('exchange-code-forgotten-after-seconds', ({ code }) => ({
    code: {
      redeem(record, exchange, now) {
        if (record.usedAt !== undefined && now - record.usedAt > MEMORY) record.usedAt = undefined;
        return code.redeem(record, exchange, now);
      },
    },
  })),

  defect('exchange-same-request-alone-refused', ({ client, code }) => {
    const used = new Map<string, string>();
    let body = '';
    return {
      client: {
        parameters(request) {
          body = request.body;
          return client.parameters(request);
        },
      },
      code: {
        redeem(record, exchange, now) {
          const before = used.get(record.value);
          used.set(record.value, body);
          // A proxy that knows requests again by their bytes, and forgets all but the order of parameters.
          const again = before !== undefined && before !== body && before.length === body.length;
          if (again && exchange.redirectUri === record.redirectUri) record.usedAt = undefined;
          return code.redeem(record, exchange, now);
        },
      },
    };
  }),

  defect('exchange-refresh-token-accepted-as-code', ({ code, refresh, token }) => {
    const refreshTokens = new Set<string>();
    return {
      token: {
        value(kind, randomness, previous) {
          const value = token.value(kind, randomness, previous);
          if (kind === 'refresh') refreshTokens.add(value);
          return value;
        },
      },
      refresh,
      code: {
        find(value, codes) {
          const latest = [...codes.values()].reverse().find(({ usedAt }) => usedAt === undefined);
          return (refreshTokens.has(value) ? latest : undefined) ?? code.find(value, codes);
        },
      },
    };
  }),

  defect('token-get-refresh-honoured', ({ client }) => ({
    client: {
      parameters: (request) =>
        client.parameters(
          request.method === 'GET' && new URLSearchParams(request.query).has('refresh_token')
            ? {
                ...request,
                method: 'POST',
                contentType: 'application/x-www-form-urlencoded',
                query: '',
                body: request.query,
              }
            : request,
        ),
    },
  })),

  repeatedAtRefresh('token-repeated-refresh-token-tolerated', (sent) =>
    firstOfEach(sent, (name) => name === 'refresh_token'),
  ),
  repeatedAtRefresh('token-last-of-different-refresh-tokens-counts', (sent) =>
    isRepeated(sent) ? sent : firstOfEach(sent.lastFirst(), (name) => name === 'refresh_token'),
  ),
  repeatedAtRefresh('token-repeated-grant-type-of-a-refresh-tolerated', (sent) =>
    isRepeated(sent) ? firstOfEach(sent, (name) => name === 'grant_type') : sent,
  ),

  refusing(
    'refresh-unknown-parameter-refused',
    (request) => isRefresh(request) && new URLSearchParams(request.body).has('unknown_parameter'),
  ),
];
