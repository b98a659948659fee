import { type ServiceAnswer, withHeader } from '../answer.ts';
import type { ReceivedParameters } from '../parameters.ts';
import type { TokenRefusal } from '../refusal.ts';
import { type Changes, changing, type Defects } from './define-defect.ts';

const CODE_BAD = ['code-unknown', 'code-used', 'code-redirect-uri-different', 'code-of-other-client'];
const GRANT_BAD = [...CODE_BAD, 'refresh-token-unknown', 'refresh-token-revoked'];
const CLIENT_BAD = ['client-unknown', 'client-secret-wrong', 'client-missing'];

export function telling(
  reasons: readonly string[] | 'all',
  tell: (failure: ServiceAnswer, refusal: TokenRefusal) => ServiceAnswer,
): Changes {
  return changing('answer.tokenFailure', (base) => (refusal) => {
    const failure = base(refusal);
    return reasons === 'all' || reasons.includes(refusal.refused) ? tell(failure, refusal) : failure;
  });
}

export function saying(error: string): (failure: ServiceAnswer) => ServiceAnswer {
  return (failure) => ({ ...failure, body: JSON.stringify({ error, error_description: 'It was refused.' }) });
}

export function failingWithStatus(status: number): (failure: ServiceAnswer) => ServiceAnswer {
  return (failure) => ({ ...failure, status });
}

function page(failure: ServiceAnswer, status: number): ServiceAnswer {
  const html = `<!doctype html>\n<title>${status}</title>\n<h1>Something went wrong</h1>\n`;
  return { ...withHeader(failure, 'Content-Type', 'text/html; charset=utf-8'), status, body: html };
}

function echoing(name: string, echo: (failure: ServiceAnswer, value: string) => ServiceAnswer): Changes {
  return ({ client, answer }) => {
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
  };
}

function described(failure: ServiceAnswer, description: string): ServiceAnswer {
  const body = JSON.parse(failure.body) as Record<string, unknown>;
  return { ...failure, body: JSON.stringify({ ...body, error_description: description }) };
}

export const defects: Defects = {
  'token-error-as-page': {
    summary: 'A refusal is a page for people, with the right status.',
    breaks: ['token.error-json'],
    changes: telling('all', (failure) => page(failure, failure.status)),
  },
  'token-error-in-envelope': {
    summary: "A refusal is JSON of the service's own making, without the field error.",
    breaks: ['token.error-json'],
    changes: telling('all', (failure) => ({
      ...failure,
      body: JSON.stringify({ errors: [{ message: 'It was refused.' }] }),
    })),
  },
  'token-error-bad-code-crashes': {
    summary: 'A bad code leads to an internal error and an error page.',
    reference: 'mattermost/mattermost#10924',
    breaks: ['token.error-json', 'token.error-status', 'token.no-5xx'],
    changes: telling(CODE_BAD, (failure) => page(failure, 500)),
  },
  'token-error-with-success': {
    summary: 'A refusal has status 200 and tells of it in the body alone.',
    reference: 'octokit/auth-oauth-app.js#13',
    breaks: ['token.error-status'],
    changes: telling('all', failingWithStatus(200)),
  },

  'token-error-bad-grant-as-request': {
    summary: 'Whatever is wrong with a code or refresh token is called an invalid request.',
    breaks: ['token.error-invalid-grant'],
    changes: telling(GRANT_BAD, saying('invalid_request')),
  },
  'token-error-bad-client-unauthorized': {
    summary: 'A client that fails to authenticate is called unauthorized for the grant.',
    reference: 'modelcontextprotocol/python-sdk#1481',
    breaks: ['token.error-invalid-client'],
    changes: telling(CLIENT_BAD, saying('unauthorized_client')),
  },

  'token-error-tells-code': {
    summary: 'The description of an error repeats the code.',
    breaks: ['token.error-leaks-nothing'],
    changes: echoing('code', (failure, code) => described(failure, `No such code: ${code}`)),
  },

  'token-error-tells-secret': {
    summary: 'The description of a failed authentication repeats the secret.',
    breaks: ['token.error-leaks-nothing'],
    changes: echoing('client_secret', (failure, secret) =>
      failure.status === 401 ? described(failure, `Wrong secret ${secret}`) : failure,
    ),
  },

  'token-error-header-tells-refresh-token': {
    summary: 'A header of an error repeats the refresh token, percent-encoded.',
    severity: 'subtle',
    breaks: ['token.error-leaks-nothing'],
    changes: echoing('refresh_token', (failure, token) =>
      withHeader(failure, 'X-Error-Detail', `refresh_token=${encodeURIComponent(token)}`),
    ),
  },
};
