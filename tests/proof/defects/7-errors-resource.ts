import { withHeader } from '../../../src/emulator/answer.ts';
import { CHALLENGE, failing } from '../../../src/emulator/defects/7-errors-resource.ts';
import { everybodyIn } from '../../../src/emulator/defects/at-resource-api.ts';
import {
  type Changes,
  changed,
  type Defects,
  type PolicyChanges,
  whenever,
} from '../../../src/emulator/defects/define-defect.ts';
import type { AssignmentsPolicy, Policy, ResourceOperation } from '../../../src/emulator/policy/policy.ts';
import { isRefusal, refuse } from '../../../src/emulator/refusal.ts';
import type { User } from '../../../src/emulator/store/records.ts';
import type { Assignments, Store } from '../../../src/emulator/store/store.ts';
import { refusedAndDone } from './5-authentication.ts';

/** True for a number that the service could have assigned. */
function isOrdinary(id: string): boolean {
  return /^\d{1,12}$/.test(id);
}

type ResourceFailureKind = 'project' | 'user';

const UNKNOWN = {
  project: refuse('project-unknown', 'no such project'),
  user: refuse('user-unknown', 'no such user'),
};

/** Serves an operation on an unknown record with another one. `more` changes the policy meanwhile. */
function taking(
  kind: ResourceFailureKind,
  operation: ResourceOperation,
  other: (id: string, store: Store) => User | undefined,
  more: (policy: Policy, taken: () => boolean) => PolicyChanges = () => ({}),
): Changes {
  return (base) => {
    const { assignments } = base;
    const known = assignments[kind] as AssignmentsPolicy['user'];
    const created = new Set<string>();
    let current: ResourceOperation | undefined;
    let taken = false;
    const find: AssignmentsPolicy['user'] = (id, store) => {
      const found = created.has(id) ? UNKNOWN[kind] : known(id, store);
      const served =
        isRefusal(found) && current === operation && isOrdinary(id) ? other(id, store) : undefined;
      taken = served !== undefined;
      if (served?.id === id) created.add(id);
      return served ?? found;
    };
    const route: AssignmentsPolicy['route'] = (method, path) => {
      const asked = assignments.route(method, path);
      current = 'operation' in asked ? asked.operation : undefined;
      taken = false;
      return asked;
    };
    const policy = changed(base, { assignments: { route, [kind]: find } });
    return changed(
      policy,
      more(policy, () => taken),
    );
  };
}

function firstProject(_id: string, store: Store): User | undefined {
  const [first] = store.projects.values();
  return first === undefined ? undefined : { ...first, email: '' };
}

const itself = (id: string): User => ({ id, name: '', email: '' });

function createdUser(id: string, store: Store): User {
  const user = { id, name: 'New user', email: '' };
  store.users.set(id, user);
  return user;
}

function lastUser(_id: string, store: Store): User | undefined {
  return [...store.users.values()].at(-1);
}

const lastAssigned = (all: Assignments, projectId: string) => [...all.of(projectId)].at(-1);

/** Like {@link taking}, but answers with a refusal. */
function takingInSecret(
  kind: ResourceFailureKind,
  operation: ResourceOperation,
  other: (id: string, store: Store) => User | undefined,
): Changes {
  return taking(kind, operation, other, ({ answer }, taken) => ({
    answer: refusedAndDone(answer, taken, UNKNOWN[kind]),
  }));
}

function fallingOver(which: 'project' | 'user'): Changes {
  return whenever(
    `assignments.${which}` as 'assignments.user',
    (id) => !isOrdinary(id),
    failing((answer, { refused }) => (refused === `${which}-unknown` ? { ...answer, status: 500 } : answer)),
  );
}

