import type { Target } from '../../target/target.ts';
import type { Step } from './steps.ts';

const REFRESHES = 6;

const MOST_USERS = 6;

export function longChain(target: Target, early: boolean, refusals: boolean): readonly Step[] {
  const { clock, projects, users, secondApplication } = target;
  const steps: Step[] = [];
  const add = (...more: readonly Step[]) => steps.push(...more);
  const scope = 'read write destroy';
  const use = (pair: string, turn: number) => {
    const project = projects[turn % projects.length] ?? projects[0];
    const user = users[turn % users.length] ?? users[0];
    add(
      { do: 'assign', project, user, with: pair },
      { do: 'list', project, with: pair },
      { do: 'unassign', project, user, with: pair },
      { do: 'list', project, with: pair },
    );
  };
  add({ do: 'authorize', as: 'code A', application: 0, address: 0, scope });
  add({ do: 'exchange', code: 'code A', as: 'pair A0' });
  for (const project of projects.slice(0, 3)) add({ do: 'list', project, with: 'pair A0' });
  const [project, other] = [projects[0], projects[1] ?? projects[0]];
  const few = users.slice(0, MOST_USERS);
  for (const [index, user] of few.entries()) {
    add({ do: 'assign', project, user, with: 'pair A0' });
    if (index < 3) add({ do: 'list', project, with: 'pair A0' });
  }
  add({ do: 'list', project, with: 'pair A0' });
  add({ do: 'list', project: other, with: 'pair A0' });
  for (const user of users.slice(0, 3)) {
    add({ do: 'unassign', project, user, with: 'pair A0' }, { do: 'list', project, with: 'pair A0' });
    add({ do: 'assign', project, user, with: 'pair A0' }, { do: 'list', project, with: 'pair A0' });
  }
  for (const user of few) add({ do: 'unassign', project, user, with: 'pair A0' });
  add({ do: 'list', project, with: 'pair A0' });
  // Another project need not have the first one's users; a live target often has only these two.
  if (other !== project) {
    for (const user of few) add({ do: 'assign', project: other, user, with: 'pair A0' });
    add({ do: 'list', project: other, with: 'pair A0' });
    for (const user of few) add({ do: 'unassign', project: other, user, with: 'pair A0' });
  }
  for (let turn = 1; turn <= REFRESHES; turn += 1) {
    if (!early && clock !== undefined) add({ do: 'wait', seconds: 7_215 });
    add({ do: 'refresh', pair: `pair A${turn - 1}`, as: `pair A${turn}` });
    use(`pair A${turn}`, turn);
  }
  if (clock !== undefined) {
    for (let turn = REFRESHES + 1; turn <= REFRESHES + 2; turn += 1) {
      add({ do: 'wait', seconds: 7_215 }, { do: 'refresh', pair: `pair A${turn - 1}`, as: `pair A${turn}` });
      use(`pair A${turn}`, turn);
    }
  }
  if (refusals) {
    const witness = { do: 'list', project, with: 'pair W' } as const;
    // Another grant's survival of a misuse is unknown until it was seen.
    add(
      { do: 'authorize', as: 'code W', application: 0, address: 0, scope },
      { do: 'exchange', code: 'code W', as: 'pair W' },
      { do: 'authorize', as: 'code R', application: 0, address: 0, scope },
      { do: 'exchange', code: 'code R', as: 'pair R' },
      { do: 'refresh', pair: `pair A${REFRESHES - 1}`, as: 'pair A again' },
      witness,
      { do: 'exchange', code: 'code R', as: 'pair of code R again' },
      witness,
      { do: 'exchange', code: 'code A', as: 'pair of code A again' },
    );
  }
  const application = secondApplication === undefined ? 0 : 1;
  const addresses = (secondApplication ?? target.application).redirectUris.length;
  add({ do: 'authorize', as: 'code B', application, address: addresses - 1, scope });
  add({ do: 'exchange', code: 'code B', as: 'pair B0' });
  use('pair B0', 0);
  if (!early && clock !== undefined) add({ do: 'wait', seconds: 7_215 });
  add({ do: 'refresh', pair: 'pair B0', as: 'pair B1' });
  use('pair B1', 1);
  return steps;
}
