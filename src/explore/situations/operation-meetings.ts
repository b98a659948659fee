import type { Script } from '../script.ts';
import type { SingleStep } from '../steps.ts';
import type { Meeting } from './token-meetings.ts';

type Part = readonly [operation: 'assign' | 'unassign' | 'list', project: number, user: number];

const COUNTS = [2, 4, 5] as const;

/** One operation several times: for several users, at several projects, or the same request. */
const CROWDS: readonly (readonly [Part[0], 'users' | 'projects' | 'same'])[] = [
  ['assign', 'users'],
  ['unassign', 'users'],
  ['assign', 'projects'],
  ['unassign', 'projects'],
  ['list', 'projects'],
  ['list', 'same'],
  ['assign', 'same'],
  ['unassign', 'same'],
];

const FEW: readonly (readonly Part[])[] = [
  [
    ['assign', 0, 0],
    ['list', 0, 0],
  ],
  [
    ['list', 0, 0],
    ['assign', 0, 0],
  ],
  [
    ['list', 0, 0],
    ['unassign', 0, 0],
  ],
  [
    ['assign', 0, 0],
    ['unassign', 0, 1],
  ],
  [
    ['unassign', 0, 0],
    ['assign', 0, 1],
  ],
  [
    ['assign', 0, 0],
    ['unassign', 0, 0],
  ],
  [
    ['assign', 0, 0],
    ['unassign', 1, 0],
    ['list', 0, 0],
    ['list', 1, 0],
  ],
  [
    ['assign', 0, 0],
    ['unassign', 0, 1],
    ['list', 0, 0],
    ['assign', 0, 2],
    ['unassign', 0, 3],
  ],
];

export const OPERATION_MEETINGS: readonly Meeting[] = [
  ...CROWDS.map(
    ([operation, differ]): Meeting =>
      (script) => {
        const parts = Array.from(
          { length: script.supply.decks.next(COUNTS) },
          (_, i): Part => [operation, differ === 'projects' ? i : 0, differ === 'users' ? i : 0],
        );
        return meet(script, parts);
      },
  ),
  ...FEW.map(
    (parts): Meeting =>
      (script) =>
        meet(script, parts),
  ),
];

function meet(script: Script, parts: readonly Part[]): readonly SingleStep[] {
  const { random, projects, users } = script.supply;
  const token = script.token();
  const other = random.chance(0.4) ? script.pair({ application: 0 }).pair : token;
  const places = random.shuffled(projects);
  const people = random.shuffled(users);
  const prepared = new Set<string>();
  return parts.map(([operation, projectAt, userAt], index): SingleStep => {
    const project = places[projectAt % places.length] ?? projects[0];
    const user = people[userAt % people.length] ?? users[0];
    const key = JSON.stringify([project, user]);
    if (!prepared.has(key)) {
      prepared.add(key);
      if (operation !== 'assign') script.change('assign', project, user, token);
      else if (script.supply.mayBeAssigned(user, project)) script.change('unassign', project, user, token);
    }
    const who = index % 2 === 0 ? token : other;
    return operation === 'list'
      ? { do: 'list', project, with: who }
      : { do: operation, project, user, with: who };
  });
}
