import { tokenPlaces } from '../../src/emulator/policy/token.ts';
import type { EmulatorOptions } from '../../src/emulator/start/emulator-options.ts';
import { type Emulator, startEmulator } from '../../src/emulator/start/start-emulator.ts';

/** Parameters of a request; undefined takes a default out. */
export type Sent = Readonly<Record<string, string | undefined>>;

export interface Pair {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly expires_in: number;
  readonly token_type: string;
  readonly scope?: string;
}

/** An emulator and what a browser and a client do to it, by plain requests. */
export interface EmulatorClient {
  readonly emulator: Emulator;
  /** Sends a request to an address of the emulator, without following redirects. */
  send(url: string, init?: RequestInit): Promise<Response>;
  signIn(owner?: number): Promise<string>;
  /** Requests authorization as a signed-in owner, presses a button if asked, and returns where it ends. */
  authorize(sent?: Sent, how?: Ways): Promise<Response>;
  code(sent?: Sent): Promise<string>;
  exchange(sent: Sent, headers?: Record<string, string>): Promise<Response>;
  refresh(sent: Sent): Promise<Response>;
  pair(sent?: Sent): Promise<Pair>;
  /** A request to the resource API with an access token, presented the way the profile has it. */
  call(method: string, path: string, accessToken?: string): Promise<Response>;
  list(project: string, accessToken: string): Promise<readonly string[]>;
  /** Paths of the API below {base_url}. */
  path(project: string, user?: string): string;
}

interface Ways {
  readonly decision?: 'grant' | 'deny';
  /** Sent as it is, in place of the parameters. */
  readonly query?: string;
  readonly cookie?: string;
}

/** Starts an emulator without sockets, unless told, and a client of it. */
export async function startClient(options: EmulatorOptions = {}): Promise<EmulatorClient> {
  return clientOf(await startEmulator({ listen: false, ...options }));
}

/** A client of a running emulator. Requests go over sockets where there are any. */
export function clientOf(emulator: Emulator): EmulatorClient {
  const sockets = !emulator.authUrl.includes('emulator.test');
  const { authUrl, baseUrl, profile } = emulator;
  let session: string | undefined;

  const send = (url: string, init: RequestInit = {}) =>
    sockets
      ? fetch(url, { redirect: 'manual', ...init })
      : emulator.fetch(new Request(url, { redirect: 'manual', ...init }));

  const first = () => emulator.seed.applications[0];

  async function signIn(index = 0): Promise<string> {
    const owner = emulator.seed.owners[index];
    const page = await send(`${authUrl}/sign-in`);
    const response = await send(`${authUrl}/sign-in`, {
      method: 'POST',
      headers: { cookie: cookieOf(page) },
      body: form({ ...hiddenFields(await page.text()), email: owner?.email, password: owner?.password }),
    });
    return cookieOf(response);
  }

  async function authorize(sent: Sent = {}, { decision = 'grant', query, cookie }: Ways = {}) {
    session = cookie ?? session ?? (await signIn());
    const headers = { cookie: session };
    const address = `${authUrl}/oauth/authorize?${query ?? form({ ...authorization(), ...sent })}`;
    const page = await send(address, { headers });
    if (page.status !== 200) return page;
    const html = await page.clone().text();
    if (!html.includes('name="decision"')) return page;
    const body = form({ ...hiddenFields(html), decision });
    return send(`${authUrl}/oauth/authorize`, { method: 'POST', headers, body });
  }

  const authorization = (): Sent => ({
    client_id: first().clientId,
    redirect_uri: first().redirectUris[0],
    response_type: 'code',
    scope: 'read write destroy',
  });

  const token = (sent: Sent, headers: Record<string, string> = {}) =>
    send(`${authUrl}/oauth/token`, { method: 'POST', headers, body: form(sent) });

  const client: EmulatorClient = {
    emulator,
    send,
    signIn,
    authorize,
    async code(sent) {
      const response = await authorize(sent);
      const code = codeIn(response);
      if (code === undefined) throw new Error(`No code came: ${response.status}.`);
      return code;
    },
    exchange: (sent, headers) =>
      token(
        {
          grant_type: 'authorization_code',
          client_id: first().clientId,
          client_secret: first().clientSecret,
          redirect_uri: first().redirectUris[0],
          ...sent,
        },
        headers,
      ),
    refresh: (sent) =>
      token({
        grant_type: 'refresh_token',
        client_id: first().clientId,
        client_secret: first().clientSecret,
        ...sent,
      }),
    async pair(sent) {
      const response = await client.exchange({ code: await client.code(sent) });
      if (response.status !== 200) throw new Error(`No tokens came: ${response.status}.`);
      return (await response.json()) as Pair;
    },
    call(method, path, accessToken) {
      const [place] = tokenPlaces(profile.answers);
      if (accessToken === undefined) return send(`${baseUrl}${path}`, { method });
      if (place === 'authorization-header') {
        return send(`${baseUrl}${path}`, { method, headers: { authorization: `Bearer ${accessToken}` } });
      }
      const name = place === 'query-bearer-token' ? 'bearer_token' : 'access_token';
      return send(`${baseUrl}${path}?${form({ [name]: accessToken })}`, { method });
    },
    async list(project, accessToken) {
      const response = await client.call('GET', client.path(project), accessToken);
      if (!response.ok) throw new Error(`No list came: ${response.status}.`);
      const { answers } = profile;
      const records = at(await response.json(), answers['list-shape.container-pointer'] ?? '');
      const pointer = answers['list-shape.user-id-pointer'] ?? '';
      return (records as readonly unknown[]).map((record) => String(at(record, pointer)));
    },
    path: (project, user) =>
      `/v2/projects/${encodeURIComponent(project)}/assigned_users${user === undefined ? '' : `/${encodeURIComponent(user)}`}`,
  };
  return client;
}

export function form(sent: Sent): URLSearchParams {
  return new URLSearchParams(
    Object.entries(sent).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

/** The code on a redirect, if it is one with a code. */
export function codeIn(response: Response): string | undefined {
  return redirectQuery(response)?.get('code') ?? undefined;
}

export function redirectQuery(response: Response): URLSearchParams | undefined {
  const location = response.headers.get('location');
  return location === null ? undefined : URL.parse(location)?.searchParams;
}

export function hiddenFields(html: string): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const [, name = '', value = ''] of html.matchAll(/type="hidden" name="([^"]*)" value="([^"]*)"/g)) {
    fields[name] = unescaped(value);
  }
  return fields;
}

export function cookieOf(response: Response): string {
  return response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
}

function unescaped(text: string): string {
  return text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}

function at(value: unknown, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .reduce((place, name) => (place as Record<string, unknown>)[name], value);
}
