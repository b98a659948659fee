/** Another client in the same project while a run goes on: noticed, exit 3 and why, and no requirement is blamed for it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import type { Results } from '../../src/report/results.ts';
import { explorationOf } from '../support/explore-live.ts';
import { type GatewayHooks, startGateway } from '../support/gateway.ts';
import { judgeLive } from '../support/judge-live.ts';
import { type WrittenConfiguration, writeLiveConfiguration } from '../support/live-config.ts';
import type { ReadyLine } from '../support/stand-in/ready.ts';
import { startStandIn } from '../support/stand-in/start.ts';
import { Walk } from '../support/stand-in/walk.ts';

/** A service, the way to it that a test may interfere on, and another client that knows it too. */
interface Shared {
  readonly ready: ReadyLine;
  readonly written: WrittenConfiguration;
  /** Straight to the service. */
  readonly elsewhere: WrittenConfiguration;
  /** Sends a request as another client. */
  otherClient(method: 'PUT' | 'DELETE', project: string, user: string): Promise<void>;
}

async function share(
  standIn: Readonly<Record<string, string>>,
  hooks: (shared: () => Shared) => GatewayHooks,
  work: (shared: Shared) => Promise<void>,
): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'two-runs-'));
  const running = await startStandIn(standIn);
  const { ready } = running;
  let shared: Shared | undefined;
  const gateway = await startGateway(
    ready.baseUrl,
    hooks(() => shared as Shared),
  );
  try {
    const walk = new Walk(ready);
    const token = (await walk.exchange(await walk.code())).json.access_token;
    const elsewhere = mkdtempSync(join(directory, 'else-'));
    shared = {
      ready,
      written: writeLiveConfiguration(ready, directory, { baseUrl: gateway.url }),
      elsewhere: writeLiveConfiguration(ready, elsewhere),
      otherClient: async (method, project, user) => {
        await walk.resource(method, `${project}/assigned_users/${user}`, token);
      },
    };
    await work(shared);
  } finally {
    await gateway.close();
    await running.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Does something once, at the so-many-eth request of a kind, after the service has answered it. */
function once(method: string, path: RegExp, nth: number, act: () => Promise<void>): GatewayHooks {
  let seen = 0;
  return {
    after: async (passing) => {
      if (passing.method !== method || !path.test(passing.path)) return;
      seen += 1;
      if (seen === nth) await act();
    },
  };
}

function resultOf({ requirements }: Results, id: string): string | undefined {
  return requirements.find((r) => r.id === id)?.result;
}

test('a second run that starts while the first has somebody assigned: 3, and the first goes on unharmed', async () => {
  let second: Results | undefined;
  await share(
    {},
    (shared) =>
      // The walk assigns once; this is the first assign of a check.
      once('PUT', /./, 2, async () => {
        second = await judgeLive(shared().elsewhere, { only: ['assign.adds-user'] });
      }),
    async ({ written, ready }) => {
      const first = await judgeLive(written, { only: ['assign.adds-user', 'list.fresh'] });
      expect(first.exitCode, JSON.stringify(first.troubles)).toBe(0);
      expect(second?.exitCode).toBe(3);
      const why = second?.troubles.map(({ message }) => message).join() ?? '';
      expect(why).toContain(`user ${ready.users[0]} in project ${ready.projects[0]}`);
      expect(why).toContain('another run is under way');
    },
  );
});

/** Does something at every so-many-eth request of the resource API, before the service answers it. */
function every(nth: number, act: (times: number) => Promise<void>): GatewayHooks {
  let seen = 0;
  let acting = false;
  return {
    after: async ({ path }) => {
      if (!path.includes('/projects/') || acting) return;
      seen += 1;
      if (seen < LATE || seen % nth !== 0) return;
      acting = true;
      await act(Math.floor(seen / nth)).finally(() => {
        acting = false;
      });
    },
  };
}

/** Requests of the resource API that the smoke flow sends, and some more. */
const LATE = 20;

/** Two checks of three users each; `list.safe` comes after them. */
const ONLY = ['assign.leaves-others', 'list.returns-assigned', 'list.safe'];
const LIST = /assigned_users$/;

const MEANWHILE: readonly {
  readonly title: string;
  readonly at: readonly [method: string, path: RegExp, nth: number];
  readonly act: (shared: Shared) => Promise<void>;
  readonly says: (ready: ReadyLine) => string;
}[] = [
  {
    title: "one of the suite's own is unassigned by another client",
    at: ['GET', LIST, 9],
    act: ({ otherClient, ready }) => otherClient('DELETE', ready.projects[0], ready.users[0]),
    says: ({ users }) => `${users[0]} (the suite's own) came to be unassigned`,
  },
  {
    title: "one of the suite's own is assigned by another client",
    at: ['GET', LIST, 9],
    act: ({ otherClient, ready }) => otherClient('PUT', ready.projects[0], ready.users[2]),
    says: ({ users }) => `${users[2]} (the suite's own) came to be assigned`,
  },
  {
    title: 'a stranger is assigned by another client',
    at: ['GET', LIST, 9],
    act: ({ otherClient, ready }) => otherClient('PUT', ready.projects[0], 'u-0vnf'),
    says: () => 'one user came to be assigned',
  },
];

for (const { title, at, act, says } of MEANWHILE) {
  test(`${title}: 3, why, and nothing more is done there`, async () => {
    await share(
      {},
      (shared) => once(...at, () => act(shared())),
      async ({ written, ready }) => {
        const results = await judgeLive(written, { only: ONLY });
        const why = results.troubles.map(({ message }) => message).join();
        expect(why).toContain(`another client changes project ${ready.projects[0]} while this run goes on`);
        expect(why).toContain(says(ready));
        expect(why).toContain('must not overlap');
        expect(results.requirements.filter((r) => r.result === 'fail')).toEqual([]);
        expect(resultOf(results, 'list.safe')).toBe('not-run');
        expect(results.exitCode, JSON.stringify(results.troubles)).toBe(3);
      },
    );
  });
}

test('a failure that was told before another client was seen is taken back', async () => {
  let check: string | undefined;
  await share(
    {},
    (shared) => ({
      after: async ({ method }) => {
        const { otherClient, ready } = shared();
        const [project] = ready.projects;
        // Between an assign and the list that should show it: nothing tells that from a service that assigns nobody.
        if (check === 'assign.adds-user' && method === 'PUT')
          await otherClient('DELETE', project, ready.users[0]);
        if (check === 'list.safe' && method === 'GET') {
          check = undefined;
          await otherClient('PUT', project, 'u-0vnf');
        }
      },
    }),
    async ({ written }) => {
      const only = ['assign.adds-user', 'list.safe', 'list.token-required'];
      const told: (string | undefined)[] = [];
      const results = await judgeLive(written, {
        only,
        beforeCheck: (judged) => {
          check = only[judged];
        },
        afterCheck: ({ result }) => told.push(result),
      });
      expect(told[0]).toBe('fail');
      expect(resultOf(results, 'assign.adds-user')).toBe('not-run');
      expect(results.exitCode, JSON.stringify(results.troubles)).toBe(3);
    },
  );
});

test('what another run does while one check sends the requests of others is not blamed on the service', async () => {
  let check: string | undefined;
  let interfered = false;
  let lists = 0;
  await share(
    {},
    (shared) => ({
      after: async ({ method, path }) => {
        const { otherClient, ready } = shared();
        const [project] = ready.projects;
        // Sent for the check of unassign, whose turn comes later.
        if (check === 'assign.token-required' && method === 'DELETE' && !interfered) {
          interfered = true;
          await otherClient('DELETE', project, ready.users[0]);
        }
        if (check === 'resource.no-5xx' && method === 'GET' && LIST.test(path)) {
          lists += 1;
          if (lists % 3 === 0) await otherClient(lists % 2 === 0 ? 'DELETE' : 'PUT', project, 'u-0vnf');
        }
      },
    }),
    async ({ written }) => {
      const only = ['assign.token-required', 'unassign.token-required', 'resource.no-5xx'];
      const results = await judgeLive(written, {
        only,
        beforeCheck: (judged) => {
          check = only[judged];
        },
      });
      expect(interfered).toBe(true);
      expect(resultOf(results, 'unassign.token-required')).toBe('not-run');
      expect(results.exitCode, JSON.stringify(results.troubles)).toBe(3);
    },
  );
});

test('a service that removes others by itself is not taken for another client: 1', async () => {
  await share(
    { STAND_IN_DEFECT: 'unassign-removes-all' },
    () => ({}),
    async ({ elsewhere }) => {
      const results = await judgeLive(elsewhere, { only: ['unassign.leaves-others', 'list.fresh'] });
      expect(resultOf(results, 'unassign.leaves-others')).toBe('fail');
      expect(resultOf(results, 'list.fresh')).toBe('pass');
      expect(results.troubles.map(({ message }) => message).join()).toContain('of the others');
      expect(results.exitCode).toBe(1);
    },
  );
});

test('another run that assigns and unassigns while a project is explored: 3, and no requirement is blamed for it', async () => {
  await share(
    {},
    (shared) =>
      every(7, async (times) => {
        const { otherClient, ready } = shared();
        await otherClient(times % 2 === 0 ? 'PUT' : 'DELETE', ready.projects[0], ready.users[1]);
      }),
    async ({ written, ready }) => {
      const run = await explorationOf(written, { requests: 300, seed: 1 });
      expect(run.exploration?.findings).toEqual([]);
      expect(run.exploration?.endedEarly).toBe('another client changes the projects');
      const why = run.troubles.map(({ message }) => message).join();
      expect(why).toContain(`another client changes project ${ready.projects[0]} while this run goes on`);
      const counted = run.everyExchange.flatMap(({ findings }) => findings).filter((one) => !one.uncertain);
      expect(counted).toEqual([]);
    },
  );
});

test('what another run does while a check that passes cleans up is not blamed on the service', async () => {
  let interfering: 'not yet' | 'once' | 'goes on' = 'not yet';
  let lists = 0;
  await share(
    {},
    (shared) => ({
      before: async ({ method, path }) => {
        if (interfering !== 'once' || method !== 'DELETE') return undefined;
        interfering = 'goes on';
        const { otherClient, ready } = shared();
        await otherClient('DELETE', ready.projects[0], path.split('/').at(-1) ?? '');
        return undefined;
      },
      after: async ({ method, path }) => {
        if (interfering !== 'goes on' || method !== 'GET' || !LIST.test(path)) return;
        lists += 1;
        const { otherClient, ready } = shared();
        if (lists % 5 === 0)
          await otherClient(lists % 10 === 0 ? 'DELETE' : 'PUT', ready.projects[0], ready.users[2]);
      },
    }),
    async ({ written }) => {
      const results = await judgeLive(written, {
        only: ['assign.adds-user'],
        beforeCheck: () => {
          interfering = 'once';
        },
      });
      expect(resultOf(results, 'assign.adds-user')).toBe('pass');
      expect(results.requirements.filter((r) => r.result === 'fail')).toEqual([]);
      expect(results.exitCode, JSON.stringify(results.troubles)).toBe(3);
    },
  );
});

test('a run that sees another one shows it that it is not alone, when it has cleaned up, and leaves no user assigned', async () => {
  const passed: string[] = [];
  let interferedAt = 0;
  await share(
    {},
    (shared) => {
      const interfere = once('GET', LIST, 9, async () => {
        const { otherClient, ready } = shared();
        await otherClient('PUT', ready.projects[0], ready.users[2]);
        interferedAt = passed.length;
      });
      return {
        after: async (passing) => {
          passed.push(`${passing.method} ${passing.path}`);
          await interfere.after?.(passing);
        },
      };
    },
    async ({ written }) => {
      const results = await judgeLive(written, { only: ONLY });
      expect(results.exitCode, JSON.stringify(results.troubles)).toBe(3);
      const shown = passed.slice(interferedAt).filter((request) => request.startsWith('PUT'));
      expect(shown.length).toBeGreaterThan(10);
      const last = new Map<string, string>();
      for (const request of passed) {
        const [method = '', path = ''] = request.split(' ');
        if (method === 'PUT' || method === 'DELETE') last.set(path, method);
      }
      expect([...last.values()].filter((method) => method === 'PUT')).toEqual([]);
    },
  );
});
