import { assignmentKey } from '../../../../src/emulator/defects/at-resource-api.ts';
import type { Changes } from '../../../../src/emulator/defects/define-defect.ts';
import type { IssuedPair, Project, User } from '../../../../src/emulator/store/records.ts';
import { formatScopes } from '../../../../src/emulator/store/scopes.ts';
import type { SecondOrderDefects } from '../define-second-order.ts';
import { beforeWrites, byCaller, noted, type RequestNotes, usersOf } from '../tools/noted.ts';

/** Notes something about the caller of each assign, by project and user, and leaves a reader some of the users. */
function byAssigner<T>(
  noteOf: (caller: IssuedPair, now: number) => T,
  view: (users: readonly Listed<T>[], reader: IssuedPair, now: number) => readonly Listed<T>[],
): Changes {
  return byCaller((assignments, caller) => {
    const notes = new Map<string, T>();
    return {
      assign(all, project, user, now) {
        const place = assignmentKey(project, user);
        if (!all.has(project.id, user.id)) notes.set(place, noteOf(caller(), now));
        return assignments.assign(all, project, user, now);
      },
      unassign(all, project, user, now) {
        notes.delete(assignmentKey(project, user));
        return assignments.unassign(all, project, user, now);
      },
      list(all, project, now) {
        const users = usersOf(all, project).map((user) => ({
          id: user,
          note: notes.get(assignmentKey(project, { id: user })),
        }));
        return view(users, caller(), now).map((user) => user.id);
      },
    };
  });
}

/** A user in a list; without a note when no request assigned them. */
interface Listed<T> {
  readonly id: string;
  readonly note: T | undefined;
}

/** Keeps those who were unassigned in the lists of some readers, until they are assigned again. */
function shownOn(
  make: (request: RequestNotes) => {
    readonly assigned?: (project: Project, user: User) => void;
    readonly keepsFor: (project: Project, user: User) => ((reader: IssuedPair) => boolean) | undefined;
  },
): Changes {
  return noted(({ assignments }, request) => {
    const { assigned, keepsFor } = make(request);
    const gone = new Map<
      string,
      { readonly project: string; readonly user: string; readonly seenBy: (reader: IssuedPair) => boolean }
    >();
    return {
      assignments: {
        assign(all, project, user, now) {
          gone.delete(assignmentKey(project, user));
          assigned?.(project, user);
          return assignments.assign(all, project, user, now);
        },
        unassign(all, project, user, now) {
          const seenBy = all.has(project.id, user.id) ? keepsFor(project, user) : undefined;
          if (seenBy !== undefined) {
            gone.set(assignmentKey(project, user), { project: project.id, user: user.id, seenBy });
          }
          return assignments.unassign(all, project, user, now);
        },
        list(all, project) {
          const users = usersOf(all, project);
          const more = [...gone.values()].filter(
            (one) => one.project === project.id && !users.includes(one.user) && one.seenBy(request.caller),
          );
          return [...users, ...more.map(({ user }) => user)];
        },
      },
    };
  });
}

const HALF_A_MINUTE = 30;

