import { withHeader } from '../../../src/emulator/answer.ts';
import {
  CHALLENGE,
  createdUser,
  failing,
  firstProject,
  lastAssigned,
  lastUser,
  type ResourceFailureKind,
  taking,
  UNKNOWN,
} from '../../../src/emulator/defects/7-errors-resource.ts';
import { isOrdinary } from '../../../src/emulator/defects/at-resource-api.ts';
import { type Changes, type Defects, whenever } from '../../../src/emulator/defects/define-defect.ts';
import type { ResourceOperation } from '../../../src/emulator/policy.ts';
import type { User } from '../../../src/emulator/records.ts';
import type { Store } from '../../../src/emulator/store.ts';
import { refusedAndDone } from './5-authentication.ts';

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
};
