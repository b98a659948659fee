import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { AUTHORIZATION_SERVER, RESOURCE_API } from '../src/contracts/providers.ts';
import { startBrokerDouble } from '../tests/support/broker-double/start.ts';

/**
 * The whole way from a consumer's pact to its deployment, with the reference client as consumer and the emulator as
 * service: `npm run broker-walk`. Every step is a command that an integrator's pipeline would run; each must end in the exit
 * code that stands beside it.
 *
 * Without `PACT_BROKER_BASE_URL` a broker double is started for it; with it the walk goes to that broker, which must have
 * the environment (`--environment`, else `production`).
 */

const USAGE =
  'npm run broker-walk -- [--environment NAME] [--version-number VERSION] [--results results.json]';
const COMMAND = fileURLToPath(new URL('./legacy-conformance.js', import.meta.url));
const CONSUMER = 'legacy-api-reference-client';

/** One command and how it must end. */
interface Step {
  readonly what: string;
  readonly args: readonly string[];
  readonly exits: readonly number[];
}

const { values } = parseArgs({
  options: {
    environment: { type: 'string', default: 'production' },
    'version-number': { type: 'string', default: `walk-${Date.now()}` },
    results: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) console.log(USAGE);
else process.exitCode = await walk();

async function walk(): Promise<number> {
  const own = process.env.PACT_BROKER_BASE_URL ? undefined : await startBrokerDouble();
  const folder = await mkdtemp(join(tmpdir(), 'broker-walk-'));
  const env = own === undefined ? process.env : { ...process.env, PACT_BROKER_BASE_URL: own.url };
  try {
    for (const { what, args, exits } of steps(folder, own !== undefined)) {
      console.log(`\n# ${what}\n$ legacy-conformance ${args.join(' ')}`);
      const code = await run(args, env);
      if (code !== null && exits.includes(code)) continue;
      console.error(`\nexpected exit ${exits.join(' or ')}, got ${code}: the walk ends here`);
      return 1;
    }
    console.log('\nThe walk is complete.');
    return 0;
  } finally {
    await rm(folder, { recursive: true, force: true });
    await own?.close();
  }
}

/** @param fresh whether the broker has seen nothing yet */
function steps(folder: string, fresh: boolean): readonly Step[] {
  const { environment, 'version-number': version } = values;
  const results = values.results ?? join(folder, 'results.json');
  const consumer = ['--pacticipant', CONSUMER, '--version-number', version];
  const ask = ['contracts', 'can-i-deploy', ...consumer, '--to-environment', environment];
  const recorded = (provider: string): Step => ({
    what: `The service runs in ${environment}: its version there is what it was seen to do`,
    args: [
      'contracts',
      'record-deployment',
      '--pacticipant',
      provider,
      '--environment',
      environment,
      '--results',
      results,
    ],
    exits: [0],
  });
  const check: Step = {
    what: 'What does the service do? Its version is derived from it',
    args: ['check', '--report', folder],
    exits: [0],
  };
  return [
    ...(values.results === undefined ? [check] : []),
    {
      what: 'The consumer publishes what it relies on',
      args: ['contracts', 'publish', '--version-number', version, '--branch', 'main'],
      exits: [0],
    },
    {
      what: 'Nobody has verified it yet, so nobody can say',
      args: ask,
      // A broker that has seen this very pact verified before knows the answer at once.
      exits: fresh ? [3] : [3, 0],
    },
    {
      what: 'The pacts are taken from the broker and verified, and the broker is told',
      args: ['contracts', 'verify', '--broker', '--publish', '--results', results],
      exits: [0],
    },
    recorded(AUTHORIZATION_SERVER),
    recorded(RESOURCE_API),
    { what: 'Now the consumer may be deployed', args: ask, exits: [0] },
    {
      what: 'It was deployed',
      args: ['contracts', 'record-deployment', ...consumer, '--environment', environment],
      exits: [0],
    },
  ];
}

function run(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number | null> {
  const child = spawn(process.execPath, [COMMAND, ...args], { stdio: ['ignore', 'inherit', 'inherit'], env });
  return new Promise((resolve) => child.once('close', resolve));
}
