import type { Catalogue } from '../../document/types.ts';
import type { SecretRegistry } from '../../http/secrets/registry.ts';
import type { AnswerView } from '../../http/to-evidence.ts';
import type { Fact } from '../../report/facts.ts';
import type { ExploredSequence } from '../../report/results.ts';
import { failingResult } from '../../report/results-of.ts';
import { emulatorToExplore } from '../../service/emulator.ts';
import type { Session } from '../../service/flow/session.ts';
import type { TargetChoice } from '../../service/open-target.ts';
import { type Exploration, type Explored, type ExploredFinding, explore } from '../explore/explore.ts';
import { type OpenFresh, openToExplore, unassignOwn } from '../explore/replay.ts';
import { type ReplayFile, replayFile } from '../explore/replay-file.ts';
import { describeStep, type Step, singleSteps } from '../explore/steps.ts';
import type { MonitoredSession } from '../monitor/attach.ts';
import type { ExplorePlan } from './prepare-target.ts';

export type Monitored = Extract<Fact, { kind: 'in-exchanges' }> & {
  readonly answerView: AnswerView | undefined;
};

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
  const { watched, session, close } = await openToExplore(
    await emulatorToExplore(choice.profile, choice.defects),
    secrets,
  );
  try {
    const fresh = async () =>
      openToExplore(await emulatorToExplore(choice.profile, choice.defects), secrets, watched.monitor.learnt);
    const explored = await exploredBy(watched, session, plan, fresh, { fresh, signal });
    const { examples } = watched.monitor;
    const endedEarly = plan.replays.flatMap((file) => projectElsewhere(file, watched)).at(0);
    return {
      explored: { endedEarly, ...explored },
      seen: { kind: 'in-exchanges', examples, findings: [], answerView: undefined },
    };
  } finally {
    await close();
  }
}

export async function exploreLive(
  watched: MonitoredSession,
  session: Session,
  plan: ExplorePlan,
  signal?: AbortSignal,
): Promise<ExploredRun> {
  const requests = requestsToExplore(plan, session.target.traffic);
  const here = async () => ({ watched, session, close: () => unassignOwn(watched, session) });
  const explored = await exploredBy(watched, session, { ...plan, requests }, here, { signal });
  const wanted = requests < plan.requests && { wanted: plan.requests };
  return { explored: { ...explored, ...wanted }, seen: undefined };
}

/** @param open opens the service on which the files are replayed */
async function exploredBy(
  watched: MonitoredSession,
  session: Session,
  plan: ExplorePlan,
  open: OpenFresh,
  more: Pick<Exploration, 'fresh' | 'signal'>,
): Promise<Explored> {
  const findings: ExploredFinding[] = [];
  for (const file of plan.replays) findings.push(...(await replayFile(file, open)));
  const { seed, requests } = plan;
  const explored =
    requests > 0
      ? await explore(watched, session, { ...plan, ...more })
      : { seed, requests, steps: 0, findings: [] };
  return { ...explored, findings: [...findings, ...explored.findings] };
}

/** Requests of a whole run on a live target by default, at most. */
const MOST_OF_A_RUN = 3_300;

/** Requests that exploration leaves for its last step, the clean-up and the last check of the service. */
const SPARED = 40;

/** Returns the requests that a run may still explore with. */
export function requestsToExplore(
  { requests, asBudgetAllows }: ExplorePlan,
  traffic: { readonly requestsLeft: number; readonly used: { readonly requests: number } } | undefined,
): number {
  if (!asBudgetAllows || traffic === undefined) return requests;
  const left = Math.min(traffic.requestsLeft, MOST_OF_A_RUN - traffic.used.requests);
  return Math.min(requests, Math.max(0, left - SPARED));
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

export function exploredFacts(
  { findings, seed }: Explored,
  catalogue: Catalogue,
  secrets: SecretRegistry,
): readonly Fact[] {
  return findings.filter(showsItsCause).map((finding) => {
    const { id, expected, got, steps, exchanges } = finding;
    const context = finding.context === undefined ? '' : `${finding.context}; `;
    const { level } = catalogue.requirement(id);
    const story = steps.map((step, index) => `${index + 1}. ${describeStep(step)}`);
    const lines = [
      `expected ${expected}; got ${got}, ${context}${howFound(finding, seed)}`,
      ...story,
      'A pair is the access token and the refresh token of one token response.',
    ];
    return {
      kind: 'explored',
      requirement: id,
      failure: {
        result: failingResult({ level }),
        reason: secrets.redact(lines.join('\n')),
        signature: secrets.redact(`expected ${expected}; got ${got}`),
      },
      sentence: `expected ${expected}; got ${got}, after ${steps.map(describeStep).join('; ')}`,
      exchanges,
    };
  });
}

/** False for an effect of assign or unassign that a service had already lost: its steps change nothing. */
function showsItsCause({ id, steps, again }: ExploredFinding): boolean {
  const isOfChange = /^(?:un)?assign\./.test(id);
  return !isOfChange || !again?.onSame || singleSteps(steps).some((step) => CHANGES.includes(step.do));
}

const CHANGES: readonly Step['do'][] = ['assign', 'unassign'];

/** @param counting the requirements that fail because of the sequences */
export function exploredSequences(
  { findings }: Explored,
  counting: ReadonlySet<string>,
): readonly ExploredSequence[] {
  return findings.map(({ id, expected, got, steps, rate, afterRequests, again, replayOf }) => ({
    requirement: id,
    counts: counting.has(id),
    expected,
    got,
    story: steps.map(describeStep),
    steps,
    rate,
    afterRequests,
    ...(again && { again: { shown: again.shown, of: again.of } }),
    ...(replayOf !== undefined && { replayOf }),
  }));
}

function howFound({ again, rate, replayOf }: ExploredFinding, seed: number): string {
  if (replayOf !== undefined) return `by the sequence of ${replayOf}; not in its own check`;
  const how = `by exploring (seed ${seed}); not in its own check`;
  if (again === undefined) return `${how}; not repeated, in ${rate.broken} of ${rate.examples} examples`;
  if (again.shown === 0)
    return `${how}; not reproduced in ${again.of} repetitions, seen in ${rate.broken} of ${rate.examples} examples. Before it`;
  const where = again.onSame ? ' on this service, after all that the run had sent before' : '';
  return `${how}; shown again ${again.shown} of ${again.of} times${where}`;
}
