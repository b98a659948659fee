/**
 * `npm run prove`: the proofs that take too long for `npm test`.
 * - Defects of second order: found by their own checks, by all exchanges of a run, and by exploring with twenty seeds.
 * - Healthy services: explored at length, without a finding.
 * - Defects of first order: every check, those of the page in a browser too, and all on the emulator as a live target.
 * - The tests that `npm test` leaves out.
 * - Real servers: the conforming settings conform, the others fail where they must.
 * - The packed package: installed and used with npm, pnpm and Yarn.
 * - The images: built and run.
 *
 * Exits 0 if everything holds, otherwise 1; 2 on wrong usage.
 */
import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { findBrowser } from '../src/service/agent/browser/find-browser.ts';
import { DEFECT_FACTS } from '../tests/proof/defects/index.ts';
import { type ExploreRow, exploreRow } from '../tests/proof/exploration/explore-defect.ts';
import { provenText, shortfalls } from '../tests/proof/exploration/text.ts';
import { ofThePage, problemsOf, runMatrix } from '../tests/proof/kill-matrix/matrix.ts';
import { matrixText } from '../tests/proof/kill-matrix/text.ts';
import { SECOND_ORDER_FACTS } from '../tests/proof/second-order/index.ts';
import { exploreHealthy, type HealthyTask, healthyTasks } from './prove/healthy.ts';
import { proveImages } from './prove/images.ts';
import { provePackage } from './prove/package.ts';
import { chooseSettings, proveServers } from './prove/servers.ts';

const USAGE = `npm run prove -- [options]
  --part <name>     only defects, healthy, matrix, weakenings, tests, servers, package or images (both need the network)
  --defect <ids>    only these defects of second order, separated by commas
  --seeds <n>       explorations of each defect (20)
  --steps <n>       steps of each exploration of a healthy service (20000)
  --profile <id>    base profile of the defects and of the matrix (by-the-rfc)
  --server <name>   only this server of the part servers
  --setting <name>  only this setting of its servers
  --conforming      only the settings that must conform
  --workers <n>     worker processes (one per core)
  --report <file>   where the rows go as JSON (report/prove.json)`;

const PARTS = ['defects', 'healthy', 'matrix', 'weakenings', 'tests', 'servers', 'package', 'images'];

/** The task of a worker. */
type Task =
  | { readonly kind: 'defect'; readonly id: string; readonly profile: string; readonly seeds: number }
  | { readonly kind: 'healthy'; readonly task: HealthyTask; readonly steps: number };

/** Its result. */
type Done =
  | { readonly kind: 'defect'; readonly row: ExploreRow }
  | { readonly kind: 'healthy'; readonly problems: readonly string[]; readonly steps: number };

async function work(task: Task): Promise<Done> {
  if (task.kind === 'healthy') return { kind: 'healthy', ...(await exploreHealthy(task.task, task.steps)) };
  const facts = SECOND_ORDER_FACTS.find(({ id }) => id === task.id);
  if (facts === undefined) throw new RangeError(`there is no defect of second order ${task.id}`);
  const seeds = Array.from({ length: task.seeds }, (_, index) => index + 1);
  return { kind: 'defect', row: await exploreRow(facts, task.profile, seeds) };
}

