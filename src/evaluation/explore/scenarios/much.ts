import type { Script } from '../script.ts';

/** More than tables, caches and columns sized for a few entries hold. */
const MANY = 55;

export function manyRefreshes(script: Script): void {
  const { pair } = script.pair({ application: 0 });
  const project = script.supply.project();
  let last = pair;
  for (let turn = 1; turn <= MANY; turn += 1) {
    last = script.refresh(last);
    if (turn % 9 === 0) script.list(project, last);
  }
  script.list(project, last);
}

export function manyChanges(script: Script): void {
  const project = script.supply.project();
  const [user, other] = script.supply.users;
  const token = script.token();
  script.change('assign', project, other ?? user, token);
  for (let turn = 0; turn < MANY / 2; turn += 1) {
    script.change('assign', project, user, token);
    script.change('unassign', project, user, token);
    if (turn % 9 === 0) script.list(project, token);
  }
  script.list(project, token);
}

export function everywhere(script: Script): void {
  const { target, decks } = script.supply;
  const token = script.token();
  const [user] = script.supply.users;
  for (const project of target.projects) script.change('assign', project, user, token);
  for (const project of target.projects) script.list(project, token);
  for (const project of target.projects.slice(0, 3)) {
    script.change('unassign', project, user, token);
    script.list(project, token);
  }
  const project = decks.next(target.projects);
  for (const one of target.users) script.change('assign', project, one, token);
  script.list(project, token);
}

/** Repetitions of one change; shows a service that loses every tenth. */
const IN_A_ROW = 25;

export function sameChange(script: Script): void {
  const { supply } = script;
  const [project, token] = [supply.project(), script.token()];
  const [user, other] = supply.users;
  script.change('assign', project, other ?? user, token);
  const operation = supply.random.chance(0.7) ? 'assign' : 'unassign';
  for (let left = IN_A_ROW; left > 0; left -= 1) {
    script.add({ do: operation, project, user, with: token });
    script.list(project, token, {});
  }
}