export const defects: Defects = {
  'assign-unknown-project-refused-and-done': {
    summary:
      'Assigning to a project that does not exist is answered with 404, after the user was assigned to the first one.',
    breaks: ['assign.unknown-project-refused'],
    changes: takingInSecret('project', 'assign', firstProject),
  },

  'unassign-unknown-project-refused-and-done': {
    summary:
      'Unassigning from a project that does not exist is answered with 404, after the user was unassigned from the first one.',
    breaks: ['unassign.unknown-project-refused'],
    changes: takingInSecret('project', 'unassign', firstProject),
  },

  'list-unknown-project-refused-with-list': {
    summary:
      'The list of a project that does not exist is a 404 with the users of the first one in its body.',
    breaks: ['list.unknown-project-refused'],
    changes: takingInSecret('project', 'list', firstProject),
  },

  'assign-unknown-user-refused-and-done': {
    summary:
      'Assigning a user who does not exist is answered with 404, after they were created and assigned.',
    breaks: ['assign.unknown-user-refused'],
    changes: takingInSecret('user', 'assign', createdUser),
  },

  'assign-unknown-user-is-the-last': {
    summary: 'Where the user does not exist, the one who was created last is assigned.',
    breaks: ['assign.unknown-user-refused'],
    changes: taking('user', 'assign', lastUser),
  },

  'unassign-unknown-user-refused-and-last-removed': {
    summary:
      'Unassigning a user who does not exist is answered with 404, after the last one assigned was removed.',
    breaks: ['unassign.unknown-user-refused'],
    changes: taking('user', 'unassign', lastUser, ({ assignments, answer }, taken) => ({
      assignments: {
        unassign(all, project, user, now) {
          const last = lastAssigned(all, project.id);
          if (!taken() || last === undefined) return assignments.unassign(all, project, user, now);
          all.remove(project.id, last);
          return 'not-assigned';
        },
      },
      answer: refusedAndDone(answer, taken, UNKNOWN.user),
    })),
  },

  'resource-failure-as-redirect': {
    summary: 'A request without a token is redirected to the sign-in page.',
    breaks: ['resource.failure-status'],
    changes: failing((answer, { refused }) =>
      refused === 'token-missing'
        ? withHeader({ ...answer, status: 302, body: '' }, 'Location', '/sign-in')
        : answer,
    ),
  },
  'resource-odd-project-as-500': {
    summary: 'A project id that is no number is answered with status 500.',
    breaks: ['resource.no-5xx'],
    changes: fallingOver('project'),
  },
  'resource-odd-user-as-500': {
    summary: 'A user id that is no number is answered with status 500.',
    breaks: ['resource.no-5xx'],
    changes: fallingOver('user'),
  },
  'resource-challenge-missing-for-unknown-token': {
    summary: 'A 401 for a token that is not known does not say how to authenticate.',
    breaks: ['resource.challenge'],
    changes: failing((answer, { refused }) =>
      refused === 'token-unknown' ? withHeader(answer, CHALLENGE, undefined) : answer,
    ),
  },

  'assign-creates-project': {
    summary: 'Assigning to a project that does not exist creates it.',
    severity: 'blunt',
    breaks: ['assign.unknown-project-refused'],
    changes: (base) => {
      const policy = changed(base, taking('project', 'assign', itself)(base));
      const hasUsers = (id: string, store: Store) =>
        lastAssigned(store.assignments, id) === undefined ? undefined : itself(id);
      return taking('project', 'list', hasUsers)(policy);
    },
  },

  'assign-unknown-project-is-the-first': {
    summary: 'Where the project does not exist, the user is assigned to the first one.',
    severity: 'blunt',
    breaks: ['assign.unknown-project-refused'],
    changes: taking('project', 'assign', firstProject),
  },

  'unassign-unknown-project-is-every-project': {
    summary: 'Where the project does not exist, the user is unassigned from all.',
    severity: 'blunt',
    breaks: ['unassign.unknown-project-refused'],
    changes: taking('project', 'unassign', itself, ({ assignments }, taken) => ({
      assignments: {
        unassign(all, project, user, now) {
          if (taken()) for (const id of [...all.projects()]) all.remove(id, user.id);
          return assignments.unassign(all, project, user, now);
        },
      },
    })),
  },

  'list-unknown-project-lists-everybody': {
    summary: 'Where the project does not exist, the users of all projects are listed.',
    severity: 'blunt',
    breaks: ['list.unknown-project-refused'],
    changes: taking('project', 'list', itself, ({ assignments }, taken) => ({
      assignments: {
        list: (all, project, now) => (taken() ? everybodyIn(all) : assignments.list(all, project, now)),
      },
    })),
  },

  'resource-unknown-project-empty-list': {
    summary: 'A project that does not exist has an empty list.',
    breaks: ['resource.failure-status'],
    changes: taking('project', 'list', itself),
  },

  'assign-creates-user': {
    summary: 'Assigning a user who does not exist creates them.',
    severity: 'blunt',
    breaks: ['assign.unknown-user-refused'],
    changes: taking('user', 'assign', createdUser),
  },

  'unassign-unknown-user-clears-project': {
    summary: 'Unassigning a user who does not exist unassigns all users.',
    severity: 'blunt',
    breaks: ['unassign.unknown-user-refused'],
    changes: taking('user', 'unassign', lastUser, ({ assignments }, taken) => ({
      assignments: {
        unassign(all, project, user, now) {
          if (taken()) for (const id of [...all.of(project.id)]) all.remove(project.id, id);
          return assignments.unassign(all, project, user, now);
        },
      },
    })),
  },
};
