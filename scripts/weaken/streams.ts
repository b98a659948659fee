import { loadDefects, loadSecondOrderDefects } from '../../src/catalogue/load-defects.ts';
import { explore } from '../../src/explore/explore.ts';
import { openToExplore } from '../../src/explore/open.ts';
import type { MonitorEvent } from '../../src/monitor/events.ts';
import type { MonitoredTarget } from '../../src/monitor/model.ts';
import { Monitor } from '../../src/monitor/monitor.ts';
import { emulatorToExplore } from '../../src/targets/emulator.ts';

/** What a monitor was told of one service, to be told to another monitor. */
export interface Stream {
  /** The profile, and the defect if any. */
  readonly name: string;
  readonly target: MonitoredTarget;
  readonly events: readonly MonitorEvent[];
  /** What was found: ids and kinds, sorted, each once. */
  readonly found: string;
}

/** Requests of an exploration of a defect, and of a healthy service. */
const REQUESTS = { defect: 700, healthy: 1_500 } as const;

const PROFILES = ['doorkeeper-4', 'doorkeeper-5', 'by-the-rfc', 'adversarial'] as const;

/** What monitors are told on healthy services and on every defect that exploration finds. */
export async function recordStreams(told: (done: number) => void): Promise<readonly Stream[]> {
  const streams: Stream[] = [];
  for (const profile of PROFILES) streams.push(await recorded(profile, [], REQUESTS.healthy));
  for (const { id } of [...loadSecondOrderDefects(), ...loadDefects()]) {
    const stream = await recorded('by-the-rfc', [id], REQUESTS.defect);
    if (stream.found !== '') streams.push(stream);
    told(streams.length);
  }
  return streams;
}

/** What a monitor finds that is told the same. */
export function foundBy(Kind: typeof Monitor, { target, events }: Pick<Stream, 'target' | 'events'>): string {
  const monitor = new Kind(target);
  for (const event of events) monitor.take(event);
  monitor.end();
  return [...new Set(monitor.findings.map(({ id, kind }) => `${id} (${kind})`))].sort().join(', ');
}

async function recorded(profile: string, defects: readonly string[], requests: number): Promise<Stream> {
  const events: MonitorEvent[] = [];
  const { watched, session, close } = await openToExplore(
    await emulatorToExplore(profile, defects),
    undefined,
    undefined,
    (event) => events.push(event),
  );
  try {
    const until = defects.length > 0 ? () => true : undefined;
    await explore(watched, session, {
      seed: 1,
      requests,
      allowed: { refusals: true },
      ...(until && { until }),
    });
  } finally {
    await close();
  }
  const { target } = watched.monitor.model;
  const name = [profile, ...defects].join(' ');
  return { name, target, events, found: foundBy(Monitor, { target, events }) };
}
