import { basicCredentials } from '../../http/connections.ts';
import { headerOf, type WireRequest, withHeader } from '../../http/exchange.ts';
import { encodeForm, FORM, formEncodedBasic, type Parameters, withQuery } from './requests.ts';
import { percentEncoded } from './spelling.ts';

/**
 * Structural channels: other ways to send the documented request, which a service may refuse. A service that honours one must
 * refuse each wrong request in it too. A channel that adds a place puts the same value in both places.
 */
export interface Channel {
  /** Name in findings, after a comma. */
  readonly name: string;
  /** Sent to a live target by default. */
  readonly live?: true;
  /** Returns the request in the channel; undefined if it cannot be written so. */
  readonly write: (request: WireRequest) => WireRequest | undefined;
}

/** Changes the form of a token request. */
function form(change: (pairs: Parameters) => Parameters): Channel['write'] {
  return fromForm((pairs, request) => ({ ...request, body: encodeForm(change(pairs)) }));
}

/** Writes a token request by its form; a service that takes JSON alone has none. */
function fromForm(
  write: (pairs: Parameters, request: WireRequest) => WireRequest | undefined,
): Channel['write'] {
  return (request) => {
    const isForm = headerOf(request, 'content-type')?.startsWith(FORM);
    return isForm ? write([...new URLSearchParams(request.body)], request) : undefined;
  };
}

const CREDENTIALS = ['client_id', 'client_secret'];

/** HTTP Basic (RFC 6749 section 2.3.1). */
function basic(keeps: boolean): Channel['write'] {
  return fromForm((pairs, request) => {
    const [id, secret] = CREDENTIALS.map((name) => pairs.find(([known]) => known === name)?.[1]);
    if (id === undefined || secret === undefined) return undefined;
    const rest = keeps ? pairs : pairs.filter(([name]) => !CREDENTIALS.includes(name));
    const sent = withHeader(request, 'Authorization', `Basic ${formEncodedBasic(id, secret)}`);
    return { ...sent, body: encodeForm(rest) };
  });
}

/** Changes the path of a request, from the first segment behind the configured address on. */
function path(change: (path: string) => string): Channel['write'] {
  return (request) => {
    const { origin, pathname, search } = new URL(request.url);
    const changed = change(pathname);
    return changed === pathname ? undefined : { ...request, url: `${origin}${changed}${search}` };
  };
}

/** Sends a change with another method. */
function method(wanted: string, override = false): Channel['write'] {
  return (request) => {
    if (request.method !== 'PUT' && (request.method !== 'DELETE' || !override)) return undefined;
    const sent = override ? withHeader(request, 'X-HTTP-Method-Override', request.method) : request;
    return { ...sent, method: wanted };
  };
}

/** Moves the access token of a request from its header to another place. */
function tokenIn(place: (request: WireRequest, token: string) => WireRequest): Channel['write'] {
  return (request) => {
    const token = headerOf(request, 'authorization')?.split(' ')[1];
    const headers = request.headers.filter(([name]) => name.toLowerCase() !== 'authorization');
    return token === undefined ? undefined : place({ ...request, headers }, token);
  };
}

/** In chunks (RFC 9112 section 7.1), which a service may not read. */
const IN_CHUNKS: Channel = {
  name: 'in chunks',
  write: (request) =>
    request.method === 'GET' ? undefined : withHeader(request, 'Transfer-Encoding', 'chunked'),
};

/** The first letter of the path's own last word. */
const FIRST_LETTER = /t(?=oken$)|a(?=ssigned_users)/;

const PATHS: readonly Channel[] = [
  { name: 'with a slash at the end', live: true, write: path((all) => `${all}/`) },
  { name: 'with a doubled slash', write: path((all) => all.replace(/\/(?=[^/]+$)/, '//')) },
  { name: 'with .json at the end', write: path((all) => `${all}.json`) },
  { name: 'with a matrix parameter', write: path((all) => `${all};v=1`) },
  {
    name: 'with the path in capitals',
    write: path((all) => all.replace(/(token|assigned_users)/, (part) => part.toUpperCase())),
  },
  { name: 'with a percent-encoded path', write: path((all) => all.replace(FIRST_LETTER, percentEncoded)) },
  {
    name: 'with a path encoded twice',
    write: path((all) => all.replace(FIRST_LETTER, (letter) => percentEncoded(letter).replace('%', '%25'))),
  },
];

export const TOKEN_CHANNELS: readonly Channel[] = [
  { name: 'with HTTP Basic beside the form', live: true, write: basic(true) },
  { name: 'with HTTP Basic in place of the form', live: true, write: basic(false) },
  {
    name: 'with [] behind each name',
    live: true,
    write: form((pairs) => pairs.map(([name, value]) => [`${name}[]`, value])),
  },
  {
    name: 'with each parameter twice',
    write: form((pairs) => pairs.flatMap((one) => [one, one])),
  },
  {
    name: 'with the parameters in the query',
    write: fromForm((_, request) => ({ ...request, url: `${request.url}?${request.body}`, body: '' })),
  },
  {
    name: 'as JSON',
    write: fromForm((pairs, request) => ({
      ...withHeader(request, 'Content-Type', 'application/json'),
      body: JSON.stringify(Object.fromEntries(pairs)),
    })),
  },
  IN_CHUNKS,
  ...PATHS,
];

export const CALL_CHANNELS: readonly Channel[] = [
  { name: 'as PATCH', live: true, write: method('PATCH') },
  { name: 'as POST', write: method('POST') },
  { name: 'as POST with X-HTTP-Method-Override', write: method('POST', true) },
  {
    name: 'with the token in a cookie',
    live: true,
    write: tokenIn((request, token) => withHeader(request, 'Cookie', `access_token=${token}`)),
  },
  {
    name: 'with the token in the query',
    write: tokenIn((request, token) => withQuery(request, [['access_token', token]])),
  },
  {
    name: 'with the token in the body',
    write: tokenIn((request, token) =>
      request.body === undefined
        ? { ...withHeader(request, 'Content-Type', FORM), body: `access_token=${encodeURIComponent(token)}` }
        : request,
    ),
  },
  {
    name: 'with the token as the name in HTTP Basic',
    write: tokenIn((request, token) =>
      withHeader(request, 'Authorization', `Basic ${basicCredentials(token, '')}`),
    ),
  },
  IN_CHUNKS,
  ...PATHS,
];

/** Returns the channel of a name for a kind of request; undefined without one. */
export function channelNamed(name: string | undefined, of: 'token' | 'call'): Channel | undefined {
  return (of === 'token' ? TOKEN_CHANNELS : CALL_CHANNELS).find((one) => one.name === name);
}
