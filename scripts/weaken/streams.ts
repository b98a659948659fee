import type { RequirementId } from '../../generated/ids.ts';
import type { DefectFacts } from '../../src/emulator/defects/index.ts';
import { explore } from '../../src/evaluation/explore/explore.ts';
import { openToExplore } from '../../src/evaluation/explore/replay.ts';
import type { MonitorEvent } from '../../src/evaluation/monitor/events.ts';
import { Monitor } from '../../src/evaluation/monitor/monitor.ts';
import type { MonitoredTarget } from '../../src/evaluation/monitor/token-model.ts';
import type { Transport } from '../../src/http/exchange.ts';
import { emulatorTarget, emulatorToExplore } from '../../src/service/emulator.ts';
import { DEFECT_FACTS } from '../../tests/proof/defects/index.ts';
import { runWithoutBrowser } from '../../tests/proof/kill-matrix/run-checks.ts';
import { anyDefectsById, SECOND_ORDER_FACTS } from '../../tests/proof/second-order/index.ts';
import { INVARIANTS } from '../../tests/support/invariants.ts';
import { CASES } from '../../tests/support/monitoring/cases.ts';
import { Feed } from '../../tests/support/monitoring/feed.ts';
import { WRITTEN_WRONG } from './faults.ts';

/** The events of one service, to replay to another monitor. */
export interface Stream {
  /** The profile, with the fault if there is one. */
  readonly name: string;
  readonly target: MonitoredTarget;
  readonly events: readonly MonitorEvent[];
  /** The findings, and the number of examples of each requirement. */
  readonly found: string;
}

/** Requests of an exploration of a fault, and of a healthy service. */
const REQUESTS = { fault: 700, healthy: 1_500 } as const;

const PROFILES = ['doorkeeper-5', 'by-the-rfc', 'adversarial'] as const;
const PROFILE = 'by-the-rfc';

/** Events from the monitor's own tests, of aspects that the document leaves open and of others. */
export function writtenStreams(): readonly Stream[] {
  return Object.entries(CASES).flatMap(([name, [open, decided]]) =>
    [open, decided].map((write) => {
      const feed = new Feed();
      write(feed);
      return streamOf(name, feed.target, feed.events);
    }),
  );
}

/** Events of explorations of healthy services and of each fault, until it is found. */
export async function exploredStreams(): Promise<readonly Stream[]> {
  const streams: Stream[] = [];
  for (const profile of PROFILES) streams.push(await explored(profile, [], REQUESTS.healthy));
  for (const [name, fault] of Object.entries(WRITTEN_WRONG))
    streams.push({ ...(await explored(PROFILE, [], REQUESTS.fault, fault)), name });
  for (const { id } of [...SECOND_ORDER_FACTS, ...DEFECT_FACTS])
    streams.push(await explored(PROFILE, [id], REQUESTS.fault));
  return streams;
}

/** Events of all checks, on a healthy service and with one defect of each invariant. */
export async function* checkedStreams(): AsyncGenerator<Stream> {
  yield checked([]);
  const facts = DEFECT_FACTS;
  const chosen = new Set(INVARIANTS.flatMap((id) => breaking(facts, id)?.id ?? []));
  for (const id of chosen) yield checked([id]);
}

/** Returns the defect that breaks a requirement and the fewest others. */
function breaking(facts: readonly DefectFacts[], id: RequirementId): DefectFacts | undefined {
  const able = facts.filter(({ breaks }) => breaks.includes(id));
  return able.sort((a, b) => a.breaks.length - b.breaks.length)[0];
}

/** Returns the findings of a monitor for the same events. */
export function foundBy(Kind: typeof Monitor, { target, events }: Pick<Stream, 'target' | 'events'>): string {
  const monitor = new Kind(target);
  for (const event of events) monitor.take(event);
  monitor.end();
  const found = monitor.findings.map(({ id, kind }) => `${id} (${kind})`);
  const examples = [...monitor.examples].map(([id, count]) => `${id}: ${count}`);
  return JSON.stringify([found.sort(), examples.sort()]);
}

async function explored(
  profile: string,
  defects: readonly string[],
  requests: number,
  fault: (inner: Transport) => Transport = (inner) => inner,
): Promise<Stream> {
  const events: MonitorEvent[] = [];
  const target = await emulatorToExplore(profile, anyDefectsById(defects));
  const { watched, session, close } = await openToExplore(
    { ...target, transport: fault(target.transport) },
    undefined,
    undefined,
    (event) => events.push(event),
  );
  try {
    const until = defects.length > 0 ? { until: () => true } : {};
    await explore(watched, session, { seed: 1, requests, refusals: true, ...until });
  } finally {
    await close();
  }
  return streamOf([profile, ...defects].join(' '), watched.monitor.model.target, events);
}

async function checked(defects: readonly string[]): Promise<Stream> {
  const events: MonitorEvent[] = [];
  let monitored: MonitoredTarget | undefined;
  const target = await emulatorTarget({ profile: PROFILE, defects: anyDefectsById(defects), sockets: false });
  await runWithoutBrowser(target, undefined, (event, about) => {
    monitored = about;
    events.push(event);
  });
  if (monitored === undefined) throw new Error('no request was sent');
  return streamOf(['checks', PROFILE, ...defects].join(' '), monitored, events);
}

function streamOf(name: string, target: MonitoredTarget, events: readonly MonitorEvent[]): Stream {
  return { name, target, events, found: foundBy(Monitor, { target, events }) };
}
