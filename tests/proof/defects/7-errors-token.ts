import { failingWithStatus, saying, telling } from '../../../src/emulator/defects/7-errors-token.ts';
import type { Defects } from '../../../src/emulator/defects/define-defect.ts';
import { refuse } from '../../../src/emulator/refusal.ts';

const MISSING = ['grant-type-missing', 'code-missing', 'redirect-uri-missing', 'refresh-token-missing'];

const NUL_FOUND = 'text with a NUL in it is none';

export const defects: Defects = {
  'token-error-missing-parameter-crashes': {
    summary: 'A missing parameter is answered with status 500.',
    breaks: ['token.error-status', 'token.no-5xx'],
    changes: telling(MISSING, failingWithStatus(500)),
  },
  'token-error-unknown-client-crashes': {
    summary: 'An unknown client_id is answered with status 503.',
    breaks: ['token.error-status', 'token.no-5xx'],
    changes: telling(['client-unknown'], failingWithStatus(503)),
  },
  'token-error-nul-crashes': {
    summary: 'A code with a NUL in it is more than the database can take, and the answer has status 500.',
    breaks: ['token.error-status', 'token.no-5xx'],
    changes: ({ code, answer }) => ({
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
    }),
  },
  'token-error-unknown-code-not-found': {
    summary: 'A code that was never issued is answered with status 404.',
    breaks: ['token.error-status'],
    changes: telling(['code-unknown'], failingWithStatus(404)),
  },
  'token-error-unknown-client-forbidden': {
    summary: 'An unknown client_id is answered with status 403.',
    breaks: ['token.error-status'],
    changes: telling(['client-unknown'], failingWithStatus(403)),
  },
  'token-error-used-code-as-request': {
    summary: 'A code that was used is called an invalid request, an unknown one an invalid grant.',
    breaks: ['token.error-invalid-grant'],
    changes: telling(['code-used'], saying('invalid_request')),
  },
  'token-error-dead-refresh-token-as-request': {
    summary: 'A refresh token that is dead is called an invalid request, an unknown one an invalid grant.',
    breaks: ['token.error-invalid-grant'],
    changes: telling(['refresh-token-revoked'], saying('invalid_request')),
  },
  'token-error-own-word-for-code': {
    summary: "A code that was never issued is called by an error of the service's own.",
    breaks: ['token.error-json', 'token.error-invalid-grant'],
    changes: telling(['code-unknown'], saying('invalid_code')),
  },
  'token-error-unknown-client-as-grant': {
    summary: 'An unknown client_id is called an invalid grant, a wrong secret an invalid client.',
    breaks: ['token.error-invalid-client'],
    changes: telling(['client-unknown'], saying('invalid_grant')),
  },
  'token-error-missing-code-as-grant': {
    summary: 'A missing code is called an invalid grant, every other missing parameter an invalid request.',
    breaks: ['token.error-invalid-request'],
    changes: telling(['code-missing'], saying('invalid_grant')),
  },
  'token-error-missing-address-as-grant': {
    summary:
      'A missing redirect_uri is called an invalid grant, every other missing parameter an invalid request.',
    breaks: ['token.error-invalid-request'],
    changes: telling(['redirect-uri-missing'], saying('invalid_grant')),
  },
  'token-error-grant-type-misspelt': {
    summary: 'An unknown grant_type is called by an error that the standard does not have.',
    breaks: ['token.error-json', 'token.error-unsupported-grant-type'],
    changes: telling(['grant-type-unsupported'], saying('unsupported_grant')),
  },

  'token-error-missing-as-grant': {
    summary: 'A missing parameter is called an invalid grant.',
    severity: 'blunt',
    breaks: ['token.error-invalid-request'],
    changes: telling(MISSING, saying('invalid_grant')),
  },

  'token-error-grant-type-as-request': {
    summary: 'An unknown grant_type is called an invalid request.',
    severity: 'blunt',
    breaks: ['token.error-unsupported-grant-type'],
    changes: telling(['grant-type-unsupported'], saying('invalid_request')),
  },
};
