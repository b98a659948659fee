import type { Script } from '../script.ts';
import type { SingleStep } from '../steps.ts';
import type { Meeting } from './token-meetings.ts';

type Operation = 'assign' | 'unassign' | 'list';

interface Part {
  readonly operation: Operation;
  readonly project: number;
  readonly user: number;
}

const part = (operation: Operation, project: number, user: number): Part => ({ operation, project, user });

const COUNTS = [2, 4, 5] as const;

export const OPERATION_MEETINGS: readonly Meeting[] = [
  (s) =>
    meet(
      s,
      crowd(s, (i) => part('assign', 0, i)),
    ),
  (s) =>
    meet(
      s,
      crowd(s, (i) => part('unassign', 0, i)),
    ),
  (s) =>
    meet(
      s,
      crowd(s, (i) => part('assign', i, 0)),
    ),
  (s) =>
    meet(
      s,
      crowd(s, (i) => part('unassign', i, 0)),
    ),
  (s) =>
    meet(
      s,
      crowd(s, (i) => part('list', i, 0)),
    ),
  (s) =>
    meet(
      s,
      crowd(s, () => part('list', 0, 0)),
    ),
  (s) =>
    meet(
      s,
      crowd(s, () => part('assign', 0, 0)),
    ),
  (s) =>
    meet(
      s,
      crowd(s, () => part('unassign', 0, 0)),
    ),
  (s) => meet(s, [part('assign', 0, 0), part('list', 0, 0)]),
  (s) => meet(s, [part('list', 0, 0), part('assign', 0, 0)]),
  (s) => meet(s, [part('list', 0, 0), part('unassign', 0, 0)]),
  (s) => meet(s, [part('assign', 0, 0), part('unassign', 0, 1)]),
  (s) => meet(s, [part('unassign', 0, 0), part('assign', 0, 1)]),
  (s) => meet(s, [part('assign', 0, 0), part('unassign', 0, 0)]),
  (s) => meet(s, [part('assign', 0, 0), part('unassign', 1, 0), part('list', 0, 0), part('list', 1, 0)]),
  (s) =>
    meet(s, [
      part('assign', 0, 0),
      part('unassign', 0, 1),
      part('list', 0, 0),
      part('assign', 0, 2),
      part('unassign', 0, 3),
    ]),
];

function crowd({ supply }: Script, make: (index: number) => Part): readonly Part[] {
  return Array.from({ length: supply.decks.next(COUNTS) }, (_, index) => make(index));
}

function meet(script: Script, parts: readonly Part[]): readonly SingleStep[] {
  const { random, projects, users } = script.supply;
  const token = script.token();
  const other = random.chance(0.4) ? script.pair({ application: 0 }).pair : token;
  const places = random.shuffled(projects);
  const people = random.shuffled(users);
  const prepared = new Set<string>();
  return parts.map(({ operation, ...at }, index): SingleStep => {
    const project = places[at.project % places.length] ?? projects[0];
    const user = people[at.user % people.length] ?? users[0];
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
