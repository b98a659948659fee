import { SOME_SCOPES } from '../../../document/profiles/scope-sets.ts';
import { unknownId } from '../../../service/flow/never-issued.ts';
import type { Script } from '../script.ts';
import { READ_OTHERWISE } from '../step-supply.ts';

export function readingsOfOneList(script: Script): void {
  const { random, decks, users } = script.supply;
  const project = script.supply.project();
  const [first, second, third] = random.shuffled(users);
  if (first === undefined || second === undefined) return;
  const writer = script.token();
  const reader = random.chance(0.7) ? script.pair().pair : writer;
  const spelling = decks.next(READ_OTHERWISE);
  script.change('assign', project, first, writer);
  for (const who of [writer, reader]) script.list(project, who, spelling);
  script.change('unassign', project, first, writer);
  script.change('assign', project, second, reader);
  for (const who of [reader, writer]) script.list(project, who, spelling);
  for (const who of random.shuffled([reader, writer])) script.list(project, who);
  script.maybe(0.4, () => {
    script.change('assign', project, third ?? first, writer);
    script.list(project, reader);
  });
  script.change('unassign', project, second, random.chance(0.5) ? writer : reader);
  script.list(project, random.chance(0.5) ? writer : reader);
}

export function changesOfOneUser(script: Script): void {
  const { random, projects, users } = script.supply;
  const [project, other] = random.shuffled(projects);
  const user = random.oneOf(users);
  if (project === undefined) return;
  const [one, two] = [script.token(), random.chance(0.5) ? script.pair().pair : script.token()];
  const elsewhere = other ?? project;
  for (let left = 2 + random.below(4); left > 0; left -= 1) {
    const operation = random.chance(0.55) ? 'assign' : 'unassign';
    const where = random.chance(0.75) ? project : elsewhere;
    const who = random.chance(0.6) ? one : two;
    for (let times = random.chance(0.25) ? 2 : 1; times > 0; times -= 1)
      script.change(operation, where, user, who);
    script.maybe(0.6, () => script.list(where, random.chance(0.5) ? one : two));
  }
  script.list(project, two);
}

/** Tokens with fewer scopes: acknowledged changes must take effect, and their refusals must not affect other tokens. */
export function fewerScopes(script: Script): void {
  const { random, decks, users, projects } = script.supply;
  const whole = script.token();
  const [project, elsewhere] = random.shuffled(projects);
  if (project === undefined) return;
  for (let left = 2; left > 0; left -= 1) {
    const { pair } = script.pair({ scope: decks.next(SOME_SCOPES), application: 0 });
    const user = random.oneOf(users);
    script.maybe(0.5, () => script.change('assign', elsewhere ?? project, user, whole));
    for (const operation of random.shuffled(['assign', 'unassign', 'list'] as const)) {
      if (operation === 'list') script.list(project, pair);
      else script.change(operation, project, user, pair);
      if (operation !== 'list') script.list(project, whole);
    }
    script.maybe(0.4, () => {
      const next = script.refresh(pair);
      script.change('assign', project, user, whole);
      script.list(project, next);
    });
  }
}

export function afterARefusal(script: Script): void {
  const project = script.supply.project();
  const { pair } = script.pair();
  script.add({ do: 'list', project: unknownId(project), with: pair });
  script.list(project, pair);
  script.change('assign', project, script.supply.userToChange('assign', project), pair);
  script.list(project, pair);
}
