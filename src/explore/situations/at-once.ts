import type { Script } from '../script.ts';
import type { SingleStep } from '../steps.ts';
import { OPERATION_MEETINGS } from './operation-meetings.ts';
import { type Meeting, RIGHTFUL_MEETINGS, RISKY_MEETINGS } from './token-meetings.ts';

const RIGHTFUL = [...OPERATION_MEETINGS, ...RIGHTFUL_MEETINGS] as unknown as readonly [Meeting, ...Meeting[]];
const ALL = [...RIGHTFUL, ...RISKY_MEETINGS] as unknown as readonly [Meeting, ...Meeting[]];

const LATER = [0, 0, 3_601, 7_199] as const;

export function atOnce(script: Script): void {
  const { supply } = script;
  const meeting = supply.decks.next(supply.allowed.refusals ? ALL : RIGHTFUL);
  const steps = meeting(script);
  script.atOnce(steps);
  lookAfter(script, steps);
}

function lookAfter(script: Script, together: readonly SingleStep[]): void {
  const { supply } = script;
  const projects = [...new Set(together.flatMap((step) => ('project' in step ? [step.project] : [])))];
  if (projects.length > 0) {
    const reader = script.token();
    for (const project of projects) script.list(project, reader, {});
    const [change] = together.filter((step) => step.do === 'assign' || step.do === 'unassign');
    if (change !== undefined && 'user' in change) {
      const undo = change.do === 'assign' ? 'unassign' : 'assign';
      script.maybe(0.5, () => {
        script.change(undo, change.project, change.user, reader);
        script.list(change.project, reader, {});
      });
    }
  }
  const codes = together.flatMap((step) => (step.do === 'authorize' ? [step.as] : []));
  const exchanged = codes.map((code) => script.exchange(code));
  const given = together.flatMap((step) =>
    step.do === 'exchange' || step.do === 'refresh' ? [step.as] : [],
  );
  const pairs = [...given, ...exchanged];
  const project = supply.project();
  for (const pair of pairs) script.list(project, pair);
  const later = pairs.length > 0 && supply.target.clock !== undefined ? supply.decks.next(LATER) : 0;
  if (later > 0) {
    script.wait(later);
    for (const pair of given) script.list(project, pair);
    // The last answer to one refresh token is the latest, which must refresh; an older one may undo it.
  } else for (const pair of given.toReversed()) script.refresh(pair);
}
