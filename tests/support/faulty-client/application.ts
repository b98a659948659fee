import { createHash, createHmac, randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type {
  Call,
  Connected,
  ServiceSide,
  UserSession,
} from '../../../src/client-checks/drive/client-driver.ts';
import type { ClientDriver } from '../../../src/client-checks/drive/configured-driver.ts';
import { pollUntil } from '../../../src/client-checks/drive/processes.ts';
import type { ActResult, Received, SessionName } from '../../../src/client-checks/evaluate/episode.ts';
import type { CookieJar } from '../../../src/service/agent/cookie-jar.ts';
import type { VariationId } from './faults.ts';
import { type Answer, Lost, send, type Wire } from './wire.ts';

/** The stored pair of one user. Milliseconds since the epoch. */
interface Pair {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly expiresAt: number;
  readonly generation: number;
}

interface Disk {
  pairs: Map<string, Pair>;
  /** Refreshes under way, by user: the lock that several processes share. */
  readonly locks: Map<string, Promise<Pair>>;
  /** Lock files of refreshes, by user, with the time of each. */
  readonly lockFiles: Map<string, number>;
  holder: Process | undefined;
}

interface Process {
  readonly gone: AbortController;
  readonly states: Map<string, string[]>;
  readonly everyState: Set<string>;
  readonly pairs: Map<string, Pair>;
  readonly firstAccessTokens: Map<string, string>;
  readonly verifiers: Map<string, string>;
  readonly refreshing: Map<string, Promise<Pair>>;
  readonly signedInWithout: Set<string>;
  /** Access tokens that this process was given. */
  readonly known: Set<string>;
  counter: number;
  stuck: boolean;
  /** Written to disk when the process is told to end. */
  readonly unsaved: Map<string, Pair>;
  /** Users whose pair this process has refreshed since it began. */
  readonly renewed: Set<string>;
  readonly firstExpiries: Map<string, number>;
  /** The last list, and the one that is shown after a change. */
  lastList: string;
  firstList: string;
  lastChanged: string;
  kept: string | undefined;
  /** The first user who listed a project. */
  readonly lists: Map<string, string>;
  /** By user and project, in milliseconds. */
  readonly listedUntil: Map<string, number>;
  queue: Promise<unknown>;
  /** The requests of each browser, which wait for each other. */
  readonly queues: Map<CookieJar, Promise<unknown>>;
  pending: string;
  caller: string;
  project: string;
}

class Failed extends Error {
  override readonly name = 'Failed';
  readonly status: number;

  constructor(message: string, status = 0) {
    super(message);
    this.status = status;
  }
}

/** A page with status 200 that tells of the failure in words. */
class CalledGood extends Error {}

/** Far longer than an answer takes on a busy machine; only what hangs is waited for. */
const ORDINARY_DEADLINE_MS = 4_000;
const ENDLESS_MS = 60_000;
const LIFETIME_MS = 7_200_000;
const SHORT_DEADLINE_MS = 350;
const STALE_MS = 10_000;

/** An in-process client with one variation switched on. What is sound in it follows the reference client. */
export class Application implements ClientDriver {
  readonly redirectUri = 'http://127.0.0.1:8790/callback';
  readonly manySessions = true;
  readonly manyUsers = true;
  readonly operations = ['list', 'assign', 'unassign'] as const;
  readonly otherHost = 'localhost';
  readonly #variations: readonly VariationId[];
  readonly #answerWithinMs: number;
  readonly #zoneMs: number;
  readonly #disk: Disk = { pairs: new Map(), locks: new Map(), lockFiles: new Map(), holder: undefined };
  #processes: Process[] = [];
  #turn = 0;
  #service: ServiceSide | undefined;
  #offsetMs = 0;
  #printed = '';
  readonly #received: Received[] = [];
  #before: string | undefined;
  #exchanging = 0;
  #browser: AbortSignal | undefined;
  readonly #browsers: CookieJar[] = [];
  #diskIsFull = false;
  #bootedMs = 0;
  #pausedUntil = 0;

  /** `zoneHours`: of its time zone behind UTC; `answerWithinMs`: deadline of the requests that wait for it. */
  constructor(variations: VariationId | readonly VariationId[], zoneHours = 0, answerWithinMs = 9_500) {
    this.#variations = [variations].flat();
    this.#zoneMs = zoneHours * 3_600_000;
    this.#answerWithinMs = answerWithinMs;
  }

  named(): readonly ('project' | 'user')[] {
    return this.#is('project-configured', 'ids-written-down') ? [] : ['project', 'user'];
  }

  async start(service: ServiceSide): Promise<void> {
    this.#service = service;
    this.#boot();
    if (this.#is('discovery'))
      await this.#send({
        method: 'GET',
        url: `${service.authUrl}/.well-known/oauth-authorization-server`,
        headers: [],
      }).catch(() => undefined);
  }

  async stop(): Promise<void> {
    for (const { gone } of this.#processes) gone.abort();
  }

  output(): string {
    return this.#printed;
  }

  received(): readonly Received[] {
    return this.#received;
  }

  #give({ name: session }: UserSession, type: string, text: string): void {
    this.#received.push({ session, type, text });
  }

  #giveCookies(session: UserSession, pair: Pair): void {
    const random = randomBytes(16).toString('hex');
    const id = this.#is('sessions-counted') ? `${this.#received.length}` : random;
    this.#give(session, 'set-cookie', `sid=${id}; HttpOnly`);
    if (this.#is('small-cookies-beside')) this.#give(session, 'set-cookie', `visit=${this.#received.length}`);
    if (this.#is('tokens-in-a-cookie'))
      this.#give(session, 'set-cookie', `pair=${Buffer.from(JSON.stringify(pair)).toString('base64url')}`);
  }

  async look(session: UserSession): Promise<void> {
    if (this.#isOneWorker()) await this.#process().queue;
    const pair = this.#read(this.#process(), this.#userOf(session));
    if (this.#is('token-on-the-first-page')) this.#give(session, 'text/html', `token: ${pair?.accessToken}`);
  }

  async restart(mostBlocks?: number): Promise<void> {
    this.#diskIsFull = mostBlocks !== undefined;
    for (const { unsaved } of this.#processes)
      for (const [user, pair] of unsaved) this.#disk.pairs.set(user, pair);
    await this.stop();
    this.#boot();
  }

  async kill(): Promise<void> {
    await this.stop();
    this.#boot();
  }

  moveClock(seconds: number): void {
    this.#offsetMs += seconds * 1_000;
  }

  async connect(session: UserSession): Promise<Connected> {
    const { authUrl, clientId, clientSecret } = this.#at();
    const process = this.#process();
    if (this.#is('one-sign-in-for-each-browser') && this.#read(process, this.#userOf(session)) !== undefined)
      return { outcome: 'ok', detail: 'answered 200' };
    if (this.#is('pair-dropped-by-a-new-sign-in')) this.#forget(process, this.#userOf(session));
    if (this.#is('cookie-strict')) session.jar.set('sid=1; SameSite=Strict', this.redirectUri);
    process.pending = session.name;
    const state = this.#newState(process);
    const known = process.states.get(session.name) ?? [];
    process.states.set(
      session.name,
      this.#is('states-never-forgotten', 'several-open-states') ? [...known, state] : [state],
    );
    process.everyState.add(state);
    const query: [string, string][] = [['client_id', clientId]];
    const redirect = this.#is('redirect-address-of-its-own')
      ? `${this.redirectUri}/legacy`
      : this.#at().redirectUri;
    query.push(['redirect_uri', redirect]);
    if (!this.#is('no-response-type'))
      query.push(['response_type', this.#is('response-type-token') ? 'token' : 'code']);
    if (!this.#is('no-scope')) query.push(['scope', this.#scope()]);
    if (this.#is('scope-twice')) query.push(['scope', 'read']);
    if (!this.#is('no-state')) query.push(['state', state]);
    if (this.#is('secret-in-authorization-request')) query.push(['client_secret', clientSecret]);
    if (this.#is('further-parameters')) query.push(['prompt', 'consent'], ['access_type', 'offline']);
    if (this.#is('pkce')) {
      const verifier = randomBytes(32).toString('base64url');
      process.verifiers.set(session.name, verifier);
      query.push(
        ['code_challenge', createHash('sha256').update(verifier).digest('base64url')],
        ['code_challenge_method', 'S256'],
      );
    }
    if (this.#is('spelled-otherwise')) query.reverse();
    const encoded = new URLSearchParams(query).toString();
    if (this.#is('authorization-request-not-encoded'))
      return {
        outcome: 'ok',
        detail: 'answered 303',
        address: `${authUrl}/oauth/authorize?${query.map(([name, value]) => `${name}=${value}`).join('&')}`,
      };
    const text = this.#is('spelled-otherwise')
      ? encoded.replaceAll(/%[0-9A-F]{2}/g, (byte) => byte.toLowerCase())
      : this.#is('spaces-as-percent-20')
        ? encoded.replaceAll('+', '%20')
        : this.#is('scopes-with-encoded-plus')
          ? encoded.replaceAll('+', '%2B')
          : encoded;
    return { outcome: 'ok', detail: 'answered 303', address: `${authUrl}/oauth/authorize?${text}` };
  }

  async callback(session: UserSession, address: string): Promise<ActResult> {
    const keptBack = session.jar.keptBack(this.redirectUri);
    if (keptBack.length > 0) return { outcome: 'error', detail: 'answered 400', keptBack };
    const seen = await this.#answered(async () => {
      const process = this.#process();
      if (process.stuck) throw new Failed('500');
      const { searchParams } = new URL(address);
      if (this.#is('denial-without-state-disconnects') && !searchParams.has('state'))
        this.#forget(process, this.#userOf(session));
      try {
        this.#checkState(process, session, searchParams.get('state'));
      } catch (error) {
        if (this.#is('bad-callback-answered-200')) return 'answered 200';
        throw error;
      }
      const error = searchParams.get('error_description') ?? searchParams.get('error') ?? '';
      if (error !== '' && !this.#is('denial-exchanged')) {
        const shown = this.#is('error-shown-as-markup', 'error-shown-in-json')
          ? error
          : error.replaceAll('<', '&lt;');
        this.#give(session, this.#is('error-shown-in-json') ? 'application/json' : 'text/html', shown);
        if (this.#is('denial-answered-500')) throw new Failed('500');
        if (this.#is('denial-is-the-end')) process.stuck = true;
        throw new Failed('403: access was not granted');
      }
      const sent = searchParams.get('code') ?? '';
      const code = this.#is('code-decoded-twice') ? decodedAgain(sent) : sent;
      const known = new Map(this.#disk.pairs);
      this.#exchanging += 1;
      try {
        const exchanged = this.#exchange(session, code, new URL(address));
        const pair = await exchanged.finally(() => {
          this.#exchanging -= 1;
        });
        const isShown = this.#is('store-read-before-the-exchange-and-shown');
        if (isShown || this.#is('store-read-before-the-exchange')) this.#disk.pairs = known;
        const owner = this.#is('pending-user-in-a-global')
          ? { ...session, name: process.pending as SessionName }
          : session;
        this.#store(process, owner, pair);
        this.#giveCookies(session, pair);
        if (isShown) await pollUntil(() => this.#exchanging === 0, 1_000, 1);
        if (isShown && !this.#disk.pairs.has(this.#userOf(session))) throw new Failed('302: please connect');
      } catch (error) {
        if (this.#is('secret-on-the-page-of-an-error'))
          this.#give(session, 'text/html', `client_secret=${encodeURIComponent(this.#at().clientSecret)}`);
        const refused = error instanceof Failed && error.status >= 400 && error.status < 500;
        if (this.#is('failed-exchange-is-the-end')) process.stuck = true;
        if (this.#is('failed-sign-in-shown-as-success')) return CONNECTED;
        if (!this.#is('any-answer-signs-in') && !(refused && this.#is('refused-code-signs-in'))) throw error;
        process.signedInWithout.add(session.name);
      } finally {
        if (this.#is('state-forgotten-late')) process.states.delete(session.name);
      }
      return CONNECTED;
    });
    if (this.#is('denial-leads-back') && new URL(address).searchParams.has('error'))
      return { outcome: 'ok', detail: 'answered 302', leadsBack: true };
    if (
      this.#is('failed-exchange-cuts-the-connection') &&
      seen.outcome === 'error' &&
      !address.includes('error=')
    )
      return { outcome: 'error', detail: 'got no answer: the connection was cut', isCut: true };
    return seen.detail === CONNECTED ? { ...seen, shown: true } : seen;
  }

  call(session: UserSession, asked: Call): Promise<ActResult> {
    const call = this.#is('project-configured')
      ? { ...asked, project: this.#at().projectId, user: this.#at().userId }
      : this.#is('ids-written-down')
        ? { ...asked, project: '1041', user: '505' }
        : asked;
    this.#browser = this.#is('refresh-bound-to-the-browser') ? session.leaves : undefined;
    return this.#answered(async () => {
      const process = this.#process();
      if (process.stuck) throw new Failed('500');
      const user = this.#userOf(session);
      process.caller = user;
      if (process.signedInWithout.has(session.name) && this.#read(process, user) === undefined)
        return 'answered 200';
      const cached = process.lists.get(call.project);
      if (
        this.#is('list-cache-shared') &&
        call.operation === 'list' &&
        cached !== undefined &&
        cached !== user
      )
        return 'answered 200';
      const place = `${user} ${call.project}`;
      const isFresh = this.#now() < (process.listedUntil.get(place) ?? 0);
      if (this.#is('lists-kept-for-a-minute') && call.operation === 'list' && isFresh) return 'answered 200';
      const { kept } = process;
      process.kept = undefined;
      if (call.operation === 'list' && kept !== undefined) return { detail: 'answered 200', page: kept };
      let page: string | undefined;
      if (call.operation !== 'list' && this.#is('second-change-dropped')) {
        const isSecond = process.lastChanged === call.user;
        process.lastChanged = call.user;
        if (isSecond) return { detail: 'answered 200', page: 'done' };
      }
      if (call.operation !== 'list' && this.#is('change-sent-after-the-answer')) {
        setTimeout(() => this.#operate(process, user, call, session.jar).catch(() => undefined), 20);
        return { detail: 'answered 200', page: 'done' };
      }
      const work = async () => {
        page = await this.#operate(process, user, call, session.jar);
      };
      const inTurn =
        this.#is('calls-one-by-one', 'refresh-without-deadline-under-one-lock') || this.#isOneWorker();
      if (this.#is('session-locked', 'session-locked-alone')) {
        const turn = (process.queues.get(session.jar) ?? Promise.resolve()).then(work, work);
        process.queues.set(session.jar, turn);
        await turn;
      } else if (!inTurn) await work();
      else {
        const turn = process.queue.then(work, work);
        process.queue = turn.catch(() => undefined);
        await turn;
      }
      return { detail: 'answered 200', page };
    }, session.leaves);
  }

  #is(...variations: readonly VariationId[]): boolean {
    return this.#variations.some((one) => variations.includes(one));
  }

  #isOneWorker(): boolean {
    return this.#is('one-worker', 'one-worker-without-a-lock');
  }

  #isTwo(): boolean {
    return this.#is(
      'two-processes-one-store',
      'two-processes-each-its-copy',
      'two-processes-reading-before-the-lock',
    );
  }

  #at(): ServiceSide {
    if (this.#service === undefined) throw new Error('started before it is used');
    return this.#service;
  }

  #boot(): void {
    this.#bootedMs = this.#now();
    const count = this.#isTwo() ? 2 : 1;
    this.#processes = Array.from({ length: count }, () => ({
      gone: new AbortController(),
      states: new Map(),
      everyState: new Set(),
      pairs: new Map(),
      firstAccessTokens: new Map(),
      verifiers: new Map(),
      refreshing: new Map(),
      signedInWithout: new Set(),
      known: new Set(),
      counter: 0,
      stuck: false,
      unsaved: new Map(),
      renewed: new Set(),
      firstExpiries: new Map(),
      lastList: '',
      firstList: '',
      lastChanged: '',
      kept: undefined,
      lists: new Map(),
      listedUntil: new Map(),
      queue: Promise.resolve(),
      queues: new Map(),
      pending: '',
      caller: '',
      project: '',
    }));
    if (this.#is('refreshed-by-each-worker-at-start'))
      for (const worker of [1, 2, 3])
        for (const [user, pair] of this.#disk.pairs)
          for (const process of this.#processes)
            pause(worker * 20)
              .then(() => this.#refreshNow(process, user, pair))
              .catch(() => undefined);
    if (this.#isTwo()) {
      const [first, second] = this.#processes;
      // Sessions, and the lock, are in a store that both share.
      if (first !== undefined && second !== undefined)
        this.#processes = [
          { ...first, refreshing: this.#disk.locks },
          { ...second, states: first.states, refreshing: this.#disk.locks },
        ];
    }
  }

  /** Requests go to the processes in turn. */
  #process(): Process {
    this.#turn += 1;
    const process = this.#processes[this.#turn % this.#processes.length];
    if (process === undefined) throw new Error('started before it is used');
    return process;
  }

  #now(): number {
    return Date.now() + this.#offsetMs;
  }

  #userOf(session: UserSession): string {
    return this.#is('one-pair-for-all') ? 'the user' : session.name;
  }

  #scope(): string {
    if (this.#is('scopes-by-comma')) return 'read,write,destroy';
    if (this.#is('spelled-otherwise')) return 'destroy read write';
    if (this.#is('destroy-not-asked-for')) return 'read write';
    if (this.#is('scope-unknown')) return 'read write destroy admin';
    return 'read write destroy';
  }

  #newState(process: Process): string {
    process.counter += 1;
    if (this.#is('state-constant')) return 'a-state-that-is-the-same-for-everybody-and-always';
    if (this.#is('state-counted')) return `sign-in-number-000000000000000000${process.counter}`;
    if (this.#is('state-short')) return randomBytes(4).toString('hex');
    const user = process.pending;
    const data = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    if (this.#is('state-user-encoded')) return data({ user, from: 'the shop of ours' });
    if (this.#is('state-user-and-time'))
      return `from:the-shop-of-ours;user:${user};at:${Date.now()}${process.counter}`.replace(/\d$/, ';$&');
    const nonce = randomBytes(24).toString('base64url');
    if (this.#is('state-with-data')) return data({ nonce, next: '/projects' });
    if (this.#is('state-signed', 'state-ticket-of-any-browser')) {
      const claims = this.#is('state-signed') ? { user, iat: Date.now() } : { user, nonce };
      const signed = `${data({ alg: 'HS256', typ: 'JWT' })}.${data(claims)}`;
      return `${signed}.${createHmac('sha256', 'a key').update(signed).digest('base64url')}`;
    }
    return nonce;
  }

  #checkState(process: Process, session: UserSession, got: string | null): void {
    if (this.#is('no-state', 'state-not-compared')) return;
    if (got === null && this.#is('state-optional')) return;
    if (this.#is('state-user-encoded') && 'user' in dataIn(got ?? '')) return;
    if (this.#is('state-ticket-of-any-browser') && process.everyState.has(got ?? '')) return;
    const own = process.states.get(session.name) ?? [];
    const [kept] = own;
    if (this.#is('state-absent-in-fresh-browser') && got === null && kept === undefined) return;
    if (this.#is('state-empty-in-fresh-browser') && got === '' && kept === undefined) return;
    const isSignedIn = () => this.#read(process, this.#userOf(session)) !== undefined;
    if (this.#is('state-absent-after-a-sign-in') && got === null && kept === undefined && isSignedIn())
      return;
    const known = this.#is('state-of-the-latest-alone')
      ? own.length > 0 && got === [...process.everyState].at(-1)
      : this.#is('states-of-all-browsers')
        ? process.everyState.has(got ?? '')
        : own.some((state) => this.#isSameState(state, got ?? ''));
    const keeps = this.#is(
      'state-kept',
      'states-never-forgotten',
      'state-forgotten-late',
      'state-of-the-latest-alone',
    );
    if (this.#is('several-open-states'))
      process.states.set(
        session.name,
        own.filter((state) => state !== got),
      );
    else if (!keeps) process.states.delete(session.name);
    if (this.#is('states-of-all-browsers', 'state-of-the-latest-alone')) process.everyState.delete(got ?? '');
    if (!known) throw new Failed('400: the state is another');
  }

  #isSameState(kept: string, got: string): boolean {
    if (this.#is('state-with-data')) return dataIn(got).nonce === dataIn(kept).nonce;
    if (this.#is('state-by-prefix')) return kept.startsWith(got);
    if (this.#is('state-with-more')) return got.startsWith(kept);
    if (this.#is('state-in-any-case')) return got.toLowerCase() === kept.toLowerCase();
    return got === kept;
  }

  async #exchange(session: UserSession, code: string, at: URL): Promise<Pair> {
    const process = this.#process();
    const { clientId, clientSecret } = this.#at();
    const fields: [string, string][] = [['grant_type', 'authorization_code']];
    if (this.#is('exchange-with-grant-type-twice')) fields.push(['grant_type', 'authorization_code']);
    if (code !== '') fields.push(['code', this.#is('code-in-quotes') ? JSON.stringify(code) : code]);
    if (this.#is('exchange-with-the-address-of-the-callback'))
      fields.push(['redirect_uri', `${at.origin}${at.pathname}`]);
    else if (this.#is('redirect-address-of-its-own'))
      fields.push(['redirect_uri', `${this.redirectUri}/legacy`]);
    else if (this.#is('query-cut-off-at-the-exchange'))
      fields.push(['redirect_uri', this.#at().redirectUri.split('?')[0] ?? '']);
    else if (this.#is('exchange-with-another-address')) fields.push(['redirect_uri', `${this.redirectUri}/`]);
    else if (!this.#is('exchange-without-redirect-address'))
      fields.push(['redirect_uri', this.#at().redirectUri]);
    fields.push(['client_id', clientId]);
    if (this.#is('secret-with-a-line-break')) fields.push(['client_secret', `${clientSecret}\n`]);
    else if (!this.#is('exchange-without-secret')) fields.push(['client_secret', clientSecret]);
    const verifier = process.verifiers.get(session.name);
    if (verifier !== undefined) fields.push(['code_verifier', verifier]);
    const attempts = 2;
    for (let attempt = 1; ; attempt += 1) {
      try {
        const answer = await this.#token(fields, this.#is('basic-alone'));
        if (answer.status === 503 && this.#is('exchange-again-when-asked')) {
          await pause(Number(answer.headers['retry-after']) * 1_000);
          if (attempt < attempts) continue;
        }
        if (answer.status >= 500 && this.#is('exchange-again-after-5xx') && attempt < attempts) continue;
        return this.#readPair(answer, 0);
      } catch (error) {
        const again =
          error instanceof Lost &&
          (error.timedOut ? this.#is('exchange-again-after-timeout') : this.#is('exchange-again-when-lost'));
        if (!again || attempt >= attempts) throw error;
      }
    }
  }

  /** Resolves with what the application then shows. */
  async #operate(
    process: Process,
    user: string,
    call: Call,
    browser: CookieJar,
  ): Promise<string | undefined> {
    let pair = this.#read(process, user);
    if (pair === undefined) throw new Failed('401: sign in first', 401);
    const leewayMs = this.#is('refreshed-after-ten-minutes')
      ? LIFETIME_MS - 600_000
      : this.#is('refresh-five-minutes-early')
        ? 300_000
        : 60_000;
    const expiresAt = this.#is('expiry-never-renewed')
      ? (process.firstExpiries.get(user) ?? pair.expiresAt)
      : this.#is('lifetime-begins-at-start')
        ? Math.max(pair.expiresAt, this.#bootedMs + LIFETIME_MS)
        : pair.expiresAt + (this.#is('expiry-in-local-time') ? this.#zoneMs : 0);
    process.firstExpiries.set(user, expiresAt);
    const first = this.#is('refresh-at-start') && !process.known.has(pair.accessToken);
    const passedOn = this.#is('second-expiry-passed-on') && pair.generation > 0;
    const expired =
      first ||
      (this.#is('a-second-late')
        ? Math.floor(this.#now() / 1_000) > Math.floor(expiresAt / 1_000)
        : !passedOn && !this.#is('no-clock') && this.#now() >= expiresAt - leewayMs);
    if (this.#is('signs-in-again-at-expiry') && expired) throw new Failed('302: sign in again', 302);
    if (
      (expired && !this.#is('access-token-remembered')) ||
      this.#is('eager-refresh') ||
      (this.#is('refreshed-before-writes') && call.operation !== 'list')
    ) {
      const refreshing = this.#refresh(process, user, pair, browser);
      const isHidden = this.#is('refreshed-pair-not-kept');
      pair = await (isHidden ? refreshing.catch(() => undefined) : refreshing);
      if (pair === undefined) return undefined;
    }
    const remembered = process.firstAccessTokens.get(user) ?? pair.accessToken;
    if (this.#is('access-token-remembered', 'first-access-token-for-unassign'))
      process.firstAccessTokens.set(user, remembered);
    const remembers =
      this.#is('access-token-remembered') ||
      (this.#is('first-access-token-for-unassign') && call.operation === 'unassign');
    let answer = await this.#api(remembers ? remembered : pair.accessToken, pair, call);
    if (answer.status === 401 && this.#is('401-signs-out')) this.#forget(process, user);
    if (answer.status === 403 && this.#is('pair-dropped-after-403')) this.#forget(process, user);
    if (answer.status === 429 && this.#is('pair-dropped-after-a-429-of-a-call')) this.#forget(process, user);
    const renewals = this.#is('401-for-ever')
      ? Number.POSITIVE_INFINITY
      : this.#is('401-without-end')
        ? 5
        : 1;
    for (
      let count = 0;
      count < renewals &&
      answer.status === 401 &&
      !passedOn &&
      !this.#is(
        '401-passed-on',
        '401-called-good',
        'a-second-late',
        'expiry-in-local-time',
        '401-signs-out',
        'lifetime-begins-at-start',
      );
      count += 1
    ) {
      const { accessToken: refused } = pair;
      // A pair of this very second is taken for one that another call has just refreshed.
      const issuedAt = pair.expiresAt - LIFETIME_MS;
      if (this.#is('whole-seconds') && Math.floor(issuedAt / 1_000) === Math.floor(this.#now() / 1_000))
        break;
      const before: string = pair.refreshToken;
      pair = await (this.#is('401-refreshed-by-each-call')
        ? this.#refreshNow(process, user, pair)
        : this.#refresh(process, user, pair, browser));
      if (this.#is('refresh-token-lost-after-401')) {
        pair = { ...pair, refreshToken: before };
        this.#write(process, user, pair);
      }
      if (this.#is('401-refreshed-and-not-tried')) break;
      const isOld = this.#is('401-tried-again-with-the-old-token', '401-old-token-and-please-again');
      const token = isOld ? refused : pair.accessToken;
      answer = await this.#api(token, pair, call, this.#is('refused-change-again-by-get'));
    }
    const refusal = answer.status >= 400 && answer.status !== 401 && this.#is('any-refusal-refreshed');
    if (refusal || (answer.status === 403 && this.#is('403-refreshed'))) {
      pair = await this.#refresh(process, user, pair, browser);
      answer = await this.#api(pair.accessToken, pair, call);
    }
    answer = await this.#patiently(answer, () => this.#api(pair?.accessToken ?? '', pair, call));
    if (!(this.#is('saved-with-the-call') && answer.status >= 400)) this.#storeLate(process, user, pair);
    if (call.operation === 'list' && answer.status < 400)
      process.lists.set(call.project, process.lists.get(call.project) ?? user);
    if (call.operation !== 'list') process.listedUntil.clear();
    else if (answer.status < 400) process.listedUntil.set(`${user} ${call.project}`, this.#now() + 60_000);
    if (call.operation !== 'list' && this.#is('lists-around-changes'))
      await this.#api(pair.accessToken, pair, { ...call, operation: 'list' });
    if (answer.status >= 400 && call.operation === 'unassign' && this.#is('list-changed-before-the-answer'))
      process.kept = process.firstList;
    if (answer.status >= 400 && call.operation !== 'list') {
      if (this.#is(`refused-${call.operation}-called-good`)) return undefined;
      if (this.#is('refused-change-shown-above-the-list')) {
        const list = await this.#api(pair.accessToken, pair, { ...call, operation: 'list' });
        if (list.status < 400) return `It was refused. ${list.body}`;
      }
    }
    if (call.operation !== 'list' && this.#is('refused-assign-shown-as-done')) {
      const list = await this.#api(pair.accessToken, pair, { ...call, operation: 'list' });
      if (list.status < 400) return list.body;
    }
    if (answer.status === 404 && this.#is('unknown-project-replaced'))
      answer = await this.#api(pair.accessToken, pair, { ...call, project: '1041' });
    if (answer.status === 204 && this.#is('empty-answer-repeated'))
      answer = await this.#api(pair.accessToken, pair, call);
    if (answer.status === 401 && this.#is('401-old-token-and-please-again'))
      throw new Failed('502: please try again');
    if (answer.status === 401 && this.#is('401-called-good')) return undefined;
    if (answer.body.startsWith('{') && this.#is('json-error-called-good')) return undefined;
    if (answer.status === 307 && this.#is('redirected-change-called-good')) return undefined;
    if (answer.status >= 300 && !this.#is('refusals-called-good', 'empty-pair-called-good'))
      throw new Failed(String(answer.status), answer.status);
    if (call.operation === 'list' && answer.status < 400) this.#readList(answer);
    if (call.operation === 'assign' && answer.status === 204 && this.#is('empty-assign-is-an-error'))
      throw new Failed('500: unexpected end of JSON input');
    if (call.operation === 'unassign' && answer.body === '' && this.#is('empty-answer-read'))
      throw new Failed('500: unexpected end of JSON input');
    if (call.operation === 'list') {
      process.lastList = answer.body;
      process.firstList ||= answer.body;
    } else if (this.#is('old-list-after-a-change')) process.kept = process.lastList;
    else if (this.#is('list-kept-and-changed'))
      process.kept = `${process.lastList}, and since then ${call.operation} ${call.user}`;
    return answer.body;
  }

  async #patiently(first: Answer, again: () => Promise<Answer>): Promise<Answer> {
    let answer = first;
    const storms = this.#is('throttled-again-and-again', 'gone-again-and-again', 'calls-stormed-after-500');
    const most = storms ? 8 : 2;
    for (let count = 0; count < most; count += 1) {
      const throttled = answer.status === 429 || answer.status === 503;
      const reported = answer.headers['retry-after'] ?? '';
      const waitMs = /^\d+$/.test(reported) ? Number(reported) * 1_000 : Date.parse(reported) - this.#now();
      if (throttled && this.#is('retry-after-as-milliseconds') && count < 1)
        await pause(Number(reported) || 0);
      else if (answer.status === 500 && this.#is('calls-repeated-after-500')) await pause(50 * 2 ** count);
      else if (throttled && this.#is('waits-as-told')) await pause(Math.max(0, waitMs));
      else if (throttled && this.#is('retry-after-as-seconds-alone') && count < 1)
        await pause(Number(reported) * 1_000 || 0);
      else if (answer.status === 500 && this.#is('calls-stormed-after-500')) await pause(1);
      else if (throttled && this.#is('throttled-again-at-once', 'throttled-again-and-again')) await pause(1);
      else if (!(answer.status === 410 && this.#is('gone-again-and-again'))) return answer;
      answer = await again();
    }
    return answer;
  }

  #refresh(process: Process, user: string, stale: Pair, browser: CookieJar): Promise<Pair> {
    if (stale.refreshToken === '') return Promise.reject(new Failed('401: sign in first', 401));
    if (
      this.#is(
        'refresh-for-each-call',
        'refresh-for-each-call-read-again',
        'session-locked-alone',
        'one-worker-without-a-lock',
      )
    )
      return this.#refreshNow(process, user, stale);
    const shared =
      this.#isTwo() && !this.#is('two-processes-each-its-copy') ? this.#disk.locks : process.refreshing;
    if (!this.#browsers.includes(browser)) this.#browsers.push(browser);
    const key = this.#is('one-refresh-for-all')
      ? 'everybody'
      : this.#is('refresh-for-each-browser')
        ? `${user} ${this.#browsers.indexOf(browser)}`
        : user;
    const under = shared.get(key);
    if (
      under !== undefined &&
      this.#is('two-processes-reading-before-the-lock') &&
      this.#disk.holder !== process
    )
      return under.then(() => this.#refreshNow(process, user, stale));
    if (under !== undefined && this.#is('refreshed-in-turn')) {
      const next = under.then((pair) => this.#refreshNow(process, user, pair));
      shared.set(key, next);
      return next;
    }
    if (under !== undefined && this.#is('busy-while-it-refreshes'))
      return Promise.reject(new Failed('503: busy', 503));
    if (under !== undefined) return under;
    const stored = this.#read(process, user);
    if (stored !== undefined && stored.accessToken !== stale.accessToken) return Promise.resolve(stored);
    const refreshing = this.#refreshNow(process, user, stale);
    this.#disk.holder = process;
    shared.set(key, refreshing);
    const forget = () => shared.delete(key);
    refreshing.then(forget, this.#is('failed-refresh-remembered') ? () => undefined : forget);
    return refreshing;
  }

  async #refreshNow(process: Process, user: string, pair: Pair): Promise<Pair> {
    const { clientId, clientSecret } = this.#at();
    const fields: [string, string][] = [
      ['grant_type', 'refresh_token'],
      ['refresh_token', this.#is('access-token-as-refresh-token') ? pair.accessToken : pair.refreshToken],
      ['client_id', clientId],
      ['client_secret', clientSecret],
    ];
    if (this.#is('refresh-for-wider-scope')) fields.push(['scope', 'read write destroy admin']);
    if (this.#is('refresh-for-narrower-scope')) fields.push(['scope', 'read']);
    if (this.#is('scope-repeated-in-refresh')) fields.push(['scope', 'read write destroy']);
    if (this.#is('refresh-without-secret')) fields.splice(3, 1);
    if (this.#is('refresh-with-code')) fields.push(['code', 'the-code-of-the-exchange-again']);
    const locks = this.#is('lock-file-for-ever', 'lock-file-taken-over');
    const lockedAt = this.#disk.lockFiles.get(user);
    const isStale =
      this.#is('lock-file-taken-over') && lockedAt !== undefined && this.#now() > lockedAt + STALE_MS;
    if (locks && lockedAt !== undefined && !isStale) throw new Failed('500: another process refreshes', 500);
    if (locks) this.#disk.lockFiles.set(user, this.#now());
    if (this.#is('taken-out-before-the-refresh')) this.#forget(process, user);
    for (let attempt = 1; ; attempt += 1) {
      try {
        const answer = await this.#token(fields, this.#is('basic-alone', 'basic-alone-on-refresh'));
        const dead = answer.status >= 400 && answer.status < 500 && answer.body.includes('invalid_grant');
        const stored = this.#read(process, user);
        const isReplaced = stored !== undefined && stored.accessToken !== pair.accessToken;
        const readsAgain = this.#is(
          'refresh-for-each-call-read-again',
          'refresh-for-each-browser',
          'session-locked-alone',
        );
        if (dead && isReplaced && readsAgain) return stored;
        if (
          (dead && !this.#is('refused-refresh-again', 'error-stored-as-pair', 'refreshed-pair-not-kept')) ||
          (answer.status === 429 && this.#is('pair-dropped-after-429')) ||
          (answer.status >= 500 && this.#is('pair-dropped-after-5xx')) ||
          (answer.status >= 429 && answer.body.startsWith('{') && this.#is('pair-dropped-for-json')) ||
          (answer.status >= 429 && answer.body.startsWith('<') && this.#is('pair-dropped-for-a-page')) ||
          (answer.status === 200 && answer.body.startsWith('<') && this.#is('pair-dropped-for-a-good-page'))
        )
          this.#forget(process, user);
        if (dead && this.#is('refused-refresh-called-good')) throw new CalledGood();
        if (dead && this.#is('refused-refresh-empties-all')) {
          this.#disk.pairs.clear();
          process.pairs.clear();
        }
        const further = this.#is('pair-dropped-after-eight-tries')
          ? 7
          : this.#is('refresh-again-after-503')
            ? 1
            : 0;
        if (answer.status === 503 && attempt <= further) continue;
        if (answer.status === 503 && this.#is('pair-dropped-after-eight-tries')) this.#forget(process, user);
        if (dead && this.#is('refused-refresh-with-the-token-before') && this.#before !== undefined) {
          fields[1] = ['refresh_token', this.#before];
          await this.#token(fields, false);
        }
        this.#before = pair.refreshToken;
        const fresh = this.#readPair(answer, pair.generation + 1);
        const kept =
          this.#is('refresh-token-of-the-exchange') ||
          (this.#is('second-refresh-token-lost') && fresh.generation > 1)
            ? { ...fresh, refreshToken: pair.refreshToken }
            : fresh;
        const owner = this.#is('refreshed-for-another')
          ? 'first'
          : this.#is('refreshed-for-the-last-caller')
            ? process.caller
            : user;
        if (!this.#is('stored-after-the-call', 'saved-with-the-call', 'refreshed-pair-not-kept'))
          this.#write(process, owner, kept);
        return kept;
      } catch (error) {
        if (error instanceof Lost && this.#is('pair-dropped-when-lost') && !process.gone.signal.aborted)
          this.#forget(process, user);
        // A refused pair stays away.
        const isDead = error instanceof Failed && error.status >= 400 && error.status < 429;
        if (!isDead && this.#is('taken-out-before-the-refresh')) this.#write(process, user, pair);
        const again = this.#is('refresh-again-when-lost', 'refresh-given-up-too-soon');
        if (!(error instanceof Lost) || !again || attempt > 1) throw error;
      } finally {
        if (!process.gone.signal.aborted) this.#disk.lockFiles.delete(user);
      }
    }
  }

  async #token(fields: readonly [string, string][], basic: boolean): Promise<Answer> {
    const { authUrl, clientId, clientSecret } = this.#at();
    const credentials = (name: string) => name === 'client_id' || name === 'client_secret';
    const authorization = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
    const without = fields.filter(([name]) => !credentials(name));
    const refreshing = fields.some(([, value]) => value === 'refresh_token');
    const deadlineMs = this.#tokenDeadline(refreshing);
    const isElsewhere = refreshing && this.#is('refresh-at-another-address');
    const url = `${authUrl}/oauth/${isElsewhere ? 'refresh_token' : 'token'}`;
    if (this.#is('all-in-query') || (refreshing && this.#is('refresh-in-query'))) {
      const form = ['Content-Type', 'application/x-www-form-urlencoded'] as const;
      const headers = [['Content-Length', '0'], ...(refreshing ? [] : [form])] as const;
      const query = new URLSearchParams([...fields]);
      return this.#send({ method: 'POST', url: `${url}?${query}`, headers }, deadlineMs);
    }
    if (refreshing && this.#is('basic-and-form-on-refresh'))
      return this.#send(this.#form(url, fields, [['Authorization', authorization]]), deadlineMs);
    const [old] = [...this.#disk.pairs.values()];
    if (old !== undefined && this.#is('access-token-in-token-requests'))
      return this.#send(
        this.#form(url, fields, [['Authorization', `Bearer ${old.accessToken}`]]),
        deadlineMs,
      );
    if (basic || this.#is('basic-then-form', 'basic-then-form-by-error')) {
      const probe = this.#form(url, without, [['Authorization', authorization]]);
      const answer = await this.#send(probe, deadlineMs);
      if (basic || answer.status !== 401) return answer;
      if (this.#is('basic-then-form-by-error') && !answer.body.includes('"invalid_client"')) return answer;
    }
    if (this.#is('token-request-by-get'))
      return this.#send(
        { method: 'GET', url: `${url}?${new URLSearchParams([...fields])}`, headers: [] },
        deadlineMs,
      );
    if (this.#is('json-body') || (refreshing && this.#is('json-body-on-refresh'))) {
      const body = JSON.stringify(Object.fromEntries(fields));
      return this.#send(
        { method: 'POST', url, headers: [['Content-Type', 'application/json']], body },
        deadlineMs,
      );
    }
    if (this.#is('multipart-body')) {
      const parts = fields.map(
        ([name, value]) =>
          `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
      );
      const headers = [['Content-Type', `multipart/form-data; boundary=${BOUNDARY}`]] as const;
      return this.#send(
        { method: 'POST', url, headers, body: `${parts.join('')}--${BOUNDARY}--\r\n` },
        deadlineMs,
      );
    }
    if (this.#is('secret-in-query')) {
      const query = new URLSearchParams({ client_secret: clientSecret });
      return this.#send(this.#form(`${url}?${query}`, fields, []), deadlineMs);
    }
    if (this.#is('bearer-in-place-of-secret') && refreshing) {
      const bearer = ['Authorization', 'Bearer of-the-last-call'] as const;
      return this.#send(this.#form(url, without, [bearer]), deadlineMs);
    }
    let answer = await this.#send(this.#form(url, fields, []), deadlineMs);
    const location = answer.headers.location;
    if (answer.status === 307 && location !== undefined && this.#is('redirects-followed'))
      answer = await this.#send(this.#form(location, fields, []), deadlineMs);
    return answer;
  }

  #tokenDeadline(refreshing: boolean): number {
    const none =
      this.#is('token-requests-without-deadline') ||
      (refreshing && this.#is('refresh-without-deadline', 'refresh-without-deadline-under-one-lock'));
    if (none) return ENDLESS_MS;
    return refreshing && this.#is('refresh-given-up-too-soon') ? SHORT_DEADLINE_MS : ORDINARY_DEADLINE_MS;
  }

  #form(
    url: string,
    fields: readonly [string, string][],
    headers: readonly (readonly [string, string])[],
  ): Wire {
    const plain = fields.map(([name, value]) => `${name}=${value}`).join('&');
    const raw =
      this.#is('form-values-not-encoded') ||
      (this.#is('refresh-values-not-encoded') && fields.some(([, value]) => value === 'refresh_token'));
    const body = raw ? plain : new URLSearchParams([...fields]).toString();
    const type = ['Content-Type', 'application/x-www-form-urlencoded'] as const;
    if (this.#is('without-accept')) return { method: 'POST', url, headers: [type, ...headers], body };
    if (this.#is('no-content-type')) return { method: 'POST', url, headers, body };
    if (this.#is('headers-in-another-order'))
      return {
        method: 'POST',
        url,
        headers: [
          ['x-request-id', '1'],
          ...headers,
          ['ACCEPT', '*/*'],
          ['content-type', `${type[1]}; charset=UTF-8`],
        ],
        body,
      };
    return { method: 'POST', url, headers: [type, ['Accept', 'application/json'], ...headers], body };
  }

  #readPair({ status, body }: Answer, generation: number): Pair {
    if (status !== 200 && this.#is('error-stored-as-pair') && body.startsWith('{'))
      return {
        accessToken: 'undefined',
        refreshToken: 'undefined',
        expiresAt: Number.POSITIVE_INFINITY,
        generation,
      };
    if (status >= 429 && this.#is('outage-stored-as-pair') && body.startsWith('{'))
      return { accessToken: 'null', refreshToken: '', expiresAt: 0, generation };
    if (status !== 200 && this.#is('error-stored-as-empty-pair', 'empty-pair-called-good'))
      return { accessToken: '', refreshToken: '', expiresAt: 0, generation };
    if (status !== 200) throw new Failed(`the token endpoint answered ${status}`, status);
    let read: Record<string, unknown>;
    try {
      read = JSON.parse(body);
    } catch {
      throw new Failed('no JSON', 500);
    }
    const {
      access_token: accessToken,
      refresh_token: refreshToken,
      token_type: type,
      expires_in: life,
    } = read;
    const pattern = this.#is('json-read-by-pattern') ? /"access_token":"([^"]*)"/.exec(body)?.[1] : undefined;
    if (typeof accessToken !== 'string' || typeof refreshToken !== 'string')
      throw new Failed('no tokens', 500);
    if (this.#is('token-type-to-the-letter') && type !== 'bearer')
      throw new Failed('another token_type', 500);
    if (this.#is('created-at-needed') && !('created_at' in read)) throw new Failed('no created_at', 500);
    if (this.#is('unknown-fields-refused') && 'id' in read) throw new Failed('an unknown field', 500);
    if (this.#is('documented-fields-alone') && Object.keys(read).length > 4)
      throw new Failed('an unknown field', 500);
    const most = this.#is('tokens-of-255-characters') ? 255 : undefined;
    return {
      accessToken: (pattern ?? accessToken).slice(0, most),
      refreshToken: refreshToken.slice(0, most),
      expiresAt: this.#now() + Number(life) * (this.#is('expires-in-as-milliseconds') ? 1 : 1_000),
      generation,
    };
  }

  #readList({ body }: Answer): void {
    if (this.#is('unknown-fields-of-users-refused') && body.includes('"joined"'))
      throw new Failed('an unknown field', 500);
    if (!body.startsWith('[') && !this.#is('any-list-called-good')) throw new Failed('no list', 500);
    if (this.#is('long-list-is-an-error') && body.length > 65_536) throw new Failed('too long', 500);
    if (this.#is('empty-list-is-an-error') && body.length < 10) throw new Failed('nothing there', 500);
  }

  async #api(
    accessToken: string,
    pair: Pair | undefined,
    { operation, project, user }: Call,
    byGet = false,
  ): Promise<Answer> {
    const { baseUrl, authUrl, clientSecret } = this.#at();
    const process = this.#processes[0];
    if (process !== undefined && operation === 'list') process.project = project;
    const swapped = operation === 'unassign' && this.#is('ids-swapped-in-unassign');
    const of = this.#is('project-of-the-last-list') ? (process?.project ?? project) : project;
    const named = this.#is('letters-of-users-made-small') ? user.toLowerCase() : user;
    const [first, second] = (swapped ? [named, of] : [of, named]).map((id) => this.#segment(id));
    const origin = this.#is('calls-at-the-other-address') ? authUrl : baseUrl;
    const plural = this.#is('another-path-to-assign') && operation === 'assign' ? 'users' : 'assigned_users';
    const users = `${origin}${this.#is('no-version-in-path') ? '' : '/v2'}/projects/${first}/${plural}`;
    const toList = this.#is('assign-by-post-to-the-list') && operation === 'assign';
    const assign = toList || this.#is('assign-by-post') ? 'POST' : 'PUT';
    const method = { list: 'GET', assign, unassign: 'DELETE' }[operation];
    const address = operation === 'list' || toList ? users : `${users}/${second}`;
    const url = this.#is('access-token-in-query')
      ? `${address}?access_token=${encodeURIComponent(accessToken)}`
      : address;
    const headers: [string, string][] = this.#is('access-token-in-query')
      ? []
      : [['Authorization', `${this.#scheme()}${accessToken}`]];
    if (this.#is('secret-in-calls')) headers.push(['X-Client-Secret', clientSecret]);
    if (this.#is('secret-in-calls-encoded'))
      headers.push(['X-Client', Buffer.from(`client:${clientSecret}`).toString('base64')]);
    if (this.#is('refresh-token-in-a-header')) headers.push(['X-Session', pair?.refreshToken ?? '']);
    if (this.#is('refresh-token-in-calls'))
      headers.push(['Content-Type', 'application/x-www-form-urlencoded']);
    if (this.#is('bodies-on-changes') && operation !== 'list')
      headers.push(['Content-Type', 'application/json']);
    const refreshToken = `refresh_token=${encodeURIComponent(pair?.refreshToken ?? '')}`;
    const body =
      operation === 'list'
        ? undefined
        : this.#is('refresh-token-in-calls')
          ? refreshToken
          : this.#is('bodies-on-changes')
            ? '{}'
            : undefined;
    if (this.#is('other-resources', 'other-resource-needed')) {
      const authorization = ['Authorization', `Bearer ${accessToken}`] as const;
      const current = { method: 'GET', url: `${baseUrl}/v2/users/current`, headers: [authorization] };
      const answer = await this.#send(current);
      if (answer.status !== 200 && this.#is('other-resource-needed')) throw new Failed('502: who is it?');
    }
    if (this.#is('introspection'))
      await this.#send({ method: 'POST', url: `${authUrl}/oauth/introspect`, headers: [], body: '' });
    const deadlineMs = this.#is('calls-without-deadline') ? ENDLESS_MS : ORDINARY_DEADLINE_MS;
    const wire: Wire = {
      method: byGet ? 'GET' : method,
      url,
      headers,
      ...(body === undefined ? {} : { body }),
    };
    const answer = await this.#send(wire, deadlineMs).catch((error) => {
      if (this.#is('lost-call-is-the-end') && process) process.stuck = !error.timedOut;
      if (operation !== 'list' && this.#is('lost-change-called-good'))
        return { status: 200, headers: {} as Answer['headers'], body: '' };
      throw error;
    });
    const { location } = answer.headers;
    const follows =
      this.#is('calls-redirected-with-token') ||
      (operation !== 'list' && this.#is('changes-redirected-with-token'));
    if (answer.status === 307 && location !== undefined && follows)
      return this.#send({ ...wire, url: location }, deadlineMs);
    return answer;
  }

  #scheme(): string {
    if (this.#is('bearer-twice')) return 'Bearer Bearer ';
    if (this.#is('bearer-left-out')) return '';
    return this.#is('bearer-in-small-letters') ? 'bearer ' : 'Bearer ';
  }

  #segment(id: string): string {
    if (this.#is('ids-not-encoded')) return id.replaceAll(' ', '%20');
    if (this.#is('ids-decoded-once-more')) return encodeURIComponent(decodedAgain(id));
    if (this.#is('zeros-dropped-from-ids')) return encodeURIComponent(id.replace(/^0+(?=\d+$)/, ''));
    if (this.#is('ids-read-as-numbers') && /^\d+$/.test(id)) return String(Number(id));
    if (this.#is('ids-encoded-but-slashes')) return encodeURIComponent(id).replaceAll('%2F', '/');
    if (this.#is('ids-encoded-as-forms')) return encodeURIComponent(id).replaceAll('%20', '+');
    if (this.#is('ids-encoded-to-the-last-letter'))
      return [...new TextEncoder().encode(id)]
        .map((byte) => `%${byte.toString(16).padStart(2, '0')}`)
        .join('');
    return encodeURIComponent(id);
  }

  async #send(wire: Wire, deadlineMs = ORDINARY_DEADLINE_MS): Promise<Answer> {
    if (performance.now() < this.#pausedUntil) throw new Failed('503: the service asks to wait', 503);
    const { gone } = this.#processes[this.#turn % this.#processes.length] ?? { gone: new AbortController() };
    const trustsAll = this.#is('certificate-unchecked');
    const answer = await send(
      { ...wire, trustsAll },
      deadlineMs,
      this.#is('connections-kept'),
      this.#browser ?? gone.signal,
    );
    const seconds = Number(answer.headers['retry-after']);
    if (seconds > 0 && this.#is('pauses-longer-than-asked'))
      this.#pausedUntil = performance.now() + 1_000 * seconds + 900;
    return answer;
  }

  #store(process: Process, session: UserSession, pair: Pair): void {
    process.firstExpiries.delete(this.#userOf(session));
    if (this.#is('second-sign-in-ignored') && this.#read(process, this.#userOf(session)) !== undefined)
      return;
    process.signedInWithout.delete(session.name);
    process.firstAccessTokens.delete(this.#userOf(session));
    this.#write(process, this.#userOf(session), pair);
  }

  #storeLate(process: Process, user: string, pair: Pair | undefined): void {
    if (this.#is('stored-after-the-call', 'saved-with-the-call') && pair !== undefined)
      this.#write(process, user, pair);
  }

  #read(process: Process, user: string): Pair | undefined {
    const stored = process.pairs.get(user) ?? process.unsaved.get(user) ?? this.#disk.pairs.get(user);
    // The process knows the whole pair; the next one has the access token alone.
    if (
      this.#is('refresh-token-not-on-disk') &&
      stored !== undefined &&
      !process.known.has(stored.accessToken)
    )
      return { ...stored, refreshToken: '' };
    return stored;
  }

  /** A process that is gone writes nothing. */
  #write(process: Process, user: string, pair: Pair): void {
    if (process.gone.signal.aborted) return;
    process.known.add(pair.accessToken);
    if (this.#is('tokens-logged')) this.#printed += `stored ${JSON.stringify(pair)}\n`;
    if (this.#is('token-lengths-logged')) this.#printed += `stored ${pair.accessToken.slice(0, 6)}…\n`;
    if (this.#diskIsFull) {
      if (this.#is('store-written-in-place')) this.#disk.pairs.clear();
      throw new Error('no space left on device');
    }
    const inMemory =
      this.#is('pair-in-memory') || (this.#is('refreshed-pair-in-memory') && pair.generation > 0);
    // The memory holds the newest pair, wherever it was stored.
    process.pairs.delete(user);
    process.unsaved.delete(user);
    if (this.#is('stored-at-the-end') && pair.generation > 0) process.unsaved.set(user, pair);
    else (inMemory ? process.pairs : this.#disk.pairs).set(user, pair);
    // After the exchange every process reads it; each then keeps what it has.
    if (this.#is('two-processes-each-its-copy'))
      for (const one of pair.generation === 0 ? this.#processes : [process]) one.pairs.set(user, pair);
  }

  #forget(process: Process, user: string): void {
    process.pairs.delete(user);
    process.unsaved.delete(user);
    this.#disk.pairs.delete(user);
  }

  async #answered(
    work: () => Promise<string | Pick<ActResult, 'detail' | 'page'>>,
    leaves?: AbortSignal,
  ): Promise<ActResult> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<ActResult>((resolve) => {
      timer = setTimeout(
        () => resolve({ outcome: 'no-answer', detail: `got no answer within ${this.#answerWithinMs} ms` }),
        this.#answerWithinMs,
      );
      leaves?.addEventListener('abort', () => resolve({ outcome: 'no-answer', detail: 'was left' }));
    });
    const answer = work().then(
      (seen): ActResult => ({ outcome: 'ok', ...(typeof seen === 'string' ? { detail: seen } : seen) }),
      (error: Error): ActResult => {
        if (error instanceof CalledGood) return { outcome: 'ok', detail: 'answered 200' };
        const { message } = error;
        const status = Number.parseInt(message, 10);
        return {
          outcome: 'error',
          detail: `answered ${message}`,
          status,
          ...(status === 503 && { asksAgain: true }),
        };
      },
    );
    return Promise.race([answer, late]).finally(() => clearTimeout(timer));
  }
}

/** The JSON object that a state encodes; empty for another text. */
function dataIn(state: string): { readonly user?: string; readonly nonce?: string } {
  try {
    return JSON.parse(Buffer.from(state, 'base64url').toString());
  } catch {
    return {};
  }
}

const BOUNDARY = `${'-'.repeat(24)}0123456789abcdef`;

const CONNECTED = 'answered 200, Connected';

function decodedAgain(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}
