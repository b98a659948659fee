import { type ServiceAnswer, withHeader } from '../answer.ts';
import type { AssignmentsPolicy, Policy, ResourceOperation } from '../policy.ts';
import type { User } from '../records.ts';
import { isRefusal, type Refusal, type ResourceReason, refuse } from '../refusal.ts';
import type { Assignments, Store } from '../store.ts';
import { everybodyIn, isOrdinary } from './at-resource-api.ts';
import { type Changes, changed, changing, type Defects, type PolicyChanges } from './define-defect.ts';

export type ResourceFailureKind = 'project' | 'user';

export const UNKNOWN = {
  project: refuse('project-unknown', 'no such project'),
  user: refuse('user-unknown', 'no such user'),
};

/** Serves an operation on an unknown record with another one. `more` changes the policy meanwhile. */
export function taking(
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

export function firstProject(_id: string, store: Store): User | undefined {
  const [first] = store.projects.values();
  return first === undefined ? undefined : { ...first, email: '' };
}

const itself = (id: string): User => ({ id, name: '', email: '' });

export function createdUser(id: string, store: Store): User {
  const user = { id, name: 'New user', email: '' };
  store.users.set(id, user);
  return user;
}

export function lastUser(_id: string, store: Store): User | undefined {
  return [...store.users.values()].at(-1);
}

export const lastAssigned = (all: Assignments, projectId: string) => [...all.of(projectId)].at(-1);

export function failing(
  change: (answer: ServiceAnswer, refusal: Refusal<ResourceReason>) => ServiceAnswer,
): Changes {
  return changing('answer.resourceFailure', (base) => (refusal) => change(base(refusal), refusal));
}

/** Reasons that do not concern tokens that were valid once. */
const EVERYDAY: readonly ResourceReason[] = [
  'token-missing',
  'token-unknown',
  'project-unknown',
  'user-unknown',
];

export const CHALLENGE = 'WWW-Authenticate';

export const defects: Defects = {
  'assign-creates-project': {
    summary: 'Assigning to a project that does not exist creates it.',
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
    breaks: ['assign.unknown-project-refused'],
    changes: taking('project', 'assign', firstProject),
  },

  'unassign-unknown-project-is-every-project': {
    summary: 'Where the project does not exist, the user is unassigned from all.',
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
    breaks: ['list.unknown-project-refused'],
    changes: taking('project', 'list', itself, ({ assignments }, taken) => ({
      assignments: {
        list: (all, project, now) => (taken() ? everybodyIn(all) : assignments.list(all, project, now)),
      },
    })),
  },

  'resource-unknown-project-empty-list': {
    summary: 'A project that does not exist has an empty list.',
    severity: 'subtle',
    breaks: ['resource.failure-status'],
    changes: taking('project', 'list', itself),
  },

  'assign-creates-user': {
    summary: 'Assigning a user who does not exist creates them.',
    breaks: ['assign.unknown-user-refused'],
    changes: taking('user', 'assign', createdUser),
  },

  'unassign-unknown-user-clears-project': {
    summary: 'Unassigning a user who does not exist unassigns all users.',
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

  'resource-failure-as-200': {
    summary: 'Refusals have status 200 and tell of it in the body alone.',
    breaks: ['resource.failure-status'],
    changes: failing((answer, { refused }) =>
      EVERYDAY.includes(refused) ? { ...answer, status: 200 } : answer,
    ),
  },

  'resource-unknown-project-as-500': {
    summary: 'A project that does not exist is answered with status 500.',
    breaks: ['resource.no-5xx'],
    changes: failing((answer, { refused }) =>
      refused === 'project-unknown' ? { ...answer, status: 500 } : answer,
    ),
  },

  'resource-challenge-missing': {
    summary: 'A 401 does not say how to authenticate.',
    breaks: ['resource.challenge'],
    changes: failing((answer) => withHeader(answer, CHALLENGE, undefined)),
  },
};
