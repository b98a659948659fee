/** Every verb and every import of the package, as an integrator's project tries them: in part by `npm test`, all by `npm run prove -- --part package`. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import type { Command } from 'commander';
import { samplePact } from '../broker-double/sample-pacts.ts';
import { startBrokerDouble } from '../broker-double/start.ts';
import { startFaultyService } from '../faulty-service/service.ts';

/** A verb that is tried: what follows `legacy-conformance`, how it ends, what it prints. */
export interface Tried {
  /** As the command line has it: `contracts verify`. */
  readonly verb: string;
  readonly args: readonly string[];
  /** 0 when left out. */
  readonly exit?: number;
  readonly prints: RegExp;
  /** It runs until it is stopped: it gets a SIGTERM once it has printed that. */
  readonly stopped?: true;
}

const LIVE = '--target conformance.config.json';

function tried(
  verb: string,
  args: string,
  prints: RegExp,
  more: Pick<Tried, 'exit' | 'stopped'> = {},
): Tried {
  return { verb, args: args.split(' ').filter((word) => word !== ''), prints, ...more };
}

/** The verbs that are tried, in an order in which each finds what it needs. `inTest`: they need no optional package, and seconds. */
export const TRIED: Readonly<Record<string, { readonly inTest: boolean; readonly verbs: readonly Tried[] }>> =
  {
    'of files': {
      inTest: true,
      verbs: [
        tried('check', '--only exchange.token-type-bearer --report out', /1 of 1 passed/),
        tried('compare', 'out/results.json out/results.json', /same|nothing|no difference/i),
        tried('replay', 'out --only exchange.token-type-bearer', /curl[\s\S]*1 of 1 passed/),
        tried('explain', '', /4\.2[\s\S]*\d+ requirements/),
        tried('contracts states', '', /./),
        tried('init', '', /conformance\.config\.mts/),
        tried('install-browser', '', /^found: \S+\n$/),
      ],
    },
    'of a service': {
      inTest: true,
      verbs: [
        tried('emulate', '--port 0 --api-port 0 --json', /"authUrl"/, { stopped: true }),
        tried('doctor', LIVE, /ok/),
        tried('sweep', LIVE, /./),
        // The configuration there reserves no user.
        tried('handover', `before ${LIVE}`, /handover: expected the reserved user/, { exit: 2 }),
        // There is no window here for anyone to sign in at.
        tried('sign-in', `--save ${LIVE}`, /signIn\.session|session/, { exit: 2 }),
        tried('observe', '--probe refresh-fate --out record.yaml', /profile: record\.yaml/),
        tried('explore', '--requests 60 --seed 1 --report explored', /60|exit 0/),
        tried('client', '-- node --version', /not-exercised|inconclusive/, { exit: 3 }),
      ],
    },
    'of a broker': {
      inTest: true,
      verbs: [
        tried(
          'contracts publish',
          'pacts --consumer-app-version 1.0.0 --branch main',
          /published as version 1\.0\.0/,
        ),
      ],
    },
    'of pacts': {
      inTest: false,
      verbs: [tried('contracts verify', '', /12 of 12/)],
    },
    'the whole check': { inTest: false, verbs: [tried('check', '', /conforms \(exit 0\)/)] },
  };

function verbsOf(program: Command, above = ''): readonly string[] {
  return program.commands.flatMap((one) => {
    const name = `${above}${one.name()}`;
    return one.commands.length === 0 ? [name] : verbsOf(one, `${name} `);
  });
}

/** The verbs that no project tries, and those that are tried and do not exist. */
export function notTried(program: Command): readonly string[] {
  const tried = new Set(Object.values(TRIED).flatMap(({ verbs }) => verbs.map(({ verb }) => verb)));
  const known = new Set(verbsOf(program));
  return [...[...known].filter((verb) => !tried.has(verb)), ...[...tried].filter((verb) => !known.has(verb))];
}

