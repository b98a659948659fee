import type { Session } from '../flow/session.ts';
import type { MonitoredSession } from '../monitor/attach.ts';
import type { MonitorFinding } from '../monitor/findings.ts';
import { Performer } from './perform.ts';
import type { Step } from './steps.ts';

export interface FreshService {
  readonly watched: MonitoredSession;
  readonly session: Session;
  close(): Promise<void>;
}

export type OpenFresh = () => Promise<FreshService>;

export async function replay(steps: readonly Step[], open: OpenFresh): Promise<readonly MonitorFinding[]> {
  const { watched, session, close } = await open();
  const { monitor } = watched;
  // Findings of the smoke flow do not belong to these steps.
  const before = monitor.findings.length;
  try {
    const performer = new Performer(watched, session);
    for (const [index, step] of steps.entries()) await performer.perform(step, stepName(index));
    monitor.end();
    return monitor.findings.slice(before);
  } finally {
    await close();
  }
}

export function stepName(index: number): string {
  return `step ${index + 1}`;
}
