import type { ReceivedTokenRequest } from '../../policy.ts';
import { refuse } from '../../refusal.ts';
import { type Changes, changing, type Defects } from '../define-defect.ts';

function refusing(why: string, refuses: (request: ReceivedTokenRequest) => boolean): Changes {
  return changing(
    'client.parameters',
    (base) => (request) =>
      request.method === 'POST' && refuses(request) ? refuse('media-type-unsupported', why) : base(request),
  );
}

/** Faults that show only with one `Accept` header or one encoding. */
export const acceptedTypes: Defects = {
  'token-without-accept-refused': {
    summary: 'A token request without the header Accept is refused.',
    breaks: ['exchange.form-encoded', 'refresh.token-response'],
    changes: refusing('no Accept came', ({ accept }) => accept === ''),
  },
  'token-accept-list-refused': {
    summary: 'A token request whose header Accept names several types is refused.',
    breaks: ['exchange.form-encoded', 'refresh.token-response'],
    changes: refusing('more than one type is accepted', ({ accept = '' }) => accept.includes(',')),
  },
  'token-needless-encoding-refused': {
    summary: 'A token request that encodes characters which need no encoding is refused.',
    breaks: ['exchange.form-encoded', 'refresh.token-response'],
    changes: refusing('what needs no encoding is encoded', ({ body }) => /%(?:2D|2E|5F|7E|2A)/i.test(body)),
  },
};
