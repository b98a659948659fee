/** Two runs, or other people, at work in the same project: the lock keeps runs apart, and other people's users decide nothing. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import type { Results } from '../../../src/report/results.ts';
import { checkBehind, checkLive, idsWith } from '../../support/check-live.ts';
import { runHere } from '../../support/command-here.ts';
import { type GatewayHooks, startGateway } from '../../support/gateway.ts';
import {
  type ReadyIndependentService,
  startIndependentService,
} from '../../support/independent-service/start.ts';
import { Walk } from '../../support/independent-service/walk.ts';
import { type WrittenConfiguration, writeLiveConfiguration } from '../../support/live-config.ts';

/** A service, the way to it that a test may interfere on, and another client that knows it too. */
interface Shared {
  readonly ready: ReadyIndependentService;
  readonly written: WrittenConfiguration;
  readonly elsewhere: WrittenConfiguration;
  otherClient(method: 'PUT' | 'DELETE', project: string, user: string): Promise<void>;
}

async function share(
  independentService: Readonly<Record<string, string>>,
  hooks: (shared: () => Shared) => GatewayHooks,
  work: (shared: Shared) => Promise<void>,
): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'two-runs-'));
  const running = await startIndependentService(independentService);
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

test('a second run that starts while the first has somebody assigned: 3, and the first goes on unharmed', async () => {
  let second: Results | undefined;
  await share(
    {},
    (shared) =>
      // The lock, then the smoke flow; this is the first assign of a check.
      once('PUT', /./, 3, async () => {
        second = await checkLive(shared().elsewhere, { only: ['assign.adds-user'] });
      }),
    async ({ written, ready }) => {
      const first = await checkLive(written, { only: ['assign.adds-user', 'list.fresh'] });
      expect(first.exitCode, JSON.stringify(first.troubles)).toBe(0);
      expect(second?.exitCode).toBe(3);
      const why = second?.troubles.map(({ message }) => message).join() ?? '';
      expect(why).toContain(`user ${ready.users[0]} is assigned to project ${ready.projects[0]}`);
      expect(why).toContain('another run is under way');
    },
  );
});

const LIST = /assigned_users$/;

async function listedNow(
  ready: ReadyIndependentService,
): Promise<Readonly<Record<string, readonly string[]>>> {
  const walk = new Walk(ready);
  return walk.everyone(await walk.accessToken());
}

test('the lock user is assigned while a run lasts, first and last, and released at its end', async () => {
  const changes: string[] = [];
  await share(
    {},
    () => ({
      after: async ({ method, path }) => {
        if (method !== 'GET') changes.push(`${method} ${path.split('/').at(-1)}`);
      },
    }),
    async ({ written, ready }) => {
      const results = await checkLive(written, { only: ['assign.adds-user'] });
      expect(results.exitCode, JSON.stringify(results.troubles)).toBe(0);
      expect([changes[0], changes.at(-1)]).toEqual([`PUT ${ready.lockUser}`, `DELETE ${ready.lockUser}`]);
      expect(changes.filter((one) => one.endsWith(ready.lockUser))).toHaveLength(2);
      expect(await listedNow(ready)).toEqual(ready.assigned);
    },
  );
});

test('a lock that another run holds: 3 at once, and nothing is changed', async () => {
  const changes: string[] = [];
  await share(
    {},
    () => ({ after: async ({ method }) => void (method === 'GET' || changes.push(method)) }),
    async ({ written, otherClient, ready }) => {
      await otherClient('PUT', ready.projects[0], ready.lockUser);
      const results = await checkLive(written, { only: ['assign.adds-user'] });
      expect(results.exitCode).toBe(3);
      expect(results.troubles.map(({ message }) => message).join()).toMatch(
        /user \S+ \(`lock`\) is assigned to project \S+: another run is under way, or was killed\nunder way: wait, .*\nkilled: `npx legacy-conformance sweep --target \S+`/,
      );
      expect(changes).toEqual([]);
    },
  );
});

test('a run waits for the lock as long as it is allowed to', async () => {
  await share(
    {},
    (shared) =>
      once('GET', LIST, 5, () => {
        const { otherClient, ready } = shared();
        return otherClient('DELETE', ready.projects[0], ready.lockUser);
      }),
    async ({ ready, written, otherClient }) => {
      await otherClient('PUT', ready.projects[0], ready.lockUser);
      const lock = { project: ready.projects[0], user: ready.lockUser, waitSeconds: 2 };
      const file = JSON.parse(readFileSync(written.file, 'utf8'));
      writeFileSync(written.file, JSON.stringify({ ...file, lock }));
      const words = ['check', '--target', written.file, '--only', 'assign.adds-user'];
      const report = test.info().outputPath('report');
      const { code, stdout, stderr } = await runHere([...words, '--report', report], written.env);
      expect(code, stdout).toBe(0);
      expect(stderr).toContain(
        'another run is under way, or was killed: waiting up to 2 s for it to end (`lock.waitSeconds`)',
      );
    },
  );
});

