import { formatForm, ReceivedParameters } from '../parameters.ts';
import { mediaTypeOf } from '../policy/media-type.ts';
import type { HttpRequest } from '../request.ts';
import { type Changes, changing } from './define-defect.ts';

type Meant = (request: HttpRequest) => boolean;

const FORM = 'application/x-www-form-urlencoded';

export const isExchange: Meant = ({ body }) => new URLSearchParams(body).has('code');

export const isRefresh: Meant = ({ body }) => new URLSearchParams(body).has('refresh_token');

export function asForm(request: HttpRequest, body: string): HttpRequest {
  return { ...request, method: 'POST', contentType: FORM, query: '', body };
}

export function settling(
  settle: (sent: ReceivedParameters) => ReceivedParameters,
  meant: Meant = () => true,
): Changes {
  return changing('client.parameters', (base) => (request) => {
    const isForm = request.method === 'POST' && mediaTypeOf(request.contentType) === FORM;
    if (!isForm || !meant(request)) return base(request);
    const sent = new ReceivedParameters([...new URLSearchParams(request.body)]);
    return base({ ...request, body: formatForm(settle(sent).entries()) });
  });
}

/** Accepts a request with a code or refresh token, whatever its grant_type, if `accepts` allows that. */
export function acceptingGrantType(
  having: 'code' | 'refresh_token',
  accepts: (grantType: string | undefined) => boolean,
): Changes {
  const meant = having === 'code' ? 'authorization_code' : 'refresh_token';
  return changing(
    'client.grantType',
    (base) => (parameters) =>
      parameters.get(having) && accepts(parameters.get('grant_type')) ? meant : base(parameters),
  );
}
