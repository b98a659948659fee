import type { MonitorFinding } from '../monitor/findings.ts';
import { Performer } from './perform.ts';
import { type OpenFresh, stepName } from './replay.ts';
import type { Step } from './steps.ts';

/**
 * Finds the requirement to blame for a wrong list: replays the steps and, after each that touches a list, reads every project
 * with a token that has never listed. If that list is already wrong, the step is to blame; if it is right, the first reader got a
 * cached one.
 *
 * @returns the finding as located; undefined if it disappears when looking
 */
export async function localize(
  finding: MonitorFinding,
  steps: readonly Step[],
  open: OpenFresh,
): Promise<MonitorFinding | undefined> {
  const { watched, session, close } = await open();
  const before = watched.monitor.findings.length;
  try {
    const performer = new Performer(watched, session);
    const { projects } = session.target;
    let readers = 0;
    for (const [index, step] of steps.entries()) {
      await performer.perform(step, stepName(index));
      if (!touchesList(step)) continue;
      readers += 1;
      const [code, pair] = [`reader's code ${readers}`, `reader's pair ${readers}`];
      const scope = 'read write destroy';
      await performer.perform({ do: 'authorize', as: code, application: 0, address: 0, scope }, 'a look');
      await performer.perform({ do: 'exchange', code, as: pair }, 'a look');
      for (const project of projects)
        await performer.perform({ do: 'list', project, with: pair }, stepName(index));
    }
    watched.monitor.end();
    return watched.monitor.findings.slice(before).find(({ kind }) => kind === finding.kind);
  } finally {
    await close();
  }
}

export function isAboutLists({ kind }: Pick<MonitorFinding, 'kind'>): boolean {
  return kind === 'listed' || kind === 'absent';
}

function touchesList(step: Step): boolean {
  if (step.do === 'at once') return step.steps.some(touchesList);
  return step.do === 'assign' || step.do === 'unassign' || step.do === 'list';
}
