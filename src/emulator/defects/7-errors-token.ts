import { type ServiceAnswer, withHeader } from '../answer.ts';
import type { Defect } from '../defect.ts';
import type { ReceivedParameters } from '../parameters.ts';
import { type Refusal, refuse, type TokenReason } from '../refusal.ts';
import { defect } from './define-defect.ts';

/** The reasons that one error code of RFC 6749 section 5.2 stands for. */
const CODE_BAD = ['code-unknown', 'code-used', 'code-redirect-uri-different', 'code-of-other-client'];
const GRANT_BAD = [...CODE_BAD, 'refresh-token-unknown', 'refresh-token-revoked'];
const CLIENT_BAD = ['client-unknown', 'client-secret-wrong', 'client-missing'];
const MISSING = ['grant-type-missing', 'code-missing', 'redirect-uri-missing', 'refresh-token-missing'];

/** Why the database refused to look for a code. */
const NUL_FOUND = 'text with a NUL in it is none';

/** Refusals for some reasons, or for every one, that are told in another way. */
function telling(
  id: string,
  reasons: readonly string[] | 'all',
  tell: (failure: ServiceAnswer, refusal: Refusal<TokenReason>) => ServiceAnswer,
): Defect {
  return defect(id, ({ answer }) => ({
    answer: {
      tokenFailure(refusal) {
        const failure = answer.tokenFailure(refusal);
        return reasons === 'all' || reasons.includes(refusal.refused) ? tell(failure, refusal) : failure;
      },
    },
  }));
}

/** Another error code. */
function saying(error: string): (failure: ServiceAnswer) => ServiceAnswer {
  return (failure) => ({ ...failure, body: JSON.stringify({ error, error_description: 'It was refused.' }) });
}

/** Another status. */
function withStatus(status: number): (failure: ServiceAnswer) => ServiceAnswer {
  return (failure) => ({ ...failure, status });
}

function page(failure: ServiceAnswer, status: number): ServiceAnswer {
  const html = `<!doctype html>\n<title>${status}</title>\n<h1>Something went wrong</h1>\n`;
  return { ...withHeader(failure, 'Content-Type', 'text/html; charset=utf-8'), status, body: html };
}

/** Refusals that tell a parameter of the request again. */
function echoing(
  id: string,
  name: string,
  echo: (failure: ServiceAnswer, value: string) => ServiceAnswer,
): Defect {
  return defect(id, ({ client, answer }) => {
    let sent: ReceivedParameters | undefined;
    let secret: string | undefined;
    return {
      client: {
        grantType(parameters) {
          sent = parameters;
          return client.grantType(parameters);
        },
        credentials(request, parameters) {
          const credentials = client.credentials(request, parameters);
          secret = 'refused' in credentials ? undefined : credentials.clientSecret;
          return credentials;
        },
      },
      answer: {
        tokenFailure(refusal) {
          const failure = answer.tokenFailure(refusal);
          const value = name === 'client_secret' ? secret : sent?.get(name);
          return value ? echo(failure, value) : failure;
        },
      },
    };
  });
}

function described(failure: ServiceAnswer, description: string): ServiceAnswer {
  const body = JSON.parse(failure.body) as Record<string, unknown>;
  return { ...failure, body: JSON.stringify({ ...body, error_description: description }) };
}

/** Faults of clause 7 at the token endpoint: refusals that refuse, but not in the way that RFC 6749 section 5.2 has. */
export const defects: readonly Defect[] = [
  telling('token-error-as-page', 'all', (failure) => page(failure, failure.status)),
  telling('token-error-in-envelope', 'all', (failure) => ({
    ...failure,
    body: JSON.stringify({ errors: [{ message: 'It was refused.' }] }),
  })),
  telling('token-error-bad-code-crashes', CODE_BAD, (failure) => page(failure, 500)),
  telling('token-error-missing-parameter-crashes', MISSING, withStatus(500)),
  telling('token-error-unknown-client-crashes', ['client-unknown'], withStatus(503)),
  defect('token-error-nul-crashes', ({ code, answer }) => ({
    code: {
      find: (value, codes) =>
        value.includes('\0') ? refuse('code-unknown', NUL_FOUND) : code.find(value, codes),
    },
    answer: {
      tokenFailure(refusal) {
        const failure = answer.tokenFailure(refusal);
        return refusal.detail === NUL_FOUND ? { ...failure, status: 500 } : failure;
      },
    },
  })),
  telling('token-error-with-success', 'all', withStatus(200)),
  telling('token-error-unknown-code-not-found', ['code-unknown'], withStatus(404)),
  telling('token-error-unknown-client-forbidden', ['client-unknown'], withStatus(403)),

  telling('token-error-bad-grant-as-request', GRANT_BAD, saying('invalid_request')),
  telling('token-error-used-code-as-request', ['code-used'], saying('invalid_request')),
  telling('token-error-dead-refresh-token-as-request', ['refresh-token-revoked'], saying('invalid_request')),
  telling('token-error-own-word-for-code', ['code-unknown'], saying('invalid_code')),
  telling('token-error-bad-client-unauthorized', CLIENT_BAD, saying('unauthorized_client')),
  telling('token-error-unknown-client-as-grant', ['client-unknown'], saying('invalid_grant')),
  telling('token-error-missing-as-grant', MISSING, saying('invalid_grant')),
  telling('token-error-missing-code-as-grant', ['code-missing'], saying('invalid_grant')),
  telling('token-error-missing-address-as-grant', ['redirect-uri-missing'], saying('invalid_grant')),
  telling('token-error-grant-type-as-request', ['grant-type-unsupported'], saying('invalid_request')),
  telling('token-error-grant-type-misspelt', ['grant-type-unsupported'], saying('unsupported_grant')),

  echoing('token-error-tells-code', 'code', (failure, code) => described(failure, `No such code: ${code}`)),
  echoing('token-error-tells-secret', 'client_secret', (failure, secret) =>
    failure.status === 401 ? described(failure, `Wrong secret ${secret}`) : failure,
  ),
  echoing('token-error-header-tells-refresh-token', 'refresh_token', (failure, token) =>
    withHeader(failure, 'X-Error-Detail', `refresh_token=${encodeURIComponent(token)}`),
  ),
];
