import type { Target } from '../../service/target.ts';
import { ALL_SCOPES } from '../../service/target.ts';
import type { Step } from './steps.ts';

const REFRESHES = 6;

const MOST_USERS = 6;

export function longChain(target: Target, early: boolean, refusals: boolean): readonly Step[] {
  const { clock, projects, users, secondApplication } = target;
  const steps: Step[] = [];
  const scope = ALL_SCOPES;
  const grant = (name: string, pair: string, application = 0, address = 0) => {
    const code = `code ${name}`;
    steps.push(
      { do: 'authorize', as: code, application, address, scope },
      { do: 'exchange', code, as: `pair ${pair}` },
    );
  };
  const list = (project: string, pair = 'A0') => steps.push({ do: 'list', project, with: `pair ${pair}` });
  const change = (operation: 'assign' | 'unassign', project: string, user: string, pair = 'A0') =>
    steps.push({ do: operation, project, user, with: `pair ${pair}` });
  const refresh = (family: string, turn: number, waits: boolean) => {
    if (waits) steps.push({ do: 'wait', seconds: 7_215 });
    const [pair, as] = [turn - 1, turn].map((number) => `pair ${family}${number}`) as [string, string];
    steps.push({ do: 'refresh', pair, as });
    use(`${family}${turn}`, turn);
  };
  const use = (pair: string, turn: number) => {
    const project = projects[turn % projects.length] ?? projects[0];
    const user = users[turn % users.length] ?? users[0];
    for (const operation of ['assign', 'unassign'] as const) {
      change(operation, project, user, pair);
      list(project, pair);
    }
  };
  grant('A', 'A0');
  for (const project of projects.slice(0, 3)) list(project);
  const [project, other] = [projects[0], projects[1] ?? projects[0]];
  const few = users.slice(0, MOST_USERS);
  for (const [index, user] of few.entries()) {
    change('assign', project, user);
    if (index < 3) list(project);
  }
  list(project);
  list(other);
  for (const user of users.slice(0, 3))
    for (const operation of ['unassign', 'assign'] as const) {
      change(operation, project, user);
      list(project);
    }
  for (const user of few) change('unassign', project, user);
  list(project);
  // Another project need not have the first one's users; a live target often has only these two.
  if (other !== project) {
    for (const user of few) change('assign', other, user);
    list(other);
    for (const user of few) change('unassign', other, user);
  }
  const mustWait = !early && clock !== undefined;
  for (let turn = 1; turn <= REFRESHES; turn += 1) refresh('A', turn, mustWait);
  for (const more of clock === undefined ? [] : [1, 2]) refresh('A', REFRESHES + more, true);
  if (refusals) {
    // Another grant's survival of a misuse is unknown until it was seen.
    grant('W', 'W');
    grant('R', 'R');
    steps.push({ do: 'refresh', pair: `pair A${REFRESHES - 1}`, as: 'pair A again' });
    list(project, 'W');
    steps.push({ do: 'exchange', code: 'code R', as: 'pair of code R again' });
    list(project, 'W');
    steps.push({ do: 'exchange', code: 'code A', as: 'pair of code A again' });
  }
  const addresses = (secondApplication ?? target.application).redirectUris.length;
  grant('B', 'B0', secondApplication === undefined ? 0 : 1, addresses - 1);
  use('B0', 0);
  refresh('B', 1, mustWait);
  return steps;
}
