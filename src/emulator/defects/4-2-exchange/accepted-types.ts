import type { Defect } from '../../defect.ts';
import type { ReceivedTokenRequest } from '../../policy.ts';
import { refuse } from '../../refusal.ts';
import { defect } from '../define-defect.ts';

/** A token endpoint that refuses some requests for how they are written. */
function refusing(id: string, why: string, refuses: (request: ReceivedTokenRequest) => boolean): Defect {
  return defect(id, ({ client }) => ({
    client: {
      parameters: (request) =>
        request.method === 'POST' && refuses(request)
          ? refuse('media-type-unsupported', why)
          : client.parameters(request),
    },
  }));
}

/** Faults that show with one header `Accept`, or with one way to encode, alone. */
export const acceptedTypes: readonly Defect[] = [
  refusing('token-without-accept-refused', 'no Accept came', ({ accept }) => accept === ''),
  refusing('token-accept-list-refused', 'more than one type is accepted', ({ accept = '' }) =>
    accept.includes(','),
  ),
  refusing('token-needless-encoding-refused', 'what needs no encoding is encoded', ({ body }) =>
    /%(?:2D|2E|5F|7E|2A)/i.test(body),
  ),
];
