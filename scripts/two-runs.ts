/**
 * `npm run two-runs`: measures how often one of two runs on one project blames the service for the other's changes. Each pair has
 * its own emulator, configured as a live target. Exits 0 with a table, 2 on wrong usage.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { ConfigurationFile } from '../generated/schemas.d.ts';
import { checkLive } from '../tests/support/check-live.ts';
import { startLiveEmulator } from '../tests/support/emulator-live.ts';
import { explorationOf } from '../tests/support/explore-live.ts';
import { type GatewayHooks, startGateway } from '../tests/support/gateway.ts';
import type { WrittenConfiguration } from '../tests/support/live-config.ts';

const USAGE = `npm run two-runs -- [options]
  --kinds <a,b>       what the two do: check or explore (check,check)
  --services <a,b>    plain, one-user, old-lists, slow (all four)
  --apart <s,s>       seconds between the beginnings (0.2,1.5,5,30,120)
  --pairs <n>         pairs of runs for each (4)
  --together <n>      pairs that run at a time (8)
  --rate <n>          requests per second of each run (5)`;

/** `blames the service` for assignments; `noticed`: the run ended in 3. */
type Ending = 'blames the service' | 'noticed' | 'unharmed';

/** Few enough for a run on a service with a latency of seconds. */
const FEW = ['assign.adds-user', 'unassign.removes-user', 'list.returns-assigned'];

/** A run's configuration; `few` for a run of only a few requirements. */
type Written = WrittenConfiguration & { readonly few: boolean };

/** The requirements that a run failed; `noticed` if it ended in 3. */
interface Ended {
  readonly failed: readonly string[];
  readonly noticed: boolean;
}

const KINDS: Readonly<Record<string, (written: Written, seed: number) => Promise<Ended>>> = {
  check: async (written) => {
    const only = written.few ? FEW : ['assign', 'unassign', 'list'];
    const { requirements, troubles } = await checkLive(written, { only });
    const failed = requirements.filter(({ result }) => result === 'fail').map(({ id }) => id);
    return { failed, noticed: troubles.length > 0 };
  },
  explore: async (written, seed) => {
    const { exploration, everyExchange, troubles } = await explorationOf(written, { requests: 300, seed });
    const seen = everyExchange.flatMap(({ findings }) => findings).filter(({ uncertain }) => !uncertain);
    const failed = [...(exploration?.findings ?? []), ...seen]
      .map(({ id }) => id)
      .filter((id) => /^(?:assign|unassign|list)\./.test(id));
    return { failed, noticed: troubles.length > 0 };
  },
};

/** The layers between the runs and the emulator, and the runs' configuration. */
interface Service {
  readonly hooks?: () => GatewayHooks;
  readonly change?: (file: ConfigurationFile) => Partial<ConfigurationFile>;
}

const SERVICES: Readonly<Record<string, Service>> = {
  plain: {},
  'one-user': {
    change: ({ projects, users }) => ({
      projects: projects.slice(0, 1) as typeof projects,
      users: users.slice(0, 1) as typeof users,
    }),
  },
  'old-lists': { hooks: () => oldLists(5_000) },
  slow: { hooks: () => ({ after: () => wait(5_000) }), change: () => ({ pacing: { deadlineMs: 20_000 } }) },
};

/** Serves lists from some milliseconds ago. */
function oldLists(ms: number): GatewayHooks {
  const kept = new Map<string, { readonly at: number; readonly body: string }[]>();
  return {
    instead: ({ method, path }, { status, body }) => {
      if (method !== 'GET' || !path.endsWith('/assigned_users') || status !== 200) return undefined;
      const lists = kept.get(path) ?? [];
      const newest = lists.at(-1);
      if (newest !== undefined && Date.now() - newest.at < ms) return { status, body: newest.body };
      kept.set(path, [{ at: Date.now(), body }]);
      return undefined;
    },
  };
}

