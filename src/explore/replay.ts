import type { Session } from '../flow/session.ts';
import type { MonitoredSession } from '../monitor/attach.ts';
import type { MonitorFinding } from '../monitor/tally.ts';
import { Performer } from './perform.ts';
import type { Step } from './steps.ts';

/** A service in its first state, of which every exchange is evaluated. */
export interface FreshService {
  readonly watched: MonitoredSession;
  /** The watched session, in the dialect that the target speaks. */
  readonly session: Session;
  close(): Promise<void>;
}

/** Starts the same service anew. */
export type OpenFresh = () => Promise<FreshService>;

/** Does a sequence on a fresh service, and tells what was found, each finding with the step that it was met in. */
export async function replay(steps: readonly Step[], open: OpenFresh): Promise<readonly MonitorFinding[]> {
  const { watched, session, close } = await open();
  const { monitor } = watched;
  // What was found on the way there is not of these steps.
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

/** `step 3`: what findings say they were met during. */
export function stepName(index: number): string {
  return `step ${index + 1}`;
}
