import type { Header, WireRequest } from '../../http/exchange.ts';
import type { OperationSpelling, StepSpelling } from './steps.ts';

export function respelled(request: WireRequest, spelling: StepSpelling | undefined): WireRequest {
  if (spelling === undefined || request.body?.startsWith('{')) return request;
  const { accept, charset, percent } = spelling;
  const headers = request.headers.flatMap(([name, value]): readonly Header[] => {
    if (name === 'Accept' && accept !== undefined) return accept === 'none' ? [] : [[name, accept]];
    if (name === 'Content-Type' && charset) return [[name, `${value};charset=UTF-8`]];
    return [[name, value]];
  });
  const body = percent && request.body !== undefined ? percentEncoded(request.body) : request.body;
  return body === undefined ? { ...request, headers } : { ...request, headers, body };
}

/** Percent-encodes the first letter of every value, which is equivalent (RFC 3986 section 2.3). */
function percentEncoded(body: string): string {
  return body.replace(
    /=([A-Za-z0-9])/g,
    (_, first: string) => `=%${first.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/**
 * Rewrites a request for one of the three operations in an equivalent form.
 *
 * @param tag value of `If-None-Match`, if a list was shown before
 */
export function askedOtherwise(
  request: WireRequest,
  spelling: OperationSpelling | undefined,
  tag: string | undefined,
): WireRequest {
  if (spelling === undefined) return request;
  const { head, accept, encoding, unlessSame, host, percent, body } = spelling;
  const headers = request.headers.filter(([name]) => name !== 'Accept' || accept !== 'none');
  const more: readonly (Header | undefined)[] = [
    encoding && ['Accept-Encoding', encoding],
    unlessSame && tag !== undefined ? ['If-None-Match', tag] : undefined,
    host && ['Host', new URL(request.url).host.toUpperCase()],
    body && request.body === undefined ? ['Content-Type', 'application/json'] : undefined,
  ];
  return {
    method: head && request.method === 'GET' ? 'HEAD' : request.method,
    url: percent ? idsPercentEncoded(request.url) : request.url,
    headers: [
      ...headers.map(([name, value]): Header => [name, name === 'Accept' ? (accept ?? value) : value]),
      ...more.filter((one) => one !== undefined),
    ],
    body: body ? (request.body ?? '{}') : request.body,
  };
}

/** Percent-encodes the first character of every id in a path, which is equivalent (RFC 3986 section 6.2.2.2). */
function idsPercentEncoded(url: string): string {
  return url.replace(
    /(\/(?:projects|assigned_users)\/)([A-Za-z0-9])/g,
    (_, before: string, first: string) => `${before}%${first.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
