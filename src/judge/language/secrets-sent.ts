import { headerOf, type WireRequest } from '../../http/exchange.ts';

const SECRET = ['client_secret', 'code', 'refresh_token'];

/**
 * Returns the secrets of a token request by parameter name, from the form, the JSON body or the HTTP Basic header. A
 * Basic secret counts both form-encoded and decoded (RFC 6749 section 2.3.1).
 */
export function secretsSent({ headers, body = '' }: WireRequest): readonly (readonly [string, string])[] {
  const isJson = headerOf({ headers }, 'content-type')?.startsWith('application/json');
  const sent: (readonly [string, string])[] = isJson
    ? Object.entries(JSON.parse(body) as Record<string, string>)
    : [...new URLSearchParams(body)];
  const [, basic] = /^basic (\S+)$/i.exec(headerOf({ headers }, 'authorization') ?? '') ?? [];
  if (basic !== undefined) {
    const encoded = Buffer.from(basic, 'base64')
      .toString()
      .replace(/^[^:]*:/, '');
    const [decoded = ''] = new URLSearchParams(`v=${encoded}`).values();
    for (const value of [basic, encoded, decoded]) sent.push(['client_secret', value]);
  }
  return sent.filter(([name, value]) => SECRET.includes(name) && value !== '');
}
