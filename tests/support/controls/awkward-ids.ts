import type { Policy } from '../../../src/emulator/policy/policy.ts';
import type { User } from '../../../src/emulator/store/records.ts';
import type { Target } from '../../../src/service/target.ts';
import type { Control } from './control.ts';

/** Ids that a path must encode, or that look like something else. */
interface AwkwardIds extends Pick<Control, 'behaviour' | 'target'> {
  readonly name: string;
}

/** Writes an id that the emulator keeps as a number in a service's form, and reads it again. */
interface Spelling {
  readonly name: string;
  readonly write: (id: string) => string;
  readonly read: (id: string) => string;
}

const SPELLINGS: readonly Spelling[] = [
  around('with spaces', 'unit ', ' b'),
  around('with slashes', 'org/7/', '/x'),
  around('with letters beyond ASCII', 'größe-', '-日本'),
  around('with percent signs and plus signs', '100%+', '%2F'),
  around('with characters of queries and fragments', '?a=', '&b#c'),
  around('with a colon and an at sign', 'urn:user:', '@home'),
  around('that end in a dot', '', '.json.'),
];

export const awkwardIds: readonly AwkwardIds[] = SPELLINGS.map((spelling) => ({
  name: spelling.name,
  behaviour: () => (policy) => spelled(policy, spelling),
  target: (target) => ({
    ...target,
    projects: mapped(target.projects, spelling.write),
    users: mapped(target.users, spelling.write),
  }),
}));

function around(name: string, before: string, after: string): Spelling {
  return {
    name,
    write: (id) => `${before}${id}${after}`,
    // Text without the form names no user; NUL is in no id of the seed.
    read: (id) =>
      id.startsWith(before) && id.endsWith(after) && id.length > before.length + after.length
        ? id.slice(before.length, id.length - after.length)
        : `\u0000${id}`,
  };
}

function spelled(policy: Policy, { read, write }: Spelling): Policy {
  const { assignments, answer } = policy;
  const shown = (user: User): User => ({ ...user, id: write(user.id) });
  return {
    ...policy,
    assignments: {
      ...assignments,
      project: (id, store) => assignments.project(read(id), store),
      user: (id, store) => assignments.user(read(id), store),
    },
    answer: {
      ...answer,
      assigned: (outcome, project, user) => answer.assigned(outcome, project, shown(user)),
      unassigned: (outcome, project, user) => answer.unassigned(outcome, project, shown(user)),
      list: (project, users, query) => answer.list(project, users.map(shown), query),
    },
  };
}

function mapped(ids: readonly [string, ...string[]], write: (id: string) => string): Target['users'] {
  const [first, ...rest] = ids;
  return [write(first), ...rest.map(write)];
}
