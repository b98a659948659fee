import type { Changes } from '../../../../src/emulator/defects/define-defect.ts';
import type { Store } from '../../../../src/emulator/store/store.ts';
import type { SecondOrderDefects } from '../define-second-order.ts';
import { beforeWrites, byCaller, noted, notedChanging, usersOf } from '../tools/noted.ts';

/** A list, and when it was read. */
interface Kept {
  readonly users: readonly string[];
  readonly at: number;
}

/** Each access token keeps the lists that it has read for some seconds; only its own writes clear them. */
function keptByToken(seconds: number): Changes {
  return byCaller((assignments, caller) => {
    const lists = new Map<string, Kept>();
    const key = (project: { readonly id: string }) => `${caller().accessToken} ${project.id}`;
    return {
      ...beforeWrites(assignments, (project) => lists.delete(key(project))),
      list(all, project, now) {
        const kept = lists.get(key(project));
        if (kept !== undefined && now < kept.at + seconds) return kept.users;
        const users = usersOf(all, project);
        lists.set(key(project), { users, at: now });
        return users;
      },
    };
  });
}

const HALF_A_MINUTE = 30;
const MINUTE = 60;

/** Seconds for which a list is kept by a key that forgets the project. */
const BRIEFLY = 5;

/** Faults of lists that are remembered for one reader. */
export const caches: SecondOrderDefects = {
  'list-kept-by-each-token': {
    summary:
      'Each access token is served its first list of a project for ever; only its own writes there refresh it.',
    breaks: ['list.fresh'],
    changes: keptByToken(Number.POSITIVE_INFINITY),
  },

  'list-kept-by-each-token-for-half-a-minute': {
    summary: 'Each access token is served its list of a project for 30 s, whatever others write.',
    breaks: ['list.fresh'],
    changes: keptByToken(HALF_A_MINUTE),
  },

  'list-of-refreshed-token-from-its-parent': {
    summary: 'For 60 s, a refreshed access token is served the lists that the token before it read last.',
    breaks: ['list.fresh'],
    changes: noted(({ token, assignments }, request) => {
      const lists = new Map<string, ReadonlyMap<string, readonly string[]>>();
      const inherited = new Map<string, { readonly of: string; readonly until: number }>();
      return {
        token: {
          value(kind, randomness, previous) {
            const value = token.value(kind, randomness, previous);
            if (kind === 'access' && previous !== undefined) {
              lists.set(`parent of ${value}`, lists.get(previous.accessToken) ?? new Map());
              inherited.set(value, { of: `parent of ${value}`, until: request.now + MINUTE });
            }
            return value;
          },
        },
        assignments: {
          async list(all, project, now) {
            const { accessToken } = request.caller;
            const parent = inherited.get(accessToken);
            const old = parent && now < parent.until ? lists.get(parent.of)?.get(project.id) : undefined;
            const users = old ?? (await assignments.list(all, project, now));
            lists.set(accessToken, new Map([...(lists.get(accessToken) ?? []), [project.id, users]]));
            return users;
          },
        },
      };
    }),
  },

  'list-of-next-project-from-cache-of-token': {
    summary: 'A token that lists another project within 5 s is served the list of the first.',
    breaks: ['list.project-scoped'],
    changes: byCaller((assignments, caller) => {
      const latest = new Map<string, Kept & { readonly project: string }>();
      return {
        list(all, project, now) {
          const { accessToken } = caller();
          const kept = latest.get(accessToken);
          if (kept !== undefined && kept.project !== project.id && now < kept.at + BRIEFLY) return kept.users;
          latest.set(accessToken, { project: project.id, users: usersOf(all, project), at: now });
          return assignments.list(all, project, now);
        },
      };
    }),
  },

  'list-of-older-token-stops-at-next-exchange': {
    summary:
      'After a second exchange by an application, the older access token is served lists as of that moment.',
    breaks: ['list.fresh'],
    changes: noted(({ token, assignments }, request) => {
      const current = new Map<string, string>();
      const stopping: string[] = [];
      const stopped = new Map<string, ReadonlyMap<string, readonly string[]>>();
      return {
        token: {
          value(kind, randomness, previous) {
            const value = token.value(kind, randomness, previous);
            const clientId = request.code?.grant.clientId;
            if (kind !== 'access' || previous !== undefined || clientId === undefined) return value;
            const older = current.get(clientId);
            if (older !== undefined) stopping.push(older);
            current.set(clientId, value);
            return value;
          },
          // Lists change by requests to the resource API alone: what is read before the next one is as at the exchange.
          find(presented, store) {
            for (const older of stopping.splice(0)) stopped.set(older, everyList(store));
            return token.find(presented, store);
          },
        },
        assignments: {
          list: (all, project, now) =>
            stopped.get(request.caller.accessToken)?.get(project.id) ?? assignments.list(all, project, now),
        },
      };
    }),
  },

  'list-third-repetition-without-last': {
    summary: 'The third list by one token without a write between leaves out the last user.',
    breaks: ['list.returns-assigned'],
    changes: byCaller((assignments, caller) => {
      const writes = new Map<string, number>();
      const reads = new Map<string, number>();
      return {
        ...beforeWrites(assignments, ({ id }) => writes.set(id, (writes.get(id) ?? 0) + 1)),
        async list(all, project, now) {
          const key = `${caller().accessToken} ${project.id} ${writes.get(project.id) ?? 0}`;
          const times = (reads.get(key) ?? 0) + 1;
          reads.set(key, times);
          const users = await assignments.list(all, project, now);
          return times < 3 ? users : users.slice(0, -1);
        },
      };
    }),
  },

  'list-first-of-refreshed-token-empty': {
    summary: 'The first list with every refreshed access token is empty.',
    breaks: ['list.returns-assigned'],
    changes: notedChanging('assignments.list', (base, request) => {
      const seen = new Set<string>();
      return (all, project, now) => {
        const { accessToken } = request.caller;
        const first = !seen.has(accessToken) && request.generation(accessToken) > 0;
        seen.add(accessToken);
        return first ? [] : base(all, project, now);
      };
    }),
  },
};

function everyList({ assignments, projects }: Store): ReadonlyMap<string, readonly string[]> {
  return new Map([...projects.values()].map((project) => [project.id, usersOf(assignments, project)]));
}
