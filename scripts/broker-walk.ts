import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { brokerAccess } from '../src/contracts/broker/access.ts';
import { Broker } from '../src/contracts/broker/hal-client.ts';
import { startBrokerDouble } from '../tests/support/broker-double/start.ts';
import { startLiveEmulator } from '../tests/support/emulator-live.ts';
import { Walker } from './broker-walk/walker.ts';

/**
 * Both sides of a broker, played with the emulator as the service and two consumers, in two environments: `npm run broker-walk`.
 * Every step is a command that an integrator's pipeline would run, and must end in the exit code that stands beside it; after each the
 * matrix is printed. Without `PACT_BROKER_BASE_URL` a broker double is started; with it the walk goes to that broker, with
 * names of its own (`legacy-conformance-walk-…`), which it refuses to take where they exist, and removes at the end.
 */

const USAGE = `npm run broker-walk -- [--name NAME] [--results FOLDER]
  --name     ends the names of the walk; else random
  --results  folder with the results.json of two checks of the emulator, conforms.json and broken.json; else they are made`;

const { values } = parseArgs({
  options: {
    name: { type: 'string', default: randomBytes(4).toString('hex') },
    results: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) console.log(USAGE);
else process.exitCode = await walk();

async function walk(): Promise<number> {
  const own = process.env.PACT_BROKER_BASE_URL ? undefined : await startBrokerDouble({ environments: [] });
  const folder = await mkdtemp(join(tmpdir(), 'broker-walk-'));
  const env = own === undefined ? process.env : { ...process.env, PACT_BROKER_BASE_URL: own.url };
  const { name, results } = values;
  const service = await startLiveEmulator(folder);
  const walker = new Walker(new Broker(brokerAccess(env)), { name, results, env, folder, service });
  try {
    const taken = await walker.taken();
    if (taken !== undefined) {
      console.error(`${taken} exists at the broker already: choose another --name`);
      return 2;
    }
    try {
      await walker.run();
      console.log('\nThe walk is complete.');
      return 0;
    } finally {
      await walker.remove();
    }
  } catch (error) {
    console.error(`\n${(error as Error).message}: the walk ends here`);
    return 1;
  } finally {
    await service.emulator.close();
    await rm(folder, { recursive: true, force: true });
    await own?.close();
  }
}
