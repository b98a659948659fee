import type { MonitorEvent } from '../../../src/evaluation/monitor/events.ts';
import { Monitor } from '../../../src/evaluation/monitor/monitor.ts';
import type { MonitoredTarget } from '../../../src/evaluation/monitor/token-model.ts';
import type { Header, WireResponse } from '../../../src/http/exchange.ts';
import { idsAt } from '../../../src/service/flow/assigned-list.ts';
import {
  DOCUMENTED,
  encodeForm,
  exchangeParameters,
  type Parameters,
  refreshParameters,
} from '../../../src/service/flow/requests.ts';
import type { Application } from '../../../src/service/target.ts';

export const APPLICATION = {
  clientId: 'client-one',
  clientSecret: 'secret-one',
  redirectUris: ['https://one.test/back', 'https://one.test/other'],
} as const;
export const OTHER = {
  clientId: 'client-two',
  clientSecret: 'secret-two',
  redirectUris: ['https://two.test/back'],
} as const;
/** A client that a feed speaks for. */
export type FedApplication = Pick<Application, 'clientId' | 'clientSecret' | 'redirectUris'>;

const AUTH = 'https://auth.test';
const API = 'https://api.test';

/** A monitor that is told of exchanges which nobody sent. */
export class Feed {
  readonly monitor: Monitor;
  readonly target: MonitoredTarget;
  readonly events: MonitorEvent[] = [];
  at = 0;
  #id = 0;
  #values = 0;

  constructor({ isLive = false }: { readonly isLive?: boolean } = {}) {
    this.target = {
      authUrl: AUTH,
      baseUrl: API,
      applications: [APPLICATION, OTHER],
      projects: ['1', '2'],
      users: ['11', '12', '13'],
      unknownProjects: ['91'],
      unknownUsers: ['99'],
      usualBodies: [undefined],
      isLive,
      spreadSeconds: 0.5,
    };
    this.monitor = new Monitor(this.target);
    this.take({ kind: 'lists-read', reader: (response) => idsAt(response, '/*/id'), guesses: false });
  }

  take(event: MonitorEvent): void {
    this.events.push(event);
    this.monitor.take(event);
  }

  /** Ids of what was found, doubts told. */
  get found(): readonly string[] {
    this.monitor.end();
    return this.monitor.findings.filter(({ uncertain }) => !uncertain).map(({ id }) => id);
  }

  /** A request that is on its way until the function that comes back is called with its answer. */
  begin(
    method: string,
    url: string,
    body?: string,
    token?: string,
    more: readonly Header[] = [],
  ): (response?: WireResponse, durationMs?: number) => void {
    const id = this.#id++;
    const headers = [
      ...more,
      ...(body === undefined ? [] : [['Content-Type', 'application/x-www-form-urlencoded'] as const]),
      ...(token === undefined ? [] : [['Authorization', `Bearer ${token}`] as const]),
    ];
    const request = { method, url, headers, ...(body !== undefined && { body }) };
    this.take({ kind: 'sent', id, at: this.at, during: undefined, request, startedAt: 0 });
    return (response, durationMs = 1) => this.take({ kind: 'answered', id, response, durationMs });
  }

  code(application: FedApplication = APPLICATION, scope = 'read write destroy'): string {
    const value = `code-value-${this.#values++}`;
    this.redirect(`code=${value}`, application, scope);
    return value;
  }

  redirect(
    given: string,
    application: FedApplication = APPLICATION,
    scope = 'read write destroy',
    form: 'dropped' | 'repeated' = 'dropped',
  ): void {
    const redirectUri = application.redirectUris[0];
    const query = encodeForm([
      ['client_id', application.clientId],
      ['redirect_uri', redirectUri],
      ['response_type', 'code'],
      ['scope', scope],
    ]);
    this.take({
      kind: 'authorized',
      at: this.at,
      during: undefined,
      url: `${AUTH}/oauth/authorize?${query}`,
      options: { decision: 'grant', signedIn: true, redirectUris: [redirectUri] },
      outcome: {
        caught: { url: `${redirectUri}?${given}`, form },
        pages: [],
        visited: [],
        decided: true,
      },
      conclusive: true,
      startedAt: 0,
    });
  }

