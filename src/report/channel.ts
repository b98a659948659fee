import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { RetirementNotice } from '../exchange/retirement.ts';
import type { Observation, RequirementResult, RunTrouble, TargetSummary, Used } from './results.ts';

/**
 * How the processes of a run tell the command what happened: one line of JSON a message, over a socket that only this
 * user can reach. Nothing goes through files: the messages carry the run's secrets, so that what is written can be
 * searched for them.
 */
export type RunMessage =
  | {
      readonly kind: 'result';
      readonly result: RequirementResult;
      readonly observations: readonly Observation[];
      readonly broken?: string;
    }
  | {
      readonly kind: 'secrets';
      readonly entries: readonly { readonly value: string; readonly label: string }[];
    }
  | { readonly kind: 'trouble'; readonly trouble: RunTrouble }
  | { readonly kind: 'not-finished'; readonly id: string; readonly reason: string }
  | { readonly kind: 'target'; readonly target: TargetSummary }
  | {
      readonly kind: 'retirement';
      readonly retired: boolean;
      readonly notices: readonly RetirementNotice[];
    }
  | { readonly kind: 'used'; readonly used: Used }
  | { readonly kind: 'seen'; readonly seen: SeenAtOpenPoints }
  | { readonly kind: 'waiting'; readonly secondsLeft: number }
  | { readonly kind: 'grants'; readonly page: number; readonly cookies: number };

/** What probes saw at the open points, aspects by both their names. */
export interface SeenAtOpenPoints {
  readonly answers: readonly (readonly [aspect: string, answer: unknown])[];
  readonly unseen: readonly (readonly [
    aspect: string,
    { readonly why: 'not-asked' | 'not-observable' | 'unheard'; readonly reason: string },
  ])[];
  readonly evidence: readonly (readonly [aspect: string, line: string])[];
}

/** The receiving end. */
export interface ChannelServer {
  /** What {@link openChannel} needs to reach it. */
  readonly address: string;
  /** Stops listening, after everything sent has been received. */
  close(): Promise<void>;
}

/** Listens for messages of a run's processes. */
export async function listenForRun(onMessage: (message: RunMessage) => void): Promise<ChannelServer> {
  const directory = await mkdtemp(join(folderForSockets(), 'legacy-conformance-'));
  const address =
    process.platform === 'win32'
      ? `\\\\.\\pipe\\${directory.split(/[\\/]/).at(-1)}`
      : join(directory, 'run.sock');
  const open = new Set<Promise<void>>();
  const server = createServer((socket) => {
    const drained = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    open.add(drained);
    createInterface({ input: socket }).on('line', (line) => onMessage(JSON.parse(line) as RunMessage));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(address, resolve);
  });
  return {
    address,
    close: async () => {
      await Promise.all(open);
      await new Promise<void>((resolve) => server.close(() => resolve()));
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** Longest path that a socket may have on every system that has them, in bytes; macOS allows the least. */
const LONGEST_SOCKET_PATH = 100;

/** The folder for temporary files, or the system's own where that one's path is too long for a socket in it. */
function folderForSockets(): string {
  const inside = '/legacy-conformance-xxxxxx/run.sock';
  const fits = Buffer.byteLength(tmpdir() + inside) <= LONGEST_SOCKET_PATH;
  return fits || process.platform === 'win32' ? tmpdir() : '/tmp';
}

/** The sending end. */
export interface Channel {
  send(message: RunMessage): void;
  /** Resolves when everything sent has been handed over. */
  close(): Promise<void>;
}

/** Connects to the command that started this run. */
export async function openChannel(address: string): Promise<Channel> {
  const socket = await new Promise<Socket>((resolve, reject) => {
    const connecting = connect(address);
    connecting.once('connect', () => resolve(connecting));
    connecting.once('error', reject);
  });
  return {
    send: (message) => {
      socket.write(`${JSON.stringify(message)}\n`);
    },
    close: () => new Promise((resolve) => socket.end(() => resolve())),
  };
}
