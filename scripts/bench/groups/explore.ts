import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { explore } from '../../../src/evaluation/explore/explore.ts';
import { openToExplore } from '../../../src/evaluation/explore/replay.ts';
import type { MonitorEvent } from '../../../src/evaluation/monitor/events.ts';
import { Monitor } from '../../../src/evaluation/monitor/monitor.ts';
import type { MonitoredTarget } from '../../../src/evaluation/monitor/token-model.ts';
import { findBrowser } from '../../../src/service/agent/browser/find-browser.ts';
import { emulatorTarget, emulatorToExplore } from '../../../src/service/emulator.ts';
import { runWithoutBrowser } from '../../../tests/proof/kill-matrix/run-checks.ts';
import { type Group, ratioTarget } from '../figures.ts';
import { seconds } from './start.ts';

const ROUNDS = 3;

const REQUESTS = 1_000;

/** The monitors' largest share of a run, and the largest ratio with both. */
const MOST = { monitors: 0.03, both: 1.2 } as const;

const COMMAND = fileURLToPath(new URL('../../../scripts/legacy-conformance.js', import.meta.url));

/** Measures the cost of evaluating every exchange, and of exploring, in `check`. */
export async function exploreGroup(): Promise<Group> {
  const report = await mkdtemp(join(tmpdir(), 'legacy-conformance-bench-'));
  const path = (await findBrowser())?.executablePath;
  const rounds = { bare: [], whole: [], monitors: [], exploring: [] } as Record<string, number[]>;
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      const check = [COMMAND, 'check', '--report', report];
      rounds.bare?.push(await seconds([...check, '--explore', '0'], path));
      rounds.whole?.push(await seconds([...check, '--seed', String(round + 1)], path));
      rounds.monitors?.push(await monitorSeconds());
      rounds.exploring?.push(await exploringSeconds(round + 1));
    }
  } finally {
    await rm(report, { recursive: true, force: true });
  }
  const { bare = [], whole = [], monitors = [], exploring = [] } = rounds;
  const without = bare.map((value, index) => value - (monitors[index] ?? 0));
  return {
    name: 'explore',
    title: `What evaluating every exchange and exploring ${REQUESTS} requests add to a run, ${ROUNDS} rounds`,
    measurements: [
      { name: 'check --explore 0', unit: 's', rounds: bare },
      { name: 'check', unit: 's', rounds: whole, note: `explores ${REQUESTS} requests` },
      { name: 'monitors', unit: 's', rounds: monitors, note: 'the exchanges of all checks, evaluated again' },
      {
        name: 'exploring',
        unit: 's',
        rounds: exploring,
        note: `${REQUESTS} requests without sockets, nothing found`,
      },
    ],
    targets: [
      ratioTarget('at-most', MOST.monitors, 'monitors / check --explore 0', monitors, bare),
      ratioTarget('at-most', MOST.both, 'check / the same without both', whole, without),
    ],
  };
}

/** Seconds of a monitor for all exchanges of a run. */
async function monitorSeconds(): Promise<number> {
  const events: MonitorEvent[] = [];
  let about: MonitoredTarget | undefined;
  const target = await emulatorTarget({ profile: 'doorkeeper-5', defects: [], sockets: false });
  await runWithoutBrowser(target, undefined, (event, monitored) => {
    about = monitored;
    events.push(event);
  });
  if (about === undefined) throw new Error('no request was sent');
  const monitor = new Monitor(about);
  const begun = performance.now();
  for (const event of events) monitor.take(event);
  monitor.end();
  return (performance.now() - begun) / 1_000;
}

async function exploringSeconds(seed: number): Promise<number> {
  const { watched, session, close } = await openToExplore(await emulatorToExplore('doorkeeper-5', []));
  const begun = performance.now();
  await explore(watched, session, { seed, requests: REQUESTS, refusals: true });
  const taken = (performance.now() - begun) / 1_000;
  await close();
  return taken;
}
