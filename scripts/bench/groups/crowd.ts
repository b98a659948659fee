import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Group, type Measurement, median, ratioTarget } from '../figures.ts';
import { firstLine, stop } from '../server-process.ts';

const ROUNDS = 3;

const COMMAND = fileURLToPath(new URL('../../legacy-conformance.js', import.meta.url));
const SERVER = fileURLToPath(new URL('../servers/crowded-service.ts', import.meta.url));

/** Writes the process's resource usage to a file when it ends. */
const USAGE = `data:text/javascript,import { writeFileSync } from 'node:fs';
process.on('exit', () => writeFileSync(process.env.BENCH_USAGE, JSON.stringify(process.resourceUsage())));`;

interface Run {
  readonly seconds: number;
  /** Of the suite's process. */
  readonly cpuSeconds: number;
  readonly megabytes: number;
}

/** A run of `check` on a service that has 10,000 users in a project, against one on the same service with two. */
export async function crowdGroup(): Promise<Group> {
  await checked(2);
  const [few, many]: [Run[], Run[]] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    few.push(await checked(2));
    many.push(await checked(10_000));
  }
  const measurement = (users: string, runs: readonly Run[]): Measurement[] => [
    {
      name: `check, ${users} users`,
      unit: 's',
      rounds: runs.map(({ seconds }) => seconds),
      note: `CPU time of the suite ${median(runs.map(({ cpuSeconds }) => cpuSeconds)).toFixed(1)} s`,
    },
    { name: `check, ${users} users`, unit: 'MB', rounds: runs.map(({ megabytes }) => megabytes) },
  ];
  const of = (runs: readonly Run[], figure: keyof Run) => runs.map((run) => run[figure]);
  return {
    name: 'crowd',
    title: `Users: a run on a live target, ${ROUNDS} rounds`,
    measurements: [...measurement('2', few), ...measurement('10,000', many)],
    targets: [
      ratioTarget('at-most', 1.5, 'time: 10,000 users / 2', of(many, 'seconds'), of(few, 'seconds')),
      {
        name: 'memory: 10,000 users',
        kind: 'at-most',
        limit: 300,
        unit: 'MB',
        rounds: of(many, 'megabytes'),
      },
    ],
  };
}

async function checked(users: number): Promise<Run> {
  const folder = await mkdtemp(join(tmpdir(), 'legacy-conformance-bench-'));
  const server = spawn(process.execPath, [SERVER, folder, String(users)], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  try {
    const env = (await firstLine(server)) as NodeJS.ProcessEnv;
    const usage = join(folder, 'usage.json');
    const check = ['check', '--target', join(folder, 'conformance.config.json')];
    // With the option of the command's first line.
    const args = ['--max-semi-space-size=8', '--import', USAGE, COMMAND, ...check];
    const begun = performance.now();
    const child = spawn(process.execPath, [...args, '--report', join(folder, 'report'), '--quiet'], {
      env: { ...process.env, ...env, BENCH_USAGE: usage },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const code = await new Promise((resolve) => child.once('close', resolve));
    const seconds = (performance.now() - begun) / 1_000;
    if (code !== 0) throw new Error(`Expected exit 0 from check with ${users} users, got ${code}.`);
    const { maxRSS, userCPUTime, systemCPUTime } = JSON.parse(await readFile(usage, 'utf8'));
    return { seconds, cpuSeconds: (userCPUTime + systemCPUTime) / 1e6, megabytes: maxRSS / 1e3 };
  } finally {
    await stop(server);
    await rm(folder, { recursive: true, force: true });
  }
}