/** Runs tasks in worker processes, each taking the next when it has ended one. */
async function runAll(tasks: readonly Task[], workers: number): Promise<readonly Done[]> {
  const done: Done[] = [];
  const queue = [...tasks];
  const run = () =>
    new Promise<void>((resolve, reject) => {
      const child = fork(fileURLToPath(import.meta.url), ['--worker']);
      const next = () => {
        const task = queue.shift();
        if (task === undefined) child.disconnect();
        else child.send(task);
      };
      child.on('message', (message: Done) => {
        done.push(message);
        process.stderr.write(`${done.length} of ${tasks.length}\n`);
        next();
      });
      child.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`a worker ended with ${code}`))));
      next();
    });
  await Promise.all(Array.from({ length: Math.min(workers, tasks.length) }, run));
  return done;
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      part: { type: 'string' },
      defect: { type: 'string' },
      seeds: { type: 'string', default: '20' },
      steps: { type: 'string', default: '20000' },
      profile: { type: 'string', default: 'by-the-rfc' },
      server: { type: 'string' },
      setting: { type: 'string' },
      conforming: { type: 'boolean', default: false },
      workers: { type: 'string', default: String(availableParallelism()) },
      report: { type: 'string', default: 'report/prove.json' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    console.log(USAGE);
    return 0;
  }
  const { part, profile } = values;
  if (part !== undefined && !PARTS.includes(part))
    throw new RangeError(`--part: expected ${PARTS.join(', ')}, got ${part}`);
  const [seeds, steps, workers] = [values.seeds, values.steps, values.workers].map(wholeNumber);
  const wanted = values.defect?.split(',');
  const all = SECOND_ORDER_FACTS;
  const facts = all.filter(({ id }) => wanted === undefined || wanted.includes(id));
  const defects = part === undefined || part === 'defects' ? facts : [];
  const whole = wanted === undefined;
  const healthy = whole && (part === undefined || part === 'healthy') ? await healthyTasks() : [];
  const tasks: readonly Task[] = [
    ...defects.map(({ id }) => ({ kind: 'defect', id, profile, seeds: seeds ?? 20 }) as const),
    ...healthy.map((task) => ({ kind: 'healthy', task, steps: steps ?? 20_000 }) as const),
  ];
  const done = await runAll(tasks, workers ?? 1);
  const rows = done.flatMap((one) => (one.kind === 'defect' ? [one.row] : []));
  const found = done.flatMap((one) => (one.kind === 'healthy' ? one.problems : []));
  const walked = done.reduce((sum, one) => sum + (one.kind === 'healthy' ? one.steps : 0), 0);
  if (rows.length > 0) console.log(provenText(facts, rows));
  if (healthy.length > 0)
    console.log(`${healthy.length} healthy services, ${walked} steps: ${found.length} findings`);
  for (const problem of found) console.log(`  ${problem}`);
  if (rows.length > 0) {
    await mkdir('report', { recursive: true });
    await writeFile(values.report, `${JSON.stringify(rows, null, 1)}\n`);
  }
  const missing = whole && defects.length > 0 ? shortfalls(facts, rows) : [];
  for (const sentence of missing) console.log(`short: ${sentence}`);
  const matrix = whole && (part === undefined || part === 'matrix');
  const inexact = matrix ? await proveMatrix(profile, workers) : 0;
  const weakenings = whole && (part === undefined || part === 'weakenings');
  const unnoticed = weakenings && !(await proveWeakenings()) ? 1 : 0;
  const tests = whole && (part === undefined || part === 'tests');
  const failed = tests && !(await proveTests(workers)) ? 1 : 0;
  const served = whole && (part === undefined || part === 'servers');
  const wrong = served ? await proveServers(chooseSettings(values), workers) : [];
  for (const sentence of wrong) console.log(`servers: ${sentence}`);
  const packaged = whole && (part === undefined || part === 'package');
  const unfit = packaged ? await provePackage() : [];
  for (const sentence of unfit) console.log(`package: ${sentence}`);
  const imaged = whole && (part === undefined || part === 'images');
  const broken = imaged ? await proveImages() : [];
  for (const sentence of broken) console.log(`images: ${sentence}`);
  const some = matrix || weakenings || tests || served || packaged || imaged || done.length > 0;
  const sentences = [found, missing, wrong, unfit, broken].flat().length;
  return sentences + inexact + unnoticed + failed === 0 && some ? 0 : 1;
}

/** Leaves out every statement of the monitor in turn. Resolves to true if each was noticed. */
async function proveWeakenings(): Promise<boolean> {
  const script = fileURLToPath(new URL('weaken-monitor.ts', import.meta.url));
  const [code] = await once(spawn(process.execPath, [script], { stdio: 'inherit' }), 'close');
  return code === 0;
}

/** Runs the tests that `npm test` leaves out. Resolves to true if they passed. */
async function proveTests(workers = 1): Promise<boolean> {
  const runner = createRequire(import.meta.url).resolve('@playwright/test/cli');
  const options = ['--project=prove', `--workers=${workers}`, '--reporter=dot'];
  const child = spawn(process.execPath, [runner, 'test', ...options], { stdio: 'inherit' });
  const [code] = await once(child, 'close');
  return code === 0;
}

/** Runs the matrix with a browser, and as a live target. Returns the number of problems; a missing browser is one. */
async function proveMatrix(profile: string, workers = 1): Promise<number> {
  const browser = await findBrowser();
  const facts = DEFECT_FACTS;
  const matrix = await runMatrix(facts, {
    profile,
    workers,
    inBrowser: browser === undefined ? [] : ofThePage(facts),
    ...(browser?.executablePath === undefined ? {} : { executablePath: browser.executablePath }),
  });
  const live = await runMatrix(facts, { profile, workers, inBrowser: [], live: true });
  for (const one of [matrix, live]) console.log(matrixText(one));
  if (browser === undefined) console.log('short: there is no browser to run the defects of clause 4.1 in');
  return problemsOf(matrix).length + problemsOf(live).length + (browser === undefined ? 1 : 0);
}

function wholeNumber(text: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && number > 0) return number;
  throw new RangeError(`expected a whole number from 1, got ${text}`);
}

if (process.argv.includes('--worker')) {
  process.on('message', async (task: Task) => {
    process.send?.(await work(task));
  });
} else {
  try {
    process.exitCode = await main();
  } catch (error) {
    const usage =
      error instanceof RangeError || (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS');
    console.error(usage ? `${(error as Error).message}\n\n${USAGE}` : error);
    process.exitCode = usage ? 2 : 4;
  }
}
