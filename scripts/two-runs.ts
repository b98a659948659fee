/**
 * `npm run two-runs`: how often one of two runs on one project blames the service for what the other does. Starts both at nearly the
 * same time, which is where they see each other least, on an emulator of their own that is configured as a live target. Exits 0 with
 * figures, 2 on wrong usage.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { isAboutProjects } from '../src/monitor/attribution.ts';
import { startLiveEmulator } from '../tests/support/emulator-live.ts';
import { explorationOf } from '../tests/support/explore-live.ts';
import { judgeLive } from '../tests/support/judge-live.ts';
import type { WrittenConfiguration } from '../tests/support/live-config.ts';

const USAGE = `npm run two-runs -- [options]
  --kinds <a,b>   what the two do: check or explore (check,check)
  --pairs <n>     how many pairs of runs (20)
  --rate <n>      requests per second of each run (20)
  --apart <ms>    the second begins at a random moment within so many milliseconds (5000)`;

/** Whether a run blamed the service for who is assigned; `noticed`: it saw that it was not alone. */
type Ending = 'blames the service' | 'noticed' | 'unharmed';

const KINDS: Readonly<Record<string, (written: WrittenConfiguration, seed: number) => Promise<Ending>>> = {
  check: async (written) => {
    const { requirements, troubles } = await judgeLive(written, { only: ['assign', 'unassign', 'list'] });
    const failed = requirements.some(({ id, result }) => result === 'fail' && isAboutProjects(id));
    return ending(failed, troubles.length > 0);
  },
  explore: async (written, seed) => {
    const { exploration, everyExchange, troubles } = await explorationOf(written, { requests: 400, seed });
    const seen = everyExchange.flatMap(({ findings }) => findings).filter(({ uncertain }) => !uncertain);
    const failed = [...(exploration?.findings ?? []), ...seen].some(({ id }) => isAboutProjects(id));
    return ending(failed, troubles.length > 0);
  },
};

function ending(failed: boolean, noticed: boolean): Ending {
  if (failed) return 'blames the service';
  return noticed ? 'noticed' : 'unharmed';
}

function wrong(problem: string): never {
  console.error(`two-runs: ${problem}\n${USAGE}`);
  process.exit(2);
}

function numberOf(text: string, option: string): number {
  const number = Number(text);
  return Number.isInteger(number) && number > 0 ? number : wrong(`${option}: expected a number above 0`);
}

function options() {
  try {
    return parseArgs({
      options: {
        kinds: { type: 'string', default: 'check,check' },
        pairs: { type: 'string', default: '20' },
        rate: { type: 'string', default: '20' },
        apart: { type: 'string', default: '5000' },
      },
    }).values;
  } catch (error) {
    return wrong((error as Error).message);
  }
}

const values = options();
const kinds = values.kinds.split(',').map((name) => KINDS[name] ?? wrong(`--kinds: there is no ${name}`));
const [first = KINDS.check, second = first] = kinds;
const requestsPerSecond = numberOf(values.rate, '--rate');
const apart = numberOf(values.apart, '--apart');
const counts: Record<Ending, number> = { 'blames the service': 0, noticed: 0, unharmed: 0 };
for (let pair = 0; pair < numberOf(values.pairs, '--pairs'); pair += 1) {
  const directory = mkdtempSync(join(tmpdir(), 'two-runs-'));
  const live = await startLiveEmulator(directory, [], { pacing: { requestsPerSecond } });
  const later = new Promise((resolve) => setTimeout(resolve, Math.random() * apart));
  const endings = await Promise.all([
    first?.(live, 2 * pair + 1),
    later.then(() => second?.(live, 2 * pair + 2)),
  ]);
  for (const one of endings) if (one !== undefined) counts[one] += 1;
  await live.emulator.close();
  rmSync(directory, { recursive: true, force: true });
}
for (const [what, count] of Object.entries(counts)) console.log(`${String(count).padStart(4)}  ${what}`);
