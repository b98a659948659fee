import { type Header, jsonOf, type WireRequest, type WireResponse } from '../../exchange/exchange.ts';
import type { Placeholders } from './placeholders.ts';
import type {
  RecordedBody,
  RecordedExchange,
  RecordedOperation,
  RecordedRequest,
  RecordedResponse,
} from './recording.ts';
import { scrubJson } from './scrub-json.ts';

const REQUEST_HEADERS = new Set(['accept', 'content-type', 'authorization']);

/** Response headers that are kept: those that clients read and whose values a server does not generate. */
const RESPONSE_HEADERS = new Set([
  'content-type',
  'cache-control',
  'pragma',
  'retry-after',
  'www-authenticate',
]);

const OTHER_TEXT = '(no JSON)';

/** Fields of a token request (clauses 4.2 and 4.3) whose value may be kept. */
const KEPT_FIELDS = new Set(['grant_type', 'response_type', 'scope']);

const SECRET_FIELDS = {
  code: 'code',
  access_token: 'access-token',
  bearer_token: 'access-token',
  refresh_token: 'refresh-token',
} as const;

export interface NamedExchange {
  readonly name: string;
  readonly operation: RecordedOperation;
  readonly request: WireRequest;
  readonly response: WireResponse;
}

/**
 * Returns an exchange that is safe to write. It is an allowlist: everything else is dropped, or replaced by a value of the same
 * type, so that the shape stays.
 *
 * @param authUrl distinguishes the two addresses
 */
export function scrubExchange(
  named: NamedExchange,
  authUrl: string,
  placeholders: Placeholders,
): RecordedExchange {
  const { name, operation } = named;
  // The request first, because its values were seen before those of the answer.
  const request = scrubRequest(named.request, authUrl, placeholders);
  const response = scrubResponse(named.response, placeholders);
  return { name, operation, request, response };
}

function scrubRequest(sent: WireRequest, authUrl: string, placeholders: Placeholders): RecordedRequest {
  const address = sent.url.startsWith(`${authUrl}/oauth/`) ? 'auth' : 'api';
  return {
    address,
    method: sent.method,
    path: scrubPath(new URL(sent.url), placeholders),
    headers: keptHeaders(sent.headers, REQUEST_HEADERS, (header, value) =>
      header === 'authorization' ? scrubAuthorization(value, placeholders) : value,
    ),
    ...scrubRequestBody(sent, placeholders),
  };
}

function scrubPath({ pathname, searchParams }: URL, placeholders: Placeholders): string {
  const documented = new Set(['', 'oauth', 'token', 'v2', 'projects', 'assigned_users']);
  const words = pathname.split('/').map((segment) => {
    const id = placeholders.id(decodeURIComponent(segment));
    return id ?? (documented.has(segment) ? segment : 'other');
  });
  const path = words.join('/').replace(/^.*?(?=\/(?:oauth|v2|projects)\/)/, '');
  if (searchParams.size === 0) return path;
  return `${path}?${new URLSearchParams(scrubFields(searchParams, placeholders))}`;
}

function scrubAuthorization(value: string, placeholders: Placeholders): string {
  const [scheme = '', ...rest] = value.split(' ');
  if (scheme.toLowerCase() === 'basic') return `${scheme} client-credentials`;
  return `${scheme} ${placeholders.secret('access-token', rest.join(' '))}`;
}

function scrubRequestBody({ body, headers }: WireRequest, placeholders: Placeholders) {
  if (body === undefined) return {};
  const type = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  if (type.includes('x-www-form-urlencoded'))
    return { form: scrubFields(new URLSearchParams(body), placeholders) };
  return scrubBody(body, placeholders);
}

function scrubFields(fields: URLSearchParams, placeholders: Placeholders): Record<string, string> {
  return Object.fromEntries(
    [...fields].map(([name, value]) => {
      const kind = SECRET_FIELDS[name as keyof typeof SECRET_FIELDS];
      if (kind !== undefined) return [name, placeholders.secret(kind, value)];
      return [name, placeholders.of(value) ?? (KEPT_FIELDS.has(name) ? value : 'string')];
    }),
  );
}

function scrubResponse(came: WireResponse, placeholders: Placeholders): RecordedResponse {
  return {
    status: came.status,
    headers: keptHeaders(came.headers, RESPONSE_HEADERS, (header, value) =>
      header === 'www-authenticate' ? scrubChallenge(value) : value,
    ),
    ...scrubBody(came.body, placeholders),
  };
}

function scrubBody(body: string, placeholders: Placeholders): RecordedBody {
  if (body.trim() === '') return {};
  const json = jsonOf({ status: 200, headers: [], body, bytes: body.length });
  return json === undefined ? { text: OTHER_TEXT } : { json: scrubJson(json, placeholders) };
}

function keptHeaders(
  headers: readonly Header[],
  kept: ReadonlySet<string>,
  scrub: (name: string, value: string) => string,
): Record<string, string> {
  const known = headers.map(([name, value]) => [name.toLowerCase(), value] as const);
  return Object.fromEntries(
    known
      .filter(([name]) => kept.has(name))
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, value]) => [name, scrub(name, value)]),
  );
}

/** Keeps a challenge's scheme and names (RFC 6750 section 3), and only the value of the error code. */
function scrubChallenge(value: string): string {
  const scheme = /^[A-Za-z]+/.exec(value)?.[0] ?? 'Bearer';
  const parameters = [...value.matchAll(/([a-z_]+)="([^"]*)"/g)].map(([, name = '', text = '']) => {
    const safe = name === 'error' && /^[a-z_]{1,40}$/.test(text);
    return `${name}="${safe ? text : 'string'}"`;
  });
  return [scheme, parameters.join(', ')].filter((part) => part !== '').join(' ');
}
