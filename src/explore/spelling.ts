import type { Header, WireRequest } from '../exchange/exchange.ts';
import type { Spelling } from './steps.ts';

/** A token request written otherwise, in a way that standards call the same. */
export function respelled(request: WireRequest, spelling: Spelling | undefined): WireRequest {
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

/** The first letter of every value, percent-encoded (RFC 3986 section 2.3: the same). */
function percentEncoded(body: string): string {
  return body.replace(
    /=([A-Za-z0-9])/g,
    (_, first: string) => `=%${first.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