/** A CommonJS module that imports and requires every entry, holds it against `docs/development/interface.txt`, and uses it. */
export function importsModule(page: string, entries: readonly string[]): string {
  const declared = Object.fromEntries(
    entries.map((path) => [`legacy-api-conformance${path.slice(1)}`, valuesOf(page, path)] as const),
  );
  return `
(async () => {
  const problems = [];
  for (const [name, { declared, repeated }] of Object.entries(${JSON.stringify(declared)})) {
    const [imported, required] = [await import(name), require(name)];
    for (const one of declared)
      if (imported[one] === undefined || required[one] === undefined) problems.push(name + ' has no ' + one);
    for (const one of Object.keys(imported))
      if (one !== 'module.exports' && !declared.includes(one) && !repeated.includes(one)) problems.push(name + ' has ' + one + ', which is not declared');
  }
  const { startEmulator } = await import('legacy-api-conformance/emulator');
  const { check } = await import('legacy-api-conformance');
  const emulator = await startEmulator();
  if ((await fetch(emulator.authorizeUrl)).status !== 200) problems.push('the emulator has no page');
  await emulator.close();
  const { verdict } = await check('emulator', { only: ['exchange.code-single-use'] });
  if (verdict !== 'conforms') problems.push('check says ' + verdict);
  console.log(problems.length === 0 ? 'every import works' : problems.join('; '));
})();`;
}

/** The values that the interface says an entry has; of those that stand at another entry already it has the names alone, types among them. */
function valuesOf(page: string, path: string) {
  const head = `== legacy-api-conformance${path.slice(1)}\n`;
  if (!page.includes(head)) throw new Error(`docs/development/interface.txt has no section ${head}`);
  const [section = ''] = page.slice(page.indexOf(head) + head.length).split('\n== ');
  const names = (pattern: RegExp) => [...section.matchAll(pattern)].map(([, name = '']) => name);
  const own = names(/^export declare (?:abstract )?(?:function|const|class) (\w+)/gm);
  return {
    declared: section.includes('export default') ? [...own, 'default'] : own,
    repeated: names(/^(\w+): above$/gm),
  };
}

/** Files of a project that the verbs find: a service, a broker, pacts. */
export interface Places {
  readonly files: Readonly<Record<string, string>>;
  readonly env: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** Starts what the verbs need, for one project in `folder`: versions of the broker are published once. */
export async function openPlaces(folder: string): Promise<Places> {
  const [broker, service] = await Promise.all([startBrokerDouble(), startFaultyService()]);
  for (const name of ['legacy-authorization-server', 'legacy-resource-api'])
    broker.store.ensurePacticipant(name);
  const { env } = service.configure(folder);
  const [interaction] = samplePact().interactions;
  const pact = samplePact({ interactions: [{ ...interaction, response: { status: 401 } }] });
  return {
    files: { 'pacts/pact.json': JSON.stringify(pact) },
    env: { ...env, PACT_BROKER_BASE_URL: broker.url },
    close: async () => {
      await Promise.all([broker.close(), service.close()]);
    },
  };
}

export interface TriedEnd {
  readonly code: number | null;
  readonly output: string;
  /** It had to be ended. */
  readonly hangs: boolean;
}

/** Milliseconds after which a command of a project hangs. */
const LONGEST_MS = 180_000;

/** Runs a command without blocking this process, which has service and broker. `stoppedAt`: a SIGTERM once that is printed. */
export async function runInProject(
  [file = '', ...args]: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
  stoppedAt?: RegExp,
): Promise<TriedEnd> {
  const child: ChildProcess = spawn(file, args, {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own: what hangs is ended with all that it has started, which would keep the streams open.
    detached: true,
    env: {
      ...process.env,
      PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
      FORCE_COLOR: '0',
      PACT_DO_NOT_TRACK: 'true',
      GITHUB_STEP_SUMMARY: '',
      ...env,
    },
  });
  let output = '';
  let hangs = false;
  let stopped = false;
  const timer = setTimeout(() => {
    hangs = true;
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  }, LONGEST_MS);
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (stopped || !stoppedAt?.test(output)) return;
      stopped = true;
      child.kill('SIGTERM');
    });
  const [code] = await once(child, 'close');
  clearTimeout(timer);
  return { code, output, hangs };
}

/** The reason why a verb failed; undefined if it did not. */
export function triedProblem(
  { verb, exit = 0, prints }: Tried,
  { code, output, hangs }: TriedEnd,
): string | undefined {
  if (hangs) return `${verb} hangs: ${output.slice(-1_500)}`;
  if (code !== exit) return `${verb}: expected exit ${exit}, got ${code}: ${output.slice(-1_500)}`;
  return prints.test(output) ? undefined : `${verb}: expected ${prints}, got ${output.slice(-1_500)}`;
}

/** The command of a project as its `scripts` start it. */
export const commandIn = (folder: string) => join(folder, 'node_modules', '.bin', 'legacy-conformance');
