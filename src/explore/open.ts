import { connectWithoutBrowser } from '../flow/connect.ts';
import { runSmokeFlow } from '../flow/smoke-flow.ts';
import { attachMonitor } from '../monitor/attach.ts';
import type { MonitorEvent } from '../monitor/events.ts';
import type { Learnt } from '../monitor/monitor.ts';
import { SecretRegistry } from '../secrets/registry.ts';
import type { Target } from '../targets/target.ts';
import type { FreshService } from './replay.ts';

/**
 * Connects to a target without a browser and runs the smoke flow once, to learn its request style.
 *
 * @param learnt a monitor's knowledge of the same service
 * @param also gets every event of the monitor
 */
export async function openToExplore(
  target: Target,
  secrets: SecretRegistry = new SecretRegistry(),
  learnt?: Learnt,
  also?: (event: MonitorEvent) => void,
): Promise<FreshService> {
  const watched = attachMonitor(connectWithoutBrowser(target, secrets), learnt, also);
  const { requestStyle } = await runSmokeFlow(watched.session);
  // Sent through the watched target, so that doubts of the smoke flow do not concern the steps that follow.
  await watched.session.target.restoreAssignments?.();
  const session = { ...watched.session, requestStyle };
  return { watched, session, close: () => target.close() };
}