/** @param alone requirements that a run fails without another one: stale lists are the service's fault */
function endingOf({ failed, noticed }: Ended, alone: readonly string[]): Ending {
  if (failed.some((id) => !alone.includes(id))) return 'blames the service';
  return noticed ? 'noticed' : 'unharmed';
}

function wrong(problem: string): never {
  console.error(`two-runs: ${problem}\n${USAGE}`);
  process.exit(2);
}

function numberOf(text: string, option: string): number {
  const number = Number(text);
  return number > 0 ? number : wrong(`${option}: expected a number above 0`);
}

function options() {
  try {
    return parseArgs({
      options: {
        kinds: { type: 'string', default: 'check,check' },
        services: { type: 'string', default: Object.keys(SERVICES).join() },
        apart: { type: 'string', default: '0.2,1.5,5,30,120' },
        pairs: { type: 'string', default: '4' },
        together: { type: 'string', default: '8' },
        rate: { type: 'string', default: '5' },
      },
    }).values;
  } catch (error) {
    return wrong((error as Error).message);
  }
}

const values = options();
const [first = 'check', second = first] = values.kinds.split(',');
const requestsPerSecond = numberOf(values.rate, '--rate');
const rows = values.services.split(',').flatMap((service) =>
  values.apart.split(',').map((apart) => ({
    service,
    apart: numberOf(apart, '--apart'),
    counts: { 'blames the service': 0, noticed: 0, unharmed: 0 } as Record<Ending, number>,
  })),
);
const pairs = rows.flatMap((row) => Array.from({ length: numberOf(values.pairs, '--pairs') }, () => row));

async function at<T>(service: string, work: (written: Written) => Promise<T>): Promise<T> {
  const { hooks, change } = SERVICES[service] ?? wrong(`--services: there is no ${service}`);
  const directory = mkdtempSync(join(tmpdir(), 'two-runs-'));
  const live = await startLiveEmulator(directory);
  const gateway = hooks && (await startGateway(live.emulator.baseUrl, hooks()));
  const file = JSON.parse(readFileSync(live.file, 'utf8')) as ConfigurationFile;
  const own = change?.(file) ?? {};
  const pacing = { requestsPerSecond, ...own.pacing };
  const baseUrl = gateway?.url ?? file.baseUrl;
  writeFileSync(live.file, JSON.stringify({ ...file, ...own, baseUrl, pacing }));
  const done = await work({ file: live.file, env: live.env, few: service === 'slow' });
  await gateway?.close();
  await live.emulator.close();
  rmSync(directory, { recursive: true, force: true });
  return done;
}

const kindOf = (name: string) => KINDS[name] ?? wrong('--kinds: expected check or explore');
const [one, other] = [kindOf(first), kindOf(second)];
const services = values.services.split(',');
const alone = new Map(
  await Promise.all(
    services.map(
      async (service) => [service, (await at(service, (written) => one(written, 0))).failed] as const,
    ),
  ),
);

async function pair({ service, apart, counts }: (typeof rows)[number], seed: number): Promise<void> {
  const ends = await at(service, (written) =>
    Promise.all([one(written, 2 * seed + 1), wait(apart * 1_000).then(() => other(written, 2 * seed + 2))]),
  );
  for (const end of ends) counts[endingOf(end, alone.get(service) ?? [])] += 1;
}

const queue = [...pairs.entries()];
const worker = async () => {
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) await pair(next[1], next[0]);
};
await Promise.all(Array.from({ length: numberOf(values.together, '--together') }, worker));
console.log('service     apart  blames the service  noticed  unharmed');
for (const { service, apart, counts } of rows) {
  const cells = [
    service.padEnd(10),
    `${apart} s`.padStart(6),
    `${counts['blames the service']}`.padStart(19),
  ];
  console.log([...cells, `${counts.noticed}`.padStart(8), `${counts.unharmed}`.padStart(9)].join(' '));
}
