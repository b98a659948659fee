import { type Header, jsonOf, type WireRequest, type WireResponse } from '../../exchange/exchange.ts';
import type { Target } from '../../targets/target.ts';
import type {
  RecordedBody,
  RecordedExchange,
  RecordedIdentities,
  RecordedOperation,
  RecordedRequest,
  RecordedResponse,
} from './recording.ts';

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

function scrubResponse(received: WireResponse, placeholders: Placeholders): RecordedResponse {
  return {
    status: received.status,
    headers: keptHeaders(received.headers, RESPONSE_HEADERS, (header, value) =>
      header === 'www-authenticate' ? scrubChallenge(value) : value,
    ),
    ...scrubBody(received.body, placeholders),
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

/** Members of the protocol, not of a person, whose short and plain values are kept. */
const KEPT = new Set(['token_type', 'expires_in', 'scope', 'error']);

const TOKENS = { access_token: 'access-token', refresh_token: 'refresh-token' } as const;

/** Matches names that a programmer chose. Other names may be data, such as mail addresses. */
const PLAIN_KEY = /^[A-Za-z_][\w-]{0,40}$/;

/**
 * Reduces JSON to its shape: strings become `string`, numbers 0, booleans true, and list items that become equal are
 * merged. Tokens and the suite's own ids get placeholders.
 */
export function scrubJson(value: unknown, placeholders: Placeholders, key = ''): unknown {
  if (Array.isArray(value)) return distinct(value.map((item) => scrubJson(item, placeholders, key)));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => {
        const plain = PLAIN_KEY.test(name);
        return [plain ? name : 'key', scrubJson(item, placeholders, plain ? name : '')];
      }),
    );
  }
  if (typeof value === 'number') return scrubNumber(value, placeholders, key);
  if (typeof value === 'string') return scrubString(value, placeholders, key);
  return typeof value === 'boolean' ? true : null;
}

function scrubNumber(value: number, placeholders: Placeholders, key: string): number {
  if (KEPT.has(key)) return value;
  const id = namesAnId(key) ? placeholders.id(String(value)) : undefined;
  return id === undefined ? 0 : Number(id);
}

function scrubString(value: string, placeholders: Placeholders, key: string): string {
  if (value === '') return '';
  const token = TOKENS[key as keyof typeof TOKENS];
  if (token !== undefined) return placeholders.secret(token, value);
  const id = namesAnId(key) ? placeholders.id(value) : undefined;
  if (id !== undefined) return id;
  return KEPT.has(key) && /^[\w .:-]{1,60}$/.test(value) ? value : 'string';
}

/** Returns true for members that hold ids, so that other numbers in a record are not replaced; a bare list may hold ids. */
function namesAnId(key: string): boolean {
  return key === '' || /ids?$/i.test(key) || /users?$/i.test(key);
}

function distinct(items: readonly unknown[]): readonly unknown[] {
  const texts = items.map((item) => JSON.stringify(item));
  return items.filter((_, index) => texts.indexOf(texts[index] ?? '') === index);
}

export type PlaceholderKind = 'code' | 'access-token' | 'refresh-token';

/**
 * Replaces values by placeholders. Equal values share one, and the numbers follow the order of appearance, so that
 * recordings are reproducible.
 */
export class Placeholders {
  readonly cast: RecordedIdentities;
  readonly #byValue = new Map<string, string>();
  readonly #counts = new Map<PlaceholderKind, number>();
  readonly #ids = new Map<string, string>();

  constructor({ application, projects, users }: Pick<Target, 'application' | 'projects' | 'users'>) {
    const [project, user] = [projects[0], users[0]];
    this.cast = {
      clientId: 'client-id',
      clientSecret: 'client-secret',
      redirectUri: 'https://client.example/callback',
      project: isNumber(project) ? '2001' : 'project-1',
      user: isNumber(user) ? '1001' : 'user-1',
    };
    this.alias(application.clientId, this.cast.clientId);
    this.alias(application.clientSecret, this.cast.clientSecret);
    this.alias(application.redirectUris[0], this.cast.redirectUri);
    this.#ids.set(project, this.cast.project);
    this.#ids.set(user, this.cast.user);
  }

  alias(value: string, placeholder: string): void {
    this.#byValue.set(value, placeholder);
  }

  /** Gives an invented id a placeholder derived from a known id, prefixed with nines. */
  aliasId(id: string, like: 'project' | 'user'): void {
    const known = this.cast[like];
    this.#ids.set(id, isNumber(known) ? `999${known}` : `unknown-${like}`);
  }

  secret(kind: PlaceholderKind, value: string): string {
    const known = this.#byValue.get(value);
    if (known !== undefined) return known;
    const number = (this.#counts.get(kind) ?? 0) + 1;
    this.#counts.set(kind, number);
    const placeholder = `${kind}-${number}`;
    this.#byValue.set(value, placeholder);
    return placeholder;
  }

  of(value: string): string | undefined {
    return this.#byValue.get(value);
  }

  id(value: string): string | undefined {
    return this.#ids.get(value);
  }
}

function isNumber(id: string): boolean {
  return /^\d+$/.test(id);
}