/** Faults of lists that look otherwise to some readers. */
export const views: SecondOrderDefects = {
  'list-of-own-application-alone': {
    summary:
      'Once a token of an application has assigned a user of the list, its tokens see only the users that they assigned.',
    breaks: ['list.returns-assigned'],
    changes: byAssigner(
      ({ grant }) => grant.clientId,
      (users, reader) => {
        const own = users.filter(({ note }) => note === reader.grant.clientId);
        return own.length > 0 ? own : users;
      },
    ),
  },

  'assign-seen-by-others-half-a-minute-later': {
    summary: 'An assigned user is seen at once by the token that assigned, and by others 30 s later.',
    breaks: ['assign.adds-user'],
    changes: byAssigner(
      ({ accessToken }, at) => ({ accessToken, at }),
      (users, reader, now) =>
        users.filter(
          ({ note }) =>
            note === undefined || note.accessToken === reader.accessToken || now >= note.at + HALF_A_MINUTE,
        ),
    ),
  },

  'unassign-by-another-unseen-by-assigner': {
    summary: 'The token that assigned a user still sees them after another token has unassigned them.',
    breaks: ['unassign.removes-user'],
    changes: shownOn((request) => {
      const assigners = new Map<string, string>();
      return {
        assigned: (project, user) => assigners.set(assignmentKey(project, user), request.caller.accessToken),
        keepsFor(project, user) {
          const assigner = assigners.get(assignmentKey(project, user));
          if (assigner === undefined || assigner === request.caller.accessToken) return undefined;
          return (reader) => reader.accessToken === assigner;
        },
      };
    }),
  },

  'unassign-by-other-application-undone-by-refresh': {
    summary:
      'After a refresh, the tokens of an application see again those users whom another application has unassigned.',
    breaks: ['unassign.removes-user'],
    changes: noted(({ token, assignments }, request) => {
      const removed = new Map<
        string,
        { readonly project: string; readonly user: string; readonly by: string }
      >();
      const back = new Map<string, Set<string>>();
      return {
        token: {
          value(kind, randomness, previous) {
            if (previous !== undefined) {
              const { clientId } = previous.grant;
              const places = [...removed].filter(([, { by }]) => by !== clientId).map(([place]) => place);
              back.set(clientId, new Set([...(back.get(clientId) ?? []), ...places]));
            }
            return token.value(kind, randomness, previous);
          },
        },
        assignments: {
          assign(all, project, user, now) {
            const place = assignmentKey(project, user);
            removed.delete(place);
            for (const places of back.values()) places.delete(place);
            return assignments.assign(all, project, user, now);
          },
          unassign(all, project, user, now) {
            const by = request.caller.grant.clientId;
            if (all.has(project.id, user.id)) {
              removed.set(assignmentKey(project, user), { project: project.id, user: user.id, by });
            }
            return assignments.unassign(all, project, user, now);
          },
          list(all, project) {
            const places = back.get(request.caller.grant.clientId) ?? new Set();
            const more = [...removed].filter(
              ([place, { project: from }]) => from === project.id && places.has(place),
            );
            return [...usersOf(all, project), ...more.map(([, { user }]) => user)];
          },
        },
      };
    }),
  },

  'list-without-assignments-older-than-token': {
    summary:
      'An access token does not see assignments made before it was issued, until it writes in the project.',
    breaks: ['list.returns-assigned'],
    changes: noted(({ token, assignments }, request) => {
      let count = 0;
      const assigned = new Map<string, number>();
      const issued = new Map<string, number>();
      const written = new Set<string>();
      return {
        token: {
          value(kind, randomness, previous) {
            const value = token.value(kind, randomness, previous);
            if (kind === 'access') issued.set(value, count);
            return value;
          },
        },
        assignments: {
          assign(all, project, user, now) {
            count += 1;
            assigned.set(assignmentKey(project, user), count);
            written.add(`${request.caller.accessToken} ${project.id}`);
            return assignments.assign(all, project, user, now);
          },
          unassign(all, project, user, now) {
            written.add(`${request.caller.accessToken} ${project.id}`);
            return assignments.unassign(all, project, user, now);
          },
          list(all, project) {
            const { accessToken } = request.caller;
            const users = usersOf(all, project);
            if (written.has(`${accessToken} ${project.id}`)) return users;
            const from = issued.get(accessToken) ?? 0;
            return users.filter((id) => (assigned.get(assignmentKey(project, { id })) ?? Infinity) > from);
          },
        },
      };
    }),
  },

  'list-for-pure-readers-without-newest': {
    summary: 'A token that was granted `read` alone does not see the newest user of a list.',
    breaks: ['list.returns-assigned'],
    changes: byCaller((assignments, caller) => ({
      async list(all, project, now) {
        const { scopes } = caller();
        const users = await assignments.list(all, project, now);
        return formatScopes(scopes) === 'read' ? users.slice(0, -1) : users;
      },
    })),
  },

  'list-after-assign-elsewhere-holds-its-users': {
    summary:
      'The next list by a token that has assigned in another project holds the users of that project too.',
    breaks: ['list.project-scoped'],
    changes: byCaller((assignments, caller) => {
      const buffer = new Map<string, string>();
      return {
        assign(all, project, user, now) {
          buffer.set(caller().accessToken, project.id);
          return assignments.assign(all, project, user, now);
        },
        list(all, project) {
          const { accessToken } = caller();
          const other = buffer.get(accessToken) ?? project.id;
          buffer.delete(accessToken);
          return [...new Set([...usersOf(all, project), ...usersOf(all, { id: other })])];
        },
      };
    }),
  },

  'unassign-unseen-by-further-applications': {
    summary:
      'The tokens of all applications but the one registered first still see users who were unassigned.',
    breaks: ['unassign.removes-user'],
    changes: shownOn((request) => ({
      keepsFor: () => (reader) => {
        const [first] = request.store?.applications.values() ?? [];
        return reader.grant.clientId !== first?.clientId;
      },
    })),
  },

  'list-of-own-chain-alone-after-two-refreshes': {
    summary:
      'From the second refresh on, an access token sees only users whom tokens of its own chain assigned.',
    breaks: ['list.returns-assigned'],
    changes: noted((policy, request) => {
      const assigners = new Map<string, IssuedPair['grant']>();
      return {
        assignments: {
          assign(all, project, user, now) {
            assigners.set(assignmentKey(project, user), request.caller.grant);
            return policy.assignments.assign(all, project, user, now);
          },
          list(all, project) {
            const { accessToken, grant } = request.caller;
            const users = usersOf(all, project);
            return request.generation(accessToken) < 2
              ? users
              : users.filter((id) => assigners.get(assignmentKey(project, { id })) === grant);
          },
        },
      };
    }),
  },

  'list-a-write-behind-for-who-never-wrote': {
    summary: 'A token that has never written sees a list as it was before the latest write.',
    breaks: ['list.fresh'],
    changes: byCaller((assignments, caller) => {
      const before = new Map<string, readonly string[]>();
      const writers = new Set<string>();
      return {
        ...beforeWrites(assignments, (project, all) => {
          before.set(project.id, usersOf(all, project));
          writers.add(caller().accessToken);
        }),
        list: (all, project, now) =>
          (writers.has(caller().accessToken) ? undefined : before.get(project.id)) ??
          assignments.list(all, project, now),
      };
    }),
  },

  'list-without-users-of-previous-reader': {
    summary:
      'When two tokens list a project in turn, the second does not see the users whom the first assigned.',
    breaks: ['list.returns-assigned'],
    changes: byCaller((assignments, caller) => {
      const assigners = new Map<string, string>();
      const previous = new Map<string, string>();
      return {
        assign(all, project, user, now) {
          assigners.set(assignmentKey(project, user), caller().accessToken);
          return assignments.assign(all, project, user, now);
        },
        list(all, project) {
          const { accessToken } = caller();
          const before = previous.get(project.id);
          previous.set(project.id, accessToken);
          const users = usersOf(all, project);
          if (before === undefined || before === accessToken) return users;
          return users.filter((id) => assigners.get(assignmentKey(project, { id })) !== before);
        },
      };
    }),
  },
};
