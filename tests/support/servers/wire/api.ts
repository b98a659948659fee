import { parse } from 'node-html-parser';
import {
  type Button,
  FormBrowser,
  findButton,
  type Rest,
  sendByFetch,
} from '../../independent-service/form-browser.ts';
import type { Quirk, Server } from '../server.ts';
import { type RunningServer, SEEDS } from '../start.ts';

/** Observed behaviour of a server, in words. */
export type Facts = Readonly<Record<string, string>>;

/** Addresses of the application: authorized ones, and others that differ from them in one thing. */
export const ADDRESSES = {
  own: SEEDS.redirectUris[0],
  otherOwn: SEEDS.redirectUris[1],
  otherPath: 'https://client.example/other',
  longer: 'https://client.example/callback-else',
  withQuery: 'https://client.example/callback?extra=1',
  otherPort: 'https://client.example:8443/callback',
  otherLoopbackPort: 'http://127.0.0.1:9998/callback',
} as const;

const ALL_SCOPES = 'read write destroy';

/** A pair of RFC 7636, appendix B. */
const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

type Fields = Readonly<Record<string, string | undefined>>;

/** The body of an answer, as far as the facts ask. */
export interface Body {
  readonly access_token?: string;
  readonly refresh_token?: string;
  readonly token_type?: string;
  readonly expires_in?: unknown;
  readonly error?: string;
}

export interface Answer {
  readonly status: number;
  readonly type: string;
  /** Undefined if the answer is no JSON. */
  readonly json: Body | undefined;
  /** The fields of a token response, however it is written. */
  readonly token: Body;
}

/** The end of an authorization request. */
export interface Authorized {
  readonly asked: boolean;
  readonly rest: Rest;
  readonly code: string | undefined;
}

/** The calls of the document on a running server, by nothing of the suite. */
export class WireApi {
  readonly server: Server;
  readonly running: RunningServer;
  readonly #quirk: Quirk | undefined;

  /** @param quirk a departure from the document that the server demands */
  constructor(server: Server, running: RunningServer, quirk?: Quirk) {
    this.server = server;
    this.running = running;
    this.#quirk = quirk;
  }

  authorizeUrl(changes: Fields = {}): string {
    const query = parameters({
      client_id: SEEDS.clientId,
      redirect_uri: ADDRESSES.own,
      response_type: 'code',
      scope: ALL_SCOPES,
      ...(this.#quirk === 'state' && { state: 'some-state' }),
      ...(this.#quirk === 'challenge' && { code_challenge: CHALLENGE, code_challenge_method: 'S256' }),
      ...changes,
    }).toString();
    const encoded = this.#quirk === 'percent' ? query.replaceAll('+', '%20') : query;
    return `${this.running.authUrl}/oauth/authorize?${encoded}`;
  }

  /** Signs in, and answers the consent page if there is one. */
  async authorize(changes: Fields = {}, answer: 'grant' | 'deny' = 'grant', extra = ''): Promise<Authorized> {
    const { authUrl } = this.running;
    const browser = new FormBrowser(sendByFetch, ({ origin }) => origin === authUrl);
    const { consent } = this.server.configuration;
    const first = await browser.open(this.authorizeUrl(changes) + extra);
    const page = await this.#signIn(browser, first);
    const asked = findButton(page, consent.grant as Button) !== undefined;
    const rest = asked ? await browser.press(page, consent[answer] as Button) : page;
    return { asked, rest, code: codeIn(rest) };
  }

  async #signIn(browser: FormBrowser, first: Rest): Promise<Rest> {
    const { form, steps = [] } = this.server.configuration.signIn as {
      form: string;
      steps: readonly { fill?: string; with?: string; click?: Button }[];
    };
    if (parse(first.html).querySelector(form) === null) return first;
    const values = { login: SEEDS.login, password: this.running.secrets.SERVER_PASSWORD };
    let page = first;
    let fields: Record<string, string> = {};
    for (const { fill, with: value, click } of steps) {
      if (fill !== undefined) {
        const name = parse(page.html).querySelector(fill)?.getAttribute('name') ?? fill;
        fields[name] = values[value as keyof typeof values];
      } else if (click !== undefined) {
        page = await browser.press(page, click, fields);
        fields = {};
      }
    }
    return page;
  }

  /** A new code. @throws {Error} when the service refuses */
  async code(changes: Fields = {}): Promise<string> {
    const { code, rest } = await this.authorize(changes);
    if (code === undefined)
      throw new Error(`no code: ${rest.leaving?.href ?? `${rest.status} ${rest.html}`}`);
    return code;
  }

  exchange(
    code: string,
    changes: Fields = {},
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> {
    const own = { grant_type: 'authorization_code', code, redirect_uri: ADDRESSES.own };
    const verifier = this.#quirk === 'challenge' ? { code_verifier: VERIFIER } : {};
    return this.#token({ ...own, ...verifier, ...this.#credentials(), ...changes }, headers);
  }

  refresh(refreshToken: string, changes: Fields = {}): Promise<Answer> {
    const own = { grant_type: 'refresh_token', refresh_token: refreshToken };
    return this.#token({ ...own, ...this.#credentials(), ...changes });
  }

  #credentials(): Fields {
    return { client_id: SEEDS.clientId, client_secret: this.running.secrets.SERVER_CLIENT_SECRET };
  }

  async #token(fields: Fields, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    const url = `${this.running.authUrl}/oauth/token`;
    const json = this.#quirk === 'json' || headers['Content-Type'] === 'application/json';
    const basic = this.#quirk === 'basic' && fields.client_secret !== undefined;
    const { client_id: id, client_secret: secret, ...others } = fields;
    const sent = parameters(basic ? others : fields);
    return answerOf(
      await fetch(url, {
        method: 'POST',
        body: json ? JSON.stringify(Object.fromEntries(sent)) : sent,
        headers: {
          ...headers,
          ...(json && { 'Content-Type': 'application/json' }),
          ...(basic && { Authorization: `Basic ${btoa(`${id}:${secret}`)}` }),
        },
      }),
    );
  }

  /** @param path below the version prefix */
  async call(method: string, path: string, token: string | undefined, prefix = '/v2'): Promise<Answer> {
    const headers: Record<string, string> = token === undefined ? {} : { Authorization: `Bearer ${token}` };
    return answerOf(await fetch(`${this.running.baseUrl}${prefix}${path}`, { method, headers }));
  }

  /** Moves the server's clock. */
  async advance(seconds: number): Promise<void> {
    await fetch(`${this.running.authUrl}/clock/advance`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${this.running.secrets.SERVER_CLOCK_TOKEN}` },
      body: JSON.stringify({ seconds }),
    });
  }
}

/** The code at the end of an authorization request, in the query or in the fragment. */
function codeIn({ leaving }: Rest): string | undefined {
  const fragment = new URLSearchParams(leaving?.hash.slice(1));
  return leaving?.searchParams.get('code') ?? fragment.get('code') ?? undefined;
}

function parameters(fields: Fields): URLSearchParams {
  const given = Object.entries(fields).filter((field): field is [string, string] => field[1] !== undefined);
  return new URLSearchParams(given);
}

async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text();
  const type = response.headers.get('content-type')?.split(';')[0] ?? '';
  const json = parsed(text);
  const token = (json as { token?: Body } | undefined)?.token ?? json ?? fromForm(text);
  return { status: response.status, type, json, token };
}

function parsed(text: string): Body | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function fromForm(text: string): Body {
  return Object.fromEntries(new URLSearchParams(text));
}
