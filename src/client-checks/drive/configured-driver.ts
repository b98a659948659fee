import type { ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { AppFile, AppSuccess } from '../../../generated/schemas.d.ts';
import { isLoopback } from '../../document/input/loopback.ts';
import { singleQuoted } from '../../document/input/shell-quotes.ts';
import { htmlPage } from '../../service/agent/html-form.ts';
import type { DrivenApp } from '../app-file.ts';
import type { ActResult, Asked, Received } from '../evaluate/episode.ts';
import {
  ApplicationSilent,
  type BrowserRequest,
  submission,
  type Visited,
  visitApplication,
} from './browse.ts';
import {
  type Call,
  ClientUndrivable,
  type Connected,
  environmentFor,
  fillPlaceholders,
  mapValues,
  type ServiceSide,
  type UserSession,
  type Variables,
} from './client-driver.ts';
import { type ClientClock, type ClockWay, clientClock } from './clock.ts';
import {
  type CommandEnvironment,
  cutBetweenWords,
  type EndedProcess,
  endOf,
  errorLine,
  Processes,
  pollUntil,
} from './processes.ts';
import { whyUnreachable } from './unreachable.ts';

interface DriverSettings {
  readonly folder: string;
  readonly port: number;
  readonly clock: ClockWay;
  readonly libfaketime: string | undefined;
  readonly env?: Readonly<Record<string, string>>;
}

const OTHER_NAME: Readonly<Record<string, string | undefined>> = {
  '127.0.0.1': 'localhost',
  localhost: '127.0.0.1',
};

const READY_SECONDS = 30;
const DEADLINE_SECONDS = 10;

/** Further seconds, at most, in which an application with a longer deadline of its own is seen to answer. */
const MOST_FURTHER = 20;

/** The members of a driver; a test may drive a client of its own. */
export type ClientDriver = Pick<ConfiguredDriver, keyof ConfiguredDriver>;

export class ConfiguredDriver {
  readonly redirectUri: string;
  readonly manySessions: boolean;
  readonly manyUsers: boolean;
  readonly operations: readonly Call['operation'][];
  /** Another name of the client's host; undefined if it listens on none or its host has a single name. */
  readonly otherHost: string | undefined;
  readonly #app: DrivenApp;
  readonly #env: Readonly<Record<string, string>>;
  readonly #state: string;
  readonly #port: string;
  readonly #clock: ClientClock;
  readonly #processes = new Processes();
  readonly #received: Received[] = [];
  #service: ServiceSide | undefined;
  #application: ChildProcess | undefined;
  #mostBlocks: number | undefined;
  #stopped = false;

  constructor(app: DrivenApp, { folder, port, clock, libfaketime, env = {} }: DriverSettings) {
    this.#app = app;
    this.#env = env;
    this.#port = String(port);
    this.#state = join(folder, 'state');
    mkdirSync(this.#state, { recursive: true });
    this.#clock = clientClock(clock, folder, libfaketime);
    this.redirectUri = fillPlaceholders(app.redirectUri, { port: this.#port });
    this.otherHost = app.start === undefined ? undefined : OTHER_NAME[new URL(this.redirectUri).hostname];
    const tellsApart = app.start !== undefined || JSON.stringify(app).includes('{session}');
    this.manySessions = tellsApart;
    this.manyUsers = app.users === undefined ? tellsApart : app.users === 'many';
    this.operations = (['list', 'assign', 'unassign'] as const).filter(
      (name) => app.calls[name] !== undefined,
    );
  }

  /** Returns the ids that a call of this operation passes to the client; the client chooses the others. */
  named(operation: Call['operation']): Asked['named'] {
    const written = JSON.stringify(this.#app.calls[operation] ?? {});
    return (['project', 'user'] as const).filter((id) => written.includes(`{${id}}`));
  }

  async start(service: ServiceSide): Promise<void> {
    this.#service = service;
    if (this.#app.fresh !== undefined) {
      const { outcome, detail } = await this.#run(this.#app.fresh);
      if (outcome !== 'ok') throw new ClientUndrivable(`fresh: the command ${detail}`);
    }
    await this.#serve();
  }

  async connect(session: UserSession): Promise<Connected> {
    const { connect } = this.#app;
    if ('command' in connect) {
      const ended = await this.#run(connect.command, session);
      return addressIn(ended.stdout, this.#at().authUrl) ?? withoutAddress(ended);
    }
    const { authUrl } = this.#at();
    const page = await this.#browse(session, { method: 'GET', url: this.#filled(connect.visit, session) });
    if ('outcome' in page) return page;
    const form = page.away === undefined ? submission(page, connect.submit) : undefined;
    if (form?.url.startsWith(`${authUrl}/`) === true)
      return toService(form, 'has a form that leads to the authorization address');
    const found = leadsTo(page, authUrl);
    if (found !== undefined) return found;
    if (form === undefined)
      return this.#withoutWayOn(
        page,
        'and has no redirect, link or single form (connect.submit) that leads to the authorization server',
      );
    const next = await this.#browse(session, form);
    if ('outcome' in next) return next;
    return (
      leadsTo(next, authUrl) ??
      this.#withoutWayOn(next, 'to the form of the sign-in, and led to no authorization server')
    );
  }

  /** An application that answers may say that its user is signed in already. */
  async #withoutWayOn(page: Visited, why: string): Promise<Connected> {
    const failed = await this.#failed(page, why);
    return page.status < 400 ? { ...failed, outcome: 'ok' } : failed;
  }

  async callback(session: UserSession, address: string): Promise<ActResult> {
    const { callback, success } = this.#app;
    if (callback !== undefined)
      return succeeded(
        await this.#run(callback.command, session, { address: singleQuoted(address) }, address),
        success,
      );
    const keptBack = session.jar.keptBack(address.replace(/^http:/, 'https:'));
    const visited = await this.#browse(session, { method: 'GET', url: address, fromService: true });
    if ('outcome' in visited) return visited;
    const kept = {
      ...(keptBack.length > 0 && { keptBack }),
      ...(visited.away?.url.startsWith(`${this.#at().authUrl}/`) && { leadsBack: true as const }),
    };
    // The application may redirect the browser to a page that it does not have.
    const lack = visited.first < 400 ? lackOf(success, undefined, visited.body) : '';
    if (lack === undefined)
      return { outcome: 'ok', ...answered(visited.first), ...shownBy(success), ...kept };
    return { ...(await this.#failed({ ...visited, status: visited.first }, lack)), ...kept };
  }

  async call(session: UserSession, { operation, project, user }: Call): Promise<ActResult> {
    const call: AppFile['calls']['list'] | undefined = this.#app.calls[operation];
    if (call === undefined) return { outcome: 'error', detail: `cannot be asked to ${operation}` };
    const { success } = call;
    const values = { project, user };
    if ('command' in call)
      return succeeded(await this.#run(withWords(call.command, values), session), success);
    const inAddress = { project: encodeURIComponent(project), user: encodeURIComponent(user) };
    const [method = 'GET', ...rest] = this.#filled(call.request, session, inAddress).split(' ');
    const request: BrowserRequest = {
      method,
      url: rest.join(' '),
      headers: mapValues(call.headers ?? {}, (text) => this.#filled(text, session, values)),
      ...(call.body === undefined
        ? {}
        : {
            body: this.#filled(call.body, session, /^\s*[{[]/.test(call.body) ? inJson(values) : inAddress),
          }),
    };
    const visited = await this.#browse(session, request);
    if ('outcome' in visited) return visited;
    const { status, body, away } = visited;
    if (away !== undefined) return this.#failed(visited, 'leading to another host');
    const lack = lackOf(success, status, body);
    if (lack !== undefined) return this.#failed(visited, lack);
    const isOwn = success?.contains !== this.#app.calls.list.success?.contains;
    return { outcome: 'ok', ...answered(status), ...(isOwn ? shownBy(success) : {}), page: digest(body) };
  }

  /** Opens the page of `start.ready`, often the first that a user sees, for what it holds. */
  async look(session: UserSession): Promise<void> {
    const { start } = this.#app;
    if (start !== undefined) await this.#browse(session, { method: 'GET', url: this.#filled(start.ready) });
  }

  /** Returns seconds. An application may have a longer deadline of its own. */
  #limit(session: UserSession | undefined): number {
    const { deadlineSeconds = DEADLINE_SECONDS } = this.#app;
    return deadlineSeconds + (session?.isPatient === true ? Math.min(2 * deadlineSeconds, MOST_FURTHER) : 0);
  }

  output(): string {
    return this.#processes.output();
  }

  received(): readonly Received[] {
    return this.#received;
  }

  /** Stops it as a deployment does, and starts it again. @param mostBlocks see {@link CommandEnvironment} @throws ClientUndrivable */
  async restart(mostBlocks?: number): Promise<void> {
    this.#mostBlocks = mostBlocks;
    await this.#processes.requireForeground();
    if (this.#application !== undefined) await this.#processes.end(this.#application, 'SIGTERM');
    await this.#serve();
  }

  /** Kills it without warning, and starts it again. @throws ClientUndrivable */
  async kill(): Promise<void> {
    await this.#processes.requireForeground();
    await this.#processes.endAll();
    await this.#serve();
  }

  moveClock(seconds: number): void {
    this.#clock.move(seconds);
  }

  /** @throws StartedInBackground, after it has ended all processes */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#processes.requireForeground().finally(() => this.#processes.endAll());
  }

  async #serve(): Promise<void> {
    const { start } = this.#app;
    if (start === undefined) return;
    this.#application = undefined;
    if (this.#stopped) throw new ClientUndrivable('the situation is over');
    const { seconds = READY_SECONDS } = start;
    const [command, ready] = [this.#filled(start.command), this.#filled(start.ready)];
    const { hostname, origin } = new URL(this.redirectUri);
    // With a fixed address in `ready`, another server of the integrator may take the redirect.
    if (isLoopback(hostname) && ready !== start.ready && this.redirectUri === this.#app.redirectUri)
      await this.#processes.requireSilent(`${origin}/`, command, 'redirectUri: ');
    const serve = (place: CommandEnvironment) => this.#processes.serve(command, ready, seconds, place);
    this.#application = await serve(this.#place()).catch(async (error: unknown) => {
      const isMoved = Object.keys(this.#clock.env).length > 0;
      if (this.#stopped || !isMoved || !(error instanceof ClientUndrivable)) throw error;
      const without = await serve(this.#place(undefined, undefined, {})).catch(() => undefined);
      if (without === undefined) throw error;
      await this.#processes.end(without, 'SIGKILL');
      throw new ClientUndrivable(
        `it starts without the clock: set \`clock\` to "none". With it: ${error.message}`,
      );
    });
  }

  #at(): ServiceSide {
    if (this.#service === undefined) throw new Error('started before it is used');
    return this.#service;
  }

  #variables(session?: UserSession): Variables {
    const own = { port: this.#port, state: this.#state, session: session?.name ?? 'first' };
    return { ...this.#at(), ...own };
  }

  #filled(text: string, session?: UserSession, values: object = {}): string {
    return fillPlaceholders(text, { ...this.#variables(session), ...values });
  }

  #place(session?: UserSession, address?: string, clock = this.#clock.env): CommandEnvironment {
    const env = environmentFor(this.#variables(session), this.#app.variables);
    const paths = [clock.PYTHONPATH, env.PYTHONPATH].filter((path) => path !== undefined);
    const python = paths.length === 0 ? {} : { PYTHONPATH: paths.join(delimiter) };
    const given = address === undefined ? {} : { LEGACY_ADDRESS: address };
    const all = { ...env, ...clock, ...python, ...this.#env, ...given };
    return { cwd: this.#app.folder, env: all, mostBlocks: this.#mostBlocks };
  }

  #run(command: string, session?: UserSession, values: object = {}, address?: string): Promise<EndedProcess> {
    const place = this.#place(session, address);
    return this.#processes.run(this.#filled(command, session, values), this.#limit(session), place);
  }

  async #browse(session: UserSession, request: BrowserRequest): Promise<Visited | ActResult> {
    const url = new URL(request.url);
    if (session.host !== undefined && url.hostname === new URL(this.redirectUri).hostname)
      url.hostname = session.host;
    const application = this.#application;
    try {
      const tell = (type: string, text: string) => this.#received.push({ session: session.name, type, text });
      const page = { ...request, url: url.href };
      return await visitApplication(page, session.jar, this.#limit(session), tell, session.leaves);
    } catch (error) {
      if (error instanceof ApplicationSilent)
        return {
          outcome: 'no-answer',
          detail: `${error.message}${session.isPatient ? '' : ' (deadlineSeconds)'}`,
        };
      if (!(error instanceof TypeError)) throw error;
      const why = whyUnreachable(error, url.href);
      if (why !== undefined) throw new ClientUndrivable(why);
      // A process's exit is known a moment after its connections close.
      if (application === undefined && this.#app.start !== undefined)
        return {
          outcome: 'error',
          detail: 'got no answer: the application did not start again',
          why: await this.#printed(),
        };
      const ended = application && (await pollUntil(() => endOf(application), 1_000));
      if (ended === undefined && (error.cause as NodeJS.ErrnoException | undefined)?.code === 'ECONNREFUSED')
        throw new ClientUndrivable(`the application runs, and takes no connection at ${url.origin}`);
      const what = ended === undefined ? 'the connection was cut' : `the application ended (${ended})`;
      const isCut = ended === undefined ? ({ isCut: true } as const) : {};
      return { outcome: 'error', detail: `got no answer: ${what}`, ...isCut, why: await this.#printed() };
    }
  }

  async #failed({ status, url, body }: Visited, more = ''): Promise<ActResult> {
    const { origin, pathname } = new URL(url);
    const text = cutBetweenWords(htmlPage(url, body).root.textContent.trim().split('\n')[0] ?? '', 200);
    return {
      outcome: 'error',
      ...answered(status, more),
      ...asksAgain(body, status),
      why: [
        `at ${origin}${pathname}`,
        ...(text === '' ? [] : [JSON.stringify(text)]),
        await this.#printed(),
      ].join('; '),
    };
  }

  /** The application prints before it answers, so its lines are available with the answer. */
  async #printed(): Promise<string> {
    await setImmediate();
    const errors = this.#processes.errors();
    return errors === '' ? 'it printed no error' : `it printed ${errorLine(errors)}`;
  }
}

function leadsTo({ first, away, body }: Visited, authUrl: string): Connected | undefined {
  if (away?.url.startsWith(`${authUrl}/`) === true) return toService(away, `answered ${first}`);
  return addressIn(body, authUrl);
}

function toService(way: BrowserRequest, detail: string): Connected {
  return { outcome: 'ok', detail, address: way.url, ...(way.method !== 'GET' && { form: way }) };
}

function addressIn(text: string, authUrl: string): Connected | undefined {
  const start = text.indexOf(`${authUrl}/`);
  if (start < 0) return undefined;
  const [address = ''] = /^[^\s"'<>]*/.exec(text.slice(start)) ?? [];
  const detail = 'named the authorization address';
  return { outcome: 'ok', detail, address: address.replaceAll('&amp;', '&') };
}

function withoutAddress({ outcome, detail }: EndedProcess): Connected {
  const what = outcome === 'ok' ? ', and printed no address of the authorization server' : '';
  return { outcome, detail: `${detail}${what}` };
}

function succeeded({ outcome, detail, stdout }: EndedProcess, success: AppSuccess | undefined): ActResult {
  if (outcome !== 'ok') return { outcome, detail, ...(outcome === 'error' && asksAgain(detail)) };
  const lack = lackOf(success, undefined, stdout);
  if (lack === undefined) return { outcome, detail, ...shownBy(success), page: digest(stdout) };
  return { outcome: 'error', detail: `${detail}, ${lack}` };
}

/** Random values of a page, such as those that protect its forms, do not count. Addresses do: they name users. */
function digest(text: string): string {
  return createHash('sha256')
    .update(text.replaceAll(/[\w+=-]{16,}/g, ''))
    .digest('base64');
}

function answered(status: number, more = ''): Pick<ActResult, 'detail' | 'status'> {
  return { detail: `answered ${status}${more === '' ? '' : `, ${more}`}`, status };
}

const AGAIN = /\b(?:try (?:it )?again|retry|in a moment|busy)\b/i;

/** Recognizes the answer of an application that keeps its user and asks for another try. */
function asksAgain(text: string, status = 0): Pick<ActResult, 'asksAgain'> {
  return [409, 429, 503].includes(status) || AGAIN.test(text) ? { asksAgain: true } : {};
}

function shownBy(success: AppSuccess | undefined): Pick<ActResult, 'shown'> {
  return success?.contains === undefined ? {} : { shown: true };
}

/** Returns why an answer shows no success; undefined if it does, and nothing if its status says so. */
function lackOf(
  { contains = '', lacks, status: good }: AppSuccess = {},
  status: number | undefined,
  text: string,
): string | undefined {
  if (status !== undefined && !(good?.includes(status) ?? (status >= 200 && status < 300))) return '';
  if (!text.includes(contains)) return `without ${JSON.stringify(contains)} (success.contains)`;
  return lacks !== undefined && text.includes(lacks)
    ? `with ${JSON.stringify(lacks)} (success.lacks)`
    : undefined;
}

/** Inserts {project} and {user} as POSIX shell words, quoted if necessary; drops quotes around the placeholders. */
function withWords(command: string, values: Readonly<Record<'project' | 'user', string>>): string {
  return command.replaceAll(/(["']?)\{(project|user)\}\1/g, (_, __, name: 'project' | 'user') =>
    /^\w+$/.test(values[name]) ? values[name] : singleQuoted(values[name]),
  );
}

function inJson(values: Readonly<Record<string, string>>): Record<string, string> {
  return mapValues(values, (value) => JSON.stringify(value).slice(1, -1));
}
