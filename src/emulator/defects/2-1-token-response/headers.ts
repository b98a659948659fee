import { withHeader } from '../../answer.ts';
import type { Changes, Defects } from '../define-defect.ts';
import { changingResponses, type TokenResponseOf } from '../token-responses.ts';

function header(name: string, value: string | undefined, only?: TokenResponseOf): Changes {
  return changingResponses((answer) => withHeader(answer, name, value), only);
}

export const headers: Defects = {
  'token-content-type-html': {
    summary: 'The token response is JSON and says that it is a page.',
    severity: 'blunt',
    breaks: ['token.json-content-type'],
    changes: header('Content-Type', 'text/html; charset=utf-8'),
  },
  'token-content-type-text-on-refresh': {
    summary: 'The response to a refresh, unlike that to an exchange, says that it is plain text.',
    breaks: ['token.json-content-type'],
    changes: header('Content-Type', 'text/plain; charset=utf-8', 'refresh'),
  },
  'token-cacheable': {
    summary: 'The token response says nothing of caches.',
    severity: 'blunt',
    reference: 'pixelfed/pixelfed#6553',
    breaks: ['token.not-cacheable'],
    changes: header('Cache-Control', undefined),
  },
  'token-cacheable-on-refresh': {
    summary: 'The response to a refresh may be kept for as long as the token lives.',
    breaks: ['token.not-cacheable'],
    changes: header('Cache-Control', 'private, max-age=7200', 'refresh'),
  },
};
