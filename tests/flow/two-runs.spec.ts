/** Another client in the same project while a run goes on: noticed, exit 3 and why, and no requirement is blamed for it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import type { Transport } from '../../src/exchange/exchange.ts';
import type { Results } from '../../src/report/results.ts';
import { checkBehind, checkLive, idsWith } from '../support/check-live.ts';
import { explorationOf } from '../support/explore-live.ts';
import { type GatewayHooks, startGateway } from '../support/gateway.ts';
import { type WrittenConfiguration, writeLiveConfiguration } from '../support/live-config.ts';
import type { ReadyStandIn } from '../support/stand-in/start.ts';
import { startStandIn } from '../support/stand-in/start.ts';
import { Walk } from '../support/stand-in/walk.ts';

/** A service, the way to it that a test may interfere on, and another client that knows it too. */
interface Shared {
  readonly ready: ReadyStandIn;
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
    const token = await walk.accessToken();
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
        second = await checkLive(shared().elsewhere, { only: ['assign.adds-user'] });
      }),
    async ({ written, ready }) => {
      const first = await checkLive(written, { only: ['assign.adds-user', 'list.fresh'] });
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
  readonly says: string;
}[] = [
  {
    title: "one of the suite's own is unassigned by another client",
    at: ['GET', LIST, 9],
    act: ({ otherClient, ready }) => otherClient('DELETE', ready.projects[0], ready.users[0]),
    says: 'another client (another run, a person)',
  },
  {
    title: "one of the suite's own is assigned by another client",
    at: ['GET', LIST, 9],
    act: ({ otherClient, ready }) => otherClient('PUT', ready.projects[0], ready.users[2]),
    says: 'or the service fails only sometimes',
  },
  {
    title: 'a stranger is assigned by another client',
    at: ['GET', LIST, 20],
    act: ({ otherClient, ready }) => otherClient('PUT', ready.projects[0], 'u-0vnf'),
    says: 'another client',
  },
];

for (const { title, at, act, says } of MEANWHILE) {
  test(`${title}: 3, and why`, async () => {
    await share(
      {},
      (shared) => once(...at, () => act(shared())),
      async ({ written }) => {
        const results = await checkLive(written, { only: ONLY });
        expect(results.troubles.map(({ message }) => message).join()).toContain(says);
        expect(results.requirements.filter((r) => r.result === 'fail')).toEqual([]);
        expect(results.exitCode, JSON.stringify(results.troubles)).toBe(3);
      },
    );
  });
}

test('a failure that another client caused once, and that does not show again, is 3', async () => {
  let check: string | undefined;
  await share(
    {},
    (shared) => ({
      after: async ({ method }) => {
        const { otherClient, ready } = shared();
        if (check !== 'assign.adds-user' || method !== 'PUT') return;
        check = undefined;
        // Between an assign and the list that should show it: nothing tells that from a service that assigns nobody.
        await otherClient('DELETE', ready.projects[0], ready.users[0]);
      },
    }),
    async ({ written }) => {
      const only = ['exchange.expires-in-7200', 'assign.adds-user', 'list.safe'];
      const results = await checkLive(written, {
        only,
        beforeCheck: (index) => {
          check = only[index];
        },
      });
      expect(resultOf(results, 'exchange.expires-in-7200')).toBe('pass');
      expect(resultOf(results, 'assign.adds-user')).toBe('not-run');
      expect(resultOf(results, 'list.safe')).toBe('not-run');
      expect(results.exitCode, JSON.stringify(results.troubles)).toBe(3);
    },
  );
});

test('a service that removes others by itself is not taken for another client: 1', async () => {
  await share(
    { STAND_IN_DEFECT: 'unassign-removes-all' },
    () => ({}),
    async ({ elsewhere }) => {
      const results = await checkLive(elsewhere, { only: ['unassign.leaves-others', 'list.fresh'] });
      expect(resultOf(results, 'unassign.leaves-others')).toBe('fail');
      expect(resultOf(results, 'list.fresh')).toBe('pass');
      expect(results.troubles.map(({ message }) => message).join()).toContain(
        'no request of this run did that',
      );
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
    async ({ written }) => {
      const run = await explorationOf(written, { requests: 300, seed: 1 });
      expect(run.exploration?.findings).toEqual([]);
      expect(run.exploration?.endedEarly).toBe('another client changes the projects');
      const why = run.troubles.map(({ message }) => message).join();
      expect(why).toContain("another client (another run, a person) changes the suite's users");
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
      const results = await checkLive(written, {
        only: ['assign.adds-user'],
        beforeCheck: () => {
          interfering = 'once';
        },
      });
      expect(resultOf(results, 'assign.adds-user')).toBe('pass');
      expect(results.requirements.filter((r) => r.result === 'fail')).toEqual([]);
      expect(results.exitCode, JSON.stringify(results.troubles)).not.toBe(1);
    },
  );
});

test.describe('before anything is changed', () => {
  const changing = (inner: Transport, sent: string[]): Transport => {
    let lists = 0;
    return async (request, signal) => {
      sent.push(request.method);
      const response = await inner(request, signal);
      if (request.method !== 'GET' || !LIST.test(request.url)) return response;
      lists += 1;
      // Three are the smoke flow's own.
      return lists <= 12
        ? response
        : { ...response, body: response.body.replace(/"id":"?\d+"?/, '"id":999') };
    };
  };

  test('the lists are read for ten seconds: a change is 3, and nothing was changed', async () => {
    const sent: string[] = [];
    const results = await checkBehind((inner) => changing(inner, sent), ['assign.adds-user']);
    expect(results.troubles.map(({ message }) => message).join()).toMatch(
      /changed within 10 s although the suite sent nothing.*another client.*or the service's lists differ/,
    );
    expect(results.exitCode).toBe(3);
    expect(sent).not.toContain('PUT');
    expect(sent).not.toContain('DELETE');
  });
});

test.describe('a service that changes assignments by itself fails:', () => {
  const ONLY = ['assign.adds-user', 'unassign.removes-user', 'list.returns-assigned', 'list.project-scoped'];

  test('a queue that delivers each assign twice', async () => {
    const results = await checkBehind((inner) => {
      let late: (() => Promise<unknown>) | undefined;
      return async (request, signal) => {
        const response = await inner(request, signal);
        if (request.method === 'PUT') late = () => inner(request, signal);
        if (request.method === 'DELETE') {
          const second = late;
          late = undefined;
          await second?.();
        }
        return response;
      };
    }, ONLY);
    expect(idsWith(results, 'fail')).toContain('unassign.removes-user');
    expect(results.exitCode, JSON.stringify(results.troubles)).toBe(1);
  });
});
