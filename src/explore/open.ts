import { connectWithoutBrowser } from '../flow/connect.ts';
import { runSmokeFlow } from '../flow/smoke-flow.ts';
import { attachMonitor } from '../monitor/attach.ts';
import type { MonitorEvent } from '../monitor/events.ts';
import type { Learnt } from '../monitor/monitor.ts';
import { SecretRegistry } from '../secrets/registry.ts';
import type { Target } from '../targets/target.ts';
import type { FreshService } from './replay.ts';

/**
 * Connects to a target without a browser, and walks through it once, so that it is known how it is talked to.
 *
 * @param learnt what a monitor has learnt of the same service
 * @param also is told whatever the monitor is told
 */
export async function openToExplore(
  target: Target,
  secrets: SecretRegistry = new SecretRegistry(),
  learnt?: Learnt,
  also?: (event: MonitorEvent) => void,
): Promise<FreshService> {
  const watched = attachMonitor(connectWithoutBrowser(target, secrets), learnt, also);
  const { requestStyle } = await runSmokeFlow(watched.session);
  // By the watched target: what was in doubt on the way there is not of the steps that follow.
  await watched.session.target.restoreAssignments?.();
  const session = { ...watched.session, requestStyle };
  return { watched, session, close: () => target.close() };
}
