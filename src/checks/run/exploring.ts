import { type ClientsBeside, type Exploration, type Explored, explore } from '../../explore/explore.ts';
import { openToExplore } from '../../explore/open.ts';
import type { ReplayFile } from '../../explore/replay-file.ts';
import { replayed } from '../../explore/replayed.ts';
import { singleSteps } from '../../explore/steps.ts';
import { unassignOwn } from '../../explore/unassign-own.ts';
import type { Session } from '../../flow/session.ts';
import type { MonitoredSession } from '../../monitor/attach.ts';
import type { SecretRegistry } from '../../secrets/registry.ts';
import { openTargetToExplore, type TargetChoice } from '../../targets/open-target.ts';
import type { Monitored } from './monitored.ts';
import type { ExplorePlan } from './plan.ts';

export interface ExploredRun {
  readonly explored: Explored;
  readonly seen: Monitored | undefined;
}

export async function exploreEmulator(
  choice: TargetChoice,
  plan: ExplorePlan,
  secrets: SecretRegistry,
  signal?: AbortSignal,
): Promise<ExploredRun> {
  const { watched, session, close } = await openToExplore(await openTargetToExplore(choice), secrets);
  try {
    const fresh = async () =>
      openToExplore(await openTargetToExplore(choice), secrets, watched.monitor.learnt);
    const findings = [];
    for (const file of plan.replays) findings.push(...(await replayed(file, fresh)));
    const exploration: Exploration = {
      ...plan,
      allowed: { refusals: plan.refusals },
      fresh,
      ...(signal && { signal }),
    };
    const explored =
      plan.requests > 0 ? await explore(watched, session, exploration) : nothingExplored(plan.seed);
    const { examples } = watched.monitor;
    const seen = { kind: 'in-exchanges', examples, findings: [], bodyView: undefined } as const;
    const endedEarly = plan.replays.flatMap((file) => projectElsewhere(file, watched)).at(0);
    return {
      explored: { endedEarly, ...explored, findings: [...findings, ...explored.findings] },
      seen,
    };
  } finally {
    await close();
  }
}

export async function exploreLive(
  watched: MonitoredSession,
  session: Session,
  plan: ExplorePlan,
  others: ClientsBeside,
  signal?: AbortSignal,
): Promise<ExploredRun> {
  const findings = [];
  const requests = affordable(plan, session.target);
  let left: string | undefined;
  const close = async () => {
    left = await unassignOwn(watched, session);
  };
  for (const file of plan.replays)
    findings.push(...(await replayed(file, async () => ({ watched, session, close }))));
  const exploration: Exploration = {
    ...plan,
    requests,
    allowed: { refusals: plan.refusals },
    others,
    ...(signal && { signal }),
  };
  const explored = requests > 0 ? await explore(watched, session, exploration) : nothingExplored(plan.seed);
  return {
    explored: {
      left,
      ...explored,
      ...(requests < plan.requests && { wanted: plan.requests }),
      findings: [...findings, ...explored.findings],
    },
    seen: undefined,
  };
}

/** Requests that exploration leaves for its last step, the clean-up and the last check of the service. */
const SPARED = 40;

function affordable({ requests, asBudgetAllows }: ExplorePlan, { traffic }: Session['target']): number {
  if (!asBudgetAllows || traffic === undefined) return requests;
  return Math.min(requests, Math.max(0, traffic.requestsLeft - SPARED));
}

function nothingExplored(seed: number): Explored {
  return { seed, requests: 0, steps: 0, findings: [] };
}

function projectElsewhere({ name, steps }: ReplayFile, { monitor }: MonitoredSession): readonly string[] {
  const { projects, unknownProjects } = monitor.model.target;
  const known = [...projects, ...unknownProjects];
  const elsewhere = singleSteps(steps).find((step) => 'project' in step && !known.includes(step.project));
  return elsewhere === undefined || !('project' in elsewhere)
    ? []
    : [
        `${name} names project ${elsewhere.project}, which this service does not have (${projects.join(', ')})`,
      ];
}
