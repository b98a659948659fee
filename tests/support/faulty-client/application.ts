import { setTimeout as pause } from 'node:timers/promises';
import type {
  Call,
  Connected,
  ServiceSide,
  UserSession,
} from '../../../src/client-checks/drive/client-driver.ts';
import type { ClientDriver } from '../../../src/client-checks/drive/configured-driver.ts';
import type { ActResult, Received } from '../../../src/client-checks/evaluate/episode.ts';
import { answerCall } from './calls.ts';
import type { VariationId } from './faults.ts';
import { Machine } from './machine.ts';
import { readPair } from './pair-store.ts';
import { refreshNow } from './refresh.ts';
import { receive, signIn } from './sign-in.ts';
import { CalledGood } from './wire.ts';

/** An in-process client with one variation switched on. What is sound in it follows the reference client. */
export class Application implements ClientDriver {
  readonly redirectUri = 'http://127.0.0.1:8790/callback';
  readonly manySessions = true;
  readonly manyUsers = true;
  readonly operations = ['list', 'assign', 'unassign'] as const;
  readonly otherHost = 'localhost';
  readonly #machine: Machine;
  readonly #answerWithinMs: number;

  /** `zoneHours`: of its time zone behind UTC; `answerWithinMs`: deadline of the requests that wait for it. */
  constructor(variations: VariationId | readonly VariationId[], zoneHours = 0, answerWithinMs = 9_500) {
    const switchedOn = [variations].flat();
    this.#machine = new Machine(
      (...ids) => switchedOn.some((one) => ids.includes(one)),
      zoneHours * 3_600_000,
    );
    this.#answerWithinMs = answerWithinMs;
  }

  named(): readonly ('project' | 'user')[] {
    return this.#machine.is('project-configured', 'ids-written-down') ? [] : ['project', 'user'];
  }

  async start(service: ServiceSide): Promise<void> {
    const machine = this.#machine;
    machine.service = service;
    this.#boot();
    const url = `${service.authUrl}/.well-known/oauth-authorization-server`;
    if (machine.is('discovery'))
      await machine.send({ method: 'GET', url, headers: [] }).catch(() => undefined);
  }

  #boot(): void {
    const machine = this.#machine;
    machine.boot();
    if (!machine.is('refreshed-by-each-worker-at-start')) return;
    for (const worker of [1, 2, 3])
      for (const [user, pair] of machine.disk.pairs)
        for (const process of machine.processes)
          pause(worker * 20)
            .then(() => refreshNow(process, user, pair))
            .catch(() => undefined);
  }

  async stop(): Promise<void> {
    for (const { gone } of this.#machine.processes) gone.abort();
  }

  async restart(mostBlocks?: number): Promise<void> {
    const { disk, processes } = this.#machine;
    disk.isFull = mostBlocks !== undefined;
    for (const { unsaved } of processes) for (const [user, pair] of unsaved) disk.pairs.set(user, pair);
    await this.kill();
  }

  async kill(): Promise<void> {
    await this.stop();
    this.#boot();
  }

  moveClock(seconds: number): void {
    this.#machine.offsetMs += seconds * 1_000;
  }

  output(): string {
    return this.#machine.disk.log;
  }

  received(): readonly Received[] {
    return this.#machine.received;
  }

  async look(session: UserSession): Promise<void> {
    const machine = this.#machine;
    const process = machine.next();
    if (machine.is('one-worker', 'one-worker-without-a-lock')) await process.queue;
    const pair = readPair(process, machine.userOf(session));
    if (machine.is('token-on-the-first-page'))
      machine.give(session, 'text/html', `token: ${pair?.accessToken}`);
  }

  async connect(session: UserSession): Promise<Connected> {
    return signIn(this.#machine.next(), session);
  }

  async callback(session: UserSession, address: string): Promise<ActResult> {
    const { is } = this.#machine;
    const keptBack = session.jar.keptBack(this.redirectUri);
    if (keptBack.length > 0) return { outcome: 'error', detail: 'answered 400', keptBack };
    const url = new URL(address);
    const isDenial = url.searchParams.has('error');
    const seen = await this.#answered(receive(this.#machine.next(), session, url));
    if (isDenial && is('denial-leads-back'))
      return { outcome: 'ok', detail: 'answered 302', leadsBack: true };
    if (!isDenial && seen.outcome === 'error' && is('failed-exchange-cuts-the-connection'))
      return { outcome: 'error', detail: 'got no answer: the connection was cut', isCut: true };
    return seen;
  }

  async call(session: UserSession, asked: Call): Promise<ActResult> {
    const machine = this.#machine;
    machine.leaves = machine.is('refresh-bound-to-the-browser') ? session.leaves : undefined;
    return this.#answered(answerCall(machine.next(), session, asked), session.leaves);
  }

  async #answered(work: Promise<Omit<ActResult, 'outcome'>>, leaves?: AbortSignal): Promise<ActResult> {
    const withinMs = this.#answerWithinMs;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<ActResult>((resolve) => {
      const detail = `got no answer within ${withinMs} ms`;
      timer = setTimeout(() => resolve({ outcome: 'no-answer', detail }), withinMs);
      leaves?.addEventListener('abort', () => resolve({ outcome: 'no-answer', detail: 'was left' }));
    });
    const seen = work.then((shown): ActResult => ({ outcome: 'ok', ...shown }), failed);
    return Promise.race([seen, late]).finally(() => clearTimeout(timer));
  }
}

function failed(error: Error): ActResult {
  if (error instanceof CalledGood) return { outcome: 'ok', detail: 'answered 200' };
  const status = Number.parseInt(error.message, 10);
  return {
    outcome: 'error',
    detail: `answered ${error.message}`,
    status,
    ...(status === 503 && { asksAgain: true }),
  };
}