  token(parameters: Parameters): (response?: WireResponse, durationMs?: number) => void {
    return this.begin('POST', `${AUTH}/oauth/token`, encodeForm(parameters));
  }

  exchange(code: string, response: WireResponse, application: FedApplication = APPLICATION): void {
    this.token(exchangeParameters(application, code))(response);
  }

  refresh(token: string, response: WireResponse): void {
    this.token(refreshParameters(APPLICATION, token))(response);
  }

  /** A pair, exchanged, that was seen to list, assign and unassign; everybody is unassigned. */
  pair(): { readonly access: string; readonly refresh: string } {
    const tokens = this.tokens();
    for (const project of ['1', '2']) this.list(project, [], tokens.access);
    this.change('PUT', '2', '13', 200, tokens.access);
    this.change('DELETE', '2', '13', 200, tokens.access);
    this.list('2', [], tokens.access);
    return tokens;
  }

  tokens(): { readonly access: string; readonly refresh: string } {
    const tokens = this.fresh();
    this.exchange(this.code(), issued(tokens));
    return tokens;
  }

  /** A user is assigned with a pair of its own. Returns its access token. */
  assigned(): string {
    const { access } = this.pair();
    this.change('PUT', '1', '11', 200, access);
    return access;
  }

  refused(token: string): void {
    this.begin('GET', listUrl('1'), undefined, token)(answer(401));
  }

  /** Returns the refresh token of a pair whose access token has expired. */
  expired(): string {
    const { refresh } = this.pair();
    this.at += 7203;
    return refresh;
  }

  /** Tokens that were never given before. */
  fresh(): { readonly access: string; readonly refresh: string } {
    const mark = String.fromCharCode(97 + (this.#values++ % 26)).repeat(20);
    return { access: `access${mark}`, refresh: `refresh${mark}` };
  }

  /** @param users the listed users; `unchanged` for a 304, nothing for a refusal */
  list(
    project: string,
    users: readonly string[] | 'unchanged' | undefined,
    token?: string,
    more?: readonly Header[],
  ): void {
    const shown =
      users === undefined
        ? answer(406)
        : users === 'unchanged'
          ? answer(304)
          : json(users.map((id) => ({ id })));
    this.begin('GET', listUrl(project), undefined, token, more)(shown);
  }

  /** A list with these headers, such as a tag. */
  listWith(headers: readonly Header[], project: string, users: readonly string[], token: string): void {
    const shown = json(users.map((id) => ({ id })));
    this.begin(
      'GET',
      listUrl(project),
      undefined,
      token,
    )({ ...shown, headers: [...shown.headers, ...headers] });
  }

  /** HEAD, answered with the length of this list. */
  look(users: readonly string[], token?: string): void {
    const { bytes } = json(users.map((id) => ({ id })));
    const { headers, ...shown } = answer(200);
    const length: Header = ['Content-Length', String(bytes)];
    this.begin('HEAD', listUrl('1'), undefined, token)({ ...shown, headers: [...headers, length] });
  }

  change(method: 'PUT' | 'DELETE', project: string, user: string, status: number, token?: string): void {
    this.begin(method, `${listUrl(project)}/${user}`, undefined, token)(answer(status));
  }
}

export function listUrl(project: string): string {
  return `${API}${DOCUMENTED.versionPrefix}/projects/${project}/assigned_users`;
}

export function answer(status: number, body = ''): WireResponse {
  return { status, headers: [['Content-Type', 'application/json']], body, bytes: body.length };
}

export function json(value: unknown, status = 200): WireResponse {
  return answer(status, JSON.stringify(value));
}

export function issued(
  { access, refresh }: { readonly access: string; readonly refresh: string },
  change: Record<string, unknown> = {},
): WireResponse {
  const documented = { access_token: access, token_type: 'bearer', expires_in: 7200, refresh_token: refresh };
  return json({ ...documented, ...change });
}
