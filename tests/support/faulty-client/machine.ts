import type { ServiceSide, UserSession } from '../../../src/client-checks/drive/client-driver.ts';
import type { Received } from '../../../src/client-checks/evaluate/episode.ts';
import type { CookieJar } from '../../../src/service/agent/cookie-jar.ts';
import { Lists } from './lists.ts';
import { OpenStates } from './state.ts';
import type { Is } from './variations.ts';
import { type Answer, Failed, send, type Wire } from './wire.ts';

/** The stored pair of one user. Milliseconds since the epoch. */
export interface Pair {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly expiresAt: number;
  readonly generation: number;
}

export const ENDLESS_MS = 60_000;

/** One process of the application: its memory. */
export class Process {
  readonly machine: Machine;
  readonly is: Is;
  readonly states: OpenStates;
  /** Refreshes under way, by the key of their lock. */
  readonly refreshing: Map<string, Promise<Pair>>;
  readonly lists: Lists;
  readonly gone = new AbortController();
  readonly pairs = new Map<string, Pair>();
  /** Written to disk when the process is told to end. */
  readonly unsaved = new Map<string, Pair>();
  /** Access tokens that this process was given. */
  readonly known = new Set<string>();
  readonly verifiers = new Map<string, string>();
  readonly signedInWithout = new Set<string>();
  readonly firstAccessTokens = new Map<string, string>();
  readonly firstExpiries = new Map<string, number>();
  queue: Promise<unknown> = Promise.resolve();
  /** The calls of each browser, which wait for each other. */
  readonly queues = new Map<CookieJar, Promise<unknown>>();
  isStuck = false;
  /** The user of the last call, and the project of the last list. */
  caller = '';
  project = '';

  constructor(machine: Machine, states: OpenStates, refreshing: Map<string, Promise<Pair>>) {
    this.machine = machine;
    this.is = machine.is;
    this.states = states;
    this.refreshing = refreshing;
    this.lists = new Lists(machine.is);
  }
}

/** The machine on which the application runs: its disk, its clock, its network and its processes. */
export class Machine {
  readonly is: Is;
  /** Its time zone, behind UTC. */
  readonly zoneMs: number;
  readonly disk = { pairs: new Map<string, Pair>(), isFull: false, log: '' };
  /** Lock files of refreshes, by user, with the time of each. */
  readonly lockFiles = new Map<string, number>();
  /** Locks that several processes share, and the process that took one last. */
  readonly #locks = new Map<string, Promise<Pair>>();
  holder: Process | undefined;
  /** The refresh token that was replaced last. */
  replaced: string | undefined;
  processes: readonly Process[] = [];
  offsetMs = 0;
  bootedMs = 0;
  exchanging = 0;
  /** Ends the requests that are bound to a browser. */
  leaves: AbortSignal | undefined;
  readonly browsers: CookieJar[] = [];
  readonly received: Received[] = [];
  #service: ServiceSide | undefined;
  #turn = 0;
  #pausedUntil = 0;

  constructor(is: Is, zoneMs: number) {
    this.is = is;
    this.zoneMs = zoneMs;
  }

  get service(): ServiceSide {
    if (this.#service === undefined) throw new Error('started before it is used');
    return this.#service;
  }

  set service(service: ServiceSide) {
    this.#service = service;
  }

  boot(): void {
    this.bootedMs = this.now();
    const areTwo = this.is(
      'two-processes-one-store',
      'two-processes-each-its-copy',
      'two-processes-reading-before-the-lock',
    );
    const states = new OpenStates(this.is);
    const locks = areTwo ? this.#locks : new Map();
    this.processes = Array.from({ length: areTwo ? 2 : 1 }, () => new Process(this, states, locks));
  }

  /** Requests go to the processes in turn. */
  next(): Process {
    this.#turn += 1;
    return this.current;
  }

  get current(): Process {
    const process = this.processes[this.#turn % this.processes.length];
    if (process === undefined) throw new Error('started before it is used');
    return process;
  }

  now(): number {
    return Date.now() + this.offsetMs;
  }

  userOf({ name }: UserSession): string {
    return this.is('one-pair-for-all') ? 'the user' : name;
  }

  give({ name: session }: UserSession, type: string, text: string): void {
    this.received.push({ session, type, text });
  }

  /** The usual deadline is far longer than an answer takes on a busy machine. */
  async send(wire: Wire, deadlineMs = 4_000): Promise<Answer> {
    if (performance.now() < this.#pausedUntil) throw new Failed('503: the service asks to wait', 503);
    const answer = await send(
      { ...wire, trustsAll: this.is('certificate-unchecked') },
      deadlineMs,
      this.is('connections-kept'),
      this.leaves ?? this.current.gone.signal,
    );
    const seconds = Number(answer.headers['retry-after']);
    if (seconds > 0 && this.is('pauses-longer-than-asked'))
      this.#pausedUntil = performance.now() + 1_000 * seconds + 900;
    return answer;
  }
}
