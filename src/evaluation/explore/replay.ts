import { SecretRegistry } from '../../http/secrets/registry.ts';
import { CLEAN_UP_MS, cleanUpAfter } from '../../service/flow/clean-up.ts';
import { type Connection, connectWithoutBrowser } from '../../service/flow/connect.ts';
import { FlowSteps } from '../../service/flow/flow-steps.ts';
import { ServiceClient } from '../../service/flow/service-client.ts';
import { type Session, sessionUntil } from '../../service/flow/session.ts';
import { runSmokeFlow } from '../../service/flow/smoke-flow.ts';
import { ALL_SCOPES, type Target } from '../../service/target.ts';
import { attachMonitor, type MonitoredSession } from '../monitor/attach.ts';
import type { MonitorEvent } from '../monitor/events.ts';
import { type ExchangeFinding, type FindingName, isOfKind } from '../monitor/findings.ts';
import type { LearntBehaviour } from '../monitor/monitor.ts';
import { SORTED_SCOPES } from '../monitor/read-request.ts';
import { StepPerformer } from './step-performer.ts';
import { type Step, singleSteps } from './steps.ts';

export interface FreshService extends Connection {
  readonly watched: MonitoredSession;
}

export type OpenFresh = () => Promise<FreshService>;

/** Plays steps on a fresh service. @param after called after each step @returns what the monitor found */
export async function replay(
  steps: readonly Step[],
  open: OpenFresh,
  after?: (performer: StepPerformer, step: Step, index: number) => Promise<void>,
): Promise<readonly ExchangeFinding[]> {
  const { watched, session, close } = await open();
  const { monitor } = watched;
  // Findings of the smoke flow do not belong to these steps.
  const before = monitor.findings.length;
  try {
    const performer = new StepPerformer(watched, session);
    for (const [index, step] of steps.entries()) {
      await performer.perform(step, stepName(index));
      await after?.(performer, step, index);
    }
    monitor.end();
    return monitor.findings.slice(before);
  } finally {
    await close();
  }
}

export function stepName(index: number): string {
  return `step ${index + 1}`;
}

/**
 * Connects without a browser, and runs the smoke flow to learn the request style.
 * @param learnt a monitor's knowledge of the same service
 * @param also gets every event of the monitor
 */
export async function openToExplore(
  target: Target,
  secrets: SecretRegistry = new SecretRegistry(),
  learnt?: LearntBehaviour,
  also?: (event: MonitorEvent) => void,
): Promise<FreshService> {
  const watched = attachMonitor(connectWithoutBrowser(target, secrets), learnt, also);
  const { requestStyle } = await runSmokeFlow(watched.session);
  // Sent through the watched target, so that doubts of the smoke flow do not concern the steps that follow.
  await watched.session.target.restoreAssignments?.();
  const session = { ...watched.session, requestStyle };
  return { watched, session, close: () => target.close() };
}

/**
 * Finds the requirement to blame for a wrong list: replays the steps and, after each that touches a list, reads every project
 * with a token that has never listed. If that list is already wrong, the step is to blame; if it is right, the first reader got a
 * cached one. Undefined if the finding disappears when looking.
 */
export async function localize(
  finding: ExchangeFinding,
  steps: readonly Step[],
  open: OpenFresh,
): Promise<ExchangeFinding | undefined> {
  let readers = 0;
  const found = await replay(steps, open, async (performer, step, index) => {
    if (!singleSteps([step]).some((one) => 'project' in one)) return;
    readers += 1;
    const [code, pair] = [`reader's code ${readers}`, `reader's pair ${readers}`];
    const scope = ALL_SCOPES;
    await performer.perform({ do: 'authorize', as: code, application: 0, address: 0, scope }, 'a look');
    await performer.perform({ do: 'exchange', code, as: pair }, 'a look');
    for (const project of performer.projects)
      await performer.perform({ do: 'list', project, with: pair }, stepName(index));
  });
  return found.find((one) => isOfKind(one, finding));
}

export function isAboutLists({ kind, channel }: FindingName): boolean {
  return channel === undefined && (kind === 'listed' || kind === 'absent');
}

/**
 * Unassigns users whom the exploration may have left assigned, also after an abort; the end of the run tries again.
 * @param performer may have a token of all three scopes; a spent budget gives no other
 */
export async function unassignOwn(
  watched: MonitoredSession,
  session: Session,
  performer?: StepPerformer,
): Promise<void> {
  const { monitor } = watched;
  const { projects, users } = session.target;
  const own = projects.flatMap((project) => {
    const known = monitor.project(project);
    return users.filter((user) => known.valuesOf(user).has(true) && session.assignedByRun.has(project, user));
  });
  if (own.length === 0) return;
  const pairs = [...(performer?.named.pairs.values() ?? [])];
  const live = pairs.findLast(({ accessToken }) => {
    const pair = monitor.model.byAccess.get(accessToken);
    return pair?.scope === SORTED_SCOPES && monitor.model.stateOf(pair, watched.now()) === 'live';
  });
  const until = sessionUntil(session, AbortSignal.timeout(CLEAN_UP_MS));
  await cleanUpAfter(new FlowSteps(new ServiceClient(until), live?.accessToken));
}
