import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type Group, type Measurement, median, ratioTarget } from '../figures.ts';
import { type Candidate, firstLine, type ReadyLine, startServer, stop } from '../server-process.ts';

const ROUNDS = 11;

const COMMAND = fileURLToPath(new URL('../../legacy-conformance.js', import.meta.url));

interface Start {
  readonly milliseconds: number;
  /** CPU time of the process until then, in milliseconds, if known. */
  readonly cpu?: number;
}

interface Way {
  readonly name: string;
  readonly note: string;
  start(): Promise<Start>;
}

const WAYS: readonly Way[] = [
  { name: 'bare', note: 'node:http', start: () => firstAnswerOf('bare') },
  { name: 'emulator', note: 'a script that calls startEmulator', start: () => firstAnswerOf('emulator') },
  {
    name: 'emulate command',
    note: 'legacy-conformance emulate --port 0 --api-port 0 --json',
    start: firstAnswerOfCommand,
  },
  {
    name: 'emulator, nothing cached',
    note: 'the very first start: its TypeScript is compiled',
    start: () => firstAnswerOf('emulator', { NODE_DISABLE_COMPILE_CACHE: '1' }),
  },
  { name: 'oauth2-mock-server', note: '', start: () => firstAnswerOf('oauth2-mock-server') },
  { name: 'oidc-provider', note: '', start: () => firstAnswerOf('oidc-provider') },
];

/**
 * From the start of the process to the first 200. Every script enables Node's compile cache; one round before the first fills it.
 */
export async function coldGroup(): Promise<Group> {
  const rounds = new Map<Way, Start[]>(WAYS.map((way) => [way, []]));
  for (const way of WAYS) await way.start();
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [way, starts] of rounds) starts.push(await way.start());
  }
  const of = (name: string) =>
    ([...rounds].find(([way]) => way.name === name)?.[1] ?? []).map(({ milliseconds }) => milliseconds);
  const emulator = of('emulator');
  return {
    name: 'cold',
    title: `Cold start: from the start of the process to its first answer, ${ROUNDS} rounds`,
    measurements: [...rounds].map(([way, starts]) => measurementOf(way, starts)),
    targets: [
      ratioTarget('at-most', 2.5, 'emulator / bare', emulator, of('bare')),
      ratioTarget('at-most', 1, 'emulator / oauth2-mock-server', emulator, of('oauth2-mock-server')),
      ratioTarget('at-most', 1, 'emulator / oidc-provider', emulator, of('oidc-provider')),
    ],
  };
}

function measurementOf({ name, note }: Way, starts: readonly Start[]): Measurement {
  const cpu = starts.flatMap((start) => start.cpu ?? []);
  const notes = [...(cpu.length > 0 ? [`CPU time ${median(cpu).toFixed(0)} ms`] : []), note];
  return {
    name,
    unit: 'ms',
    rounds: starts.map(({ milliseconds }) => milliseconds),
    note: notes.filter((text) => text !== '').join('; '),
  };
}

async function firstAnswerOf(candidate: Candidate, env: NodeJS.ProcessEnv = {}): Promise<Start> {
  const begun = performance.now();
  const server = await startServer(candidate, [], env);
  try {
    await firstAnswer(server.firstUrl, server.firstHeaders);
    const milliseconds = performance.now() - begun;
    return { milliseconds, cpu: (await server.usage()).cpuMicroseconds / 1000 };
  } finally {
    await server.stop();
  }
}

async function firstAnswerOfCommand(): Promise<Start> {
  const begun = performance.now();
  const args = [COMMAND, 'emulate', '--port', '0', '--api-port', '0', '--json'];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const { authUrl } = (await firstLine(child)) as { authUrl: string };
    await firstAnswer(`${authUrl}/`);
    return { milliseconds: performance.now() - begun };
  } finally {
    await stop(child);
  }
}

async function firstAnswer(url: string, headers: ReadyLine['firstHeaders'] = {}): Promise<void> {
  const response = await fetch(url, { headers: { ...headers, Connection: 'close' } });
  await response.text();
  if (response.status !== 200) throw new Error(`Expected 200 from ${url}, got ${response.status}.`);
}
