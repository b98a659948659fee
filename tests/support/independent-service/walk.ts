import { FormBrowser, type Rest, type Send, sendByFetch } from './form-browser.ts';
import { SELECTORS } from './pages.ts';
import type { ReadyIndependentService } from './start.ts';

/** The part of an answer of the token endpoint or the resource API that is read. */
interface Body {
  readonly access_token?: string;
  readonly refresh_token?: string;
  readonly id_token?: string;
  readonly token_type?: string;
  readonly expires_in?: number;
  readonly scope?: string;
  readonly error?: string;
  readonly data?: readonly { readonly id: string }[];
}

/** An answer, its body read as JSON; empty where it is none. */
export interface JsonAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly json: Body;
}

async function jsonAnswer(sent: ReturnType<Send>): Promise<JsonAnswer> {
  const { status, headers, text } = await sent;
  let json: Body = {};
  try {
    json = JSON.parse(text);
  } catch {
    // 204 has no body, and a page is no JSON: both are told by the status.
  }
  return { status, headers, json };
}

/** Everything that one needs to do with an independent service, as the document describes it (clauses 4.1 to 4.4). */
export class Walk {
  readonly ready: ReadyIndependentService;
  readonly browser: FormBrowser;
  readonly #send: Send;

  constructor(ready: ReadyIndependentService, send: Send = sendByFetch) {
    this.ready = ready;
    this.#send = send;
    this.browser = new FormBrowser(send);
  }

  /** The authorization request's address (clause 4.1). Pass undefined to leave a parameter out. */
  authorizeUrl(changes: Readonly<Record<string, string | undefined>> = {}): string {
    const { application, authUrl } = this.ready;
    const parameters: Record<string, string | undefined> = {
      client_id: application.clientId,
      redirect_uri: application.redirectUris[0],
      response_type: 'code',
      scope: 'read write destroy',
      ...changes,
    };
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(parameters)) if (value !== undefined) query.set(name, value);
    return `${authUrl}/oauth/authorize?${query}`;
  }

  /** Signs in on whatever page of signing in is shown, notice included; gives what comes after. */
  async signIn(page: Rest): Promise<Rest> {
    const { login, password } = this.ready.owner;
    const second = await this.browser.press(page, SELECTORS.next, { login });
    const third = await this.browser.press(second, SELECTORS.signIn, { passwd: password });
    return this.ready.interstitial ? this.browser.press(third, SELECTORS.proceed) : third;
  }

  /** Opens an authorization address and does what the pages ask for, allowing access; gives where that ends. */
  async authorize(url: string = this.authorizeUrl()): Promise<Rest> {
    let page = await this.browser.open(url);
    if (page.html.includes('name="login"')) page = await this.signIn(page);
    if (page.html.includes('name="decision"')) page = await this.browser.press(page, SELECTORS.allow);
    return page;
  }

  /** A fresh code (clause 2.2). */
  async code(url?: string): Promise<string> {
    const page = await this.authorize(url);
    const code = page.leaving?.searchParams.get('code');
    if (!code)
      throw new Error(`expected a code, came to rest at ${page.leaving ?? page.url} with:\n${page.html}`);
    return code;
  }

  /** Sends form parameters to the token endpoint, client credentials included. Undefined leaves one out. */
  token(parameters: Readonly<Record<string, string | undefined>>): Promise<JsonAnswer> {
    const { clientId, clientSecret } = this.ready.application;
    const form = new URLSearchParams();
    const all = { client_id: clientId, client_secret: clientSecret, ...parameters };
    for (const [name, value] of Object.entries(all)) if (value !== undefined) form.set(name, value);
    return this.post(form.toString());
  }

  post(body: string, headers: Readonly<Record<string, string>> = {}): Promise<JsonAnswer> {
    const type = 'application/x-www-form-urlencoded';
    return jsonAnswer(
      this.#send(`${this.ready.authUrl}/oauth/token`, {
        method: 'POST',
        headers: { 'Content-Type': type, ...headers },
        body,
      }),
    );
  }

  /** Exchanges a code (clause 4.2). */
  exchange(code: string, changes: Readonly<Record<string, string | undefined>> = {}): Promise<JsonAnswer> {
    const redirect_uri = this.ready.application.redirectUris[0];
    return this.token({ grant_type: 'authorization_code', code, redirect_uri, ...changes });
  }

  /** Refreshes (clause 4.3). */
  refresh(refreshToken: string | undefined): Promise<JsonAnswer> {
    return this.token({ grant_type: 'refresh_token', refresh_token: refreshToken });
  }

  /** Sends a request to the assigned users of a project (clause 4.4). */
  resource(
    method: string,
    path: string,
    accessToken: string | undefined,
    prefix = '/v2',
  ): Promise<JsonAnswer> {
    const headers: Record<string, string> = {};
    if (accessToken !== undefined) headers.Authorization = `Bearer ${accessToken}`;
    const url = `${this.ready.baseUrl}${prefix}/projects/${path}`;
    return jsonAnswer(this.#send(url, { method, headers }));
  }

  async listed(project: string, accessToken: string | undefined, prefix?: string): Promise<string[]> {
    const answer = await this.resource('GET', `${project}/assigned_users`, accessToken, prefix);
    if (answer.status !== 200) throw new Error(`expected a list, got ${answer.status}`);
    return (answer.json.data ?? []).map(({ id }) => id);
  }

  async accessToken(): Promise<string | undefined> {
    return (await this.exchange(await this.code())).json.access_token;
  }

  async everyone(accessToken?: string): Promise<Readonly<Record<string, readonly string[]>>> {
    const token = accessToken ?? (await this.accessToken());
    const entries = this.ready.projects.map(async (id) => [id, await this.listed(id, token)] as const);
    return Object.fromEntries(await Promise.all(entries));
  }
}