test('a lock user whom the service does not know is a wrong setting: 3, and no failure', async () => {
  await share(
    {},
    () => ({}),
    async ({ ready, written }) => {
      const file = JSON.parse(readFileSync(written.file, 'utf8'));
      writeFileSync(
        written.file,
        JSON.stringify({ ...file, lock: { project: ready.projects[0], user: 'nobody' } }),
      );
      const results = await checkLive(written, { only: ['assign.adds-user'] });
      expect(results.exitCode).toBe(3);
      expect(idsWith(results, 'fail')).toEqual([]);
      expect(results.troubles.map(({ message }) => message).join()).toContain('correct `lock`');
      expect(await listedNow(ready)).toEqual(ready.assigned);
    },
  );
});

for (const [when, times, id, result] of [
  ['a moment late', 1, 'list.fresh', 'warning'],
  ['never', Number.POSITIVE_INFINITY, 'assign.adds-user', 'fail'],
] as const) {
  test(`a lock user who is listed ${when}: ${id}, a ${result}, and the run goes on`, async () => {
    let hidden = -1;
    await share(
      {},
      (shared) => ({
        after: async ({ method, path }) => {
          if (method === 'PUT' && path.endsWith(shared().ready.lockUser)) hidden = 0;
        },
        instead: ({ method, path }, { status, body }) => {
          if (hidden < 0 || hidden >= times || method !== 'GET' || !LIST.test(path)) return undefined;
          hidden += 1;
          const { data, ...rest } = JSON.parse(body) as { data: { id: string }[] };
          const others = data.filter((one) => one.id !== shared().ready.lockUser);
          return { status, body: JSON.stringify({ ...rest, data: others }) };
        },
      }),
      async ({ written }) => {
        const results = await checkLive(written, {
          only: ['exchange.token-acts', 'assign.adds-user', 'list.fresh'],
        });
        expect(idsWith(results, result)).toEqual([id]);
        expect(results.requirements.find((one) => one.id === 'exchange.token-acts')?.result).toBe('pass');
      },
    );
  });
}

test('a lock user who disappears, although nobody but the service could do it: list.returns-assigned', async () => {
  await share(
    {},
    (shared) =>
      once('GET', LIST, 12, () => {
        const { otherClient, ready } = shared();
        return otherClient('DELETE', ready.projects[0], ready.lockUser);
      }),
    async ({ written }) => {
      const results = await checkLive(written, { only: ['exchange.token-acts', 'list'] });
      expect(results.exitCode).toBe(1);
      expect(idsWith(results, 'fail')).not.toEqual([]);
    },
  );
});

/** Other people's users in the first project come and go: at lists (nothing of the run did it), or around a change of the run. */
const OTHERS: readonly (readonly [
  what: string,
  hooks: (shared: () => Shared) => GatewayHooks,
  exitCode: number,
  failed: readonly string[],
  notices: number,
])[] = [
  ['come', (shared) => once('GET', LIST, 12, () => other(shared(), 'PUT', 'u-0vnf')), 0, [], 0],
  ['go once, around a change of the run', (shared) => afterAssign(shared, 1), 0, [], 1],
  ['go twice', (shared) => afterAssign(shared, 2), 0, [], 1],
  ['come and go with every seventh request', (shared) => everySeventh(shared), 0, [], 1],
];

function other({ otherClient, ready }: Shared, method: 'PUT' | 'DELETE', user: string): Promise<void> {
  return otherClient(method, ready.projects[0], user);
}

/** Another person's user is unassigned and assigned again in turn, whatever the run does. */
function everySeventh(shared: () => Shared): GatewayHooks {
  let requests = 0;
  return {
    after: async ({ path }) => {
      if (!path.includes(`/${shared().ready.projects[0]}/`)) return;
      requests += 1;
      const user = shared().ready.assigned[shared().ready.projects[0]]?.[0] ?? '';
      if (requests % 7 === 0) await other(shared(), requests % 14 === 0 ? 'PUT' : 'DELETE', user);
    },
  };
}

/** Loses one of the other people's users at each of the first assigns of checks to the first project. */
function afterAssign(shared: () => Shared, count: number): GatewayHooks {
  let seen = 0;
  return {
    after: async ({ method, path }) => {
      const { ready } = shared();
      if (method !== 'PUT' || !path.includes(`/${ready.projects[0]}/`)) return;
      seen += 1;
      // The lock and the smoke flow come first.
      const lost = (ready.assigned[ready.projects[0]] ?? [])[seen - 3];
      if (lost !== undefined && seen - 2 <= count) await other(shared(), 'DELETE', lost);
    },
  };
}

for (const [what, hooks, exitCode, failed, notices] of OTHERS) {
  test(`other people's users ${what}`, async () => {
    await share({}, hooks, async ({ written }) => {
      const results = await checkLive(written, { only: ['assign', 'list.returns-assigned', 'list.safe'] });
      expect(idsWith(results, 'fail')).toEqual(failed);
      expect(results.notices ?? []).toHaveLength(notices);
      expect(results.exitCode, JSON.stringify(results.troubles)).toBe(exitCode);
    });
  });
}

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
