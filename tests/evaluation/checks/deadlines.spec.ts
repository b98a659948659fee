/** A check that does not end is aborted by its deadline: whatever it holds ends with it, it is not run, and the next check has its worker. */

import { createServer } from 'node:http';
import { type Browser, chromium, expect, test } from '@playwright/test';
import { CHECKS } from '../../../src/evaluation/checks/index.ts';
import type { Check } from '../../../src/evaluation/language/check.ts';
import type { CollectedRun } from '../../../src/evaluation/run/collected-run.ts';
import { type RunOptions, runChecks } from '../../../src/evaluation/run/run-checks.ts';
import { Aborted } from '../../../src/http/exchange.ts';
import { nodeTransport } from '../../../src/http/node-transport.ts';
import { connectThrough, connectWithoutBrowser } from '../../../src/service/flow/connect.ts';
import { onLoopback } from '../../support/on-loopback.ts';
import { PROVE } from '../../support/prove.ts';
import { browserPath } from '../../support/run/browser-path.ts';

/** Milliseconds: time enough for a check of one request, on a busy machine too. */
const DEADLINE_MS = 5_000;

const EMULATOR = { target: 'emulator', profile: 'doorkeeper-5', defects: [] } as const;
const withoutPages: RunOptions['connectTo'] = async (target, secrets, signal) => ({
  session: connectWithoutBrowser(target, secrets, signal),
  close: async () => undefined,
});

const FRESH = CHECKS.filter(({ id }) => id === 'list.fresh');
const never = new Promise<never>(() => undefined);

function resultOf({ outcomes }: CollectedRun, id: string) {
  return outcomes.find(({ result }) => result.id === id)?.result;
}

function hanging(run: Extract<Check, { run: unknown }>['run']): Check {
  return { id: 'version.prefix', provokes: false, run };
}

test('a check that waits for nothing known: not run, and the next one passes', async () => {
  const options = { workers: 1, listener: {}, connectTo: withoutPages, checkDeadlineMs: DEADLINE_MS };
  const run = await runChecks(EMULATOR, [hanging(() => never), ...FRESH], options);
  expect(resultOf(run, 'version.prefix')).toMatchObject({
    result: 'not-run',
    reason: 'the check did not end within 5 s',
  });
  expect(resultOf(run, 'list.fresh')?.result).toBe('pass');
  expect(run.troubles).toEqual([]);
});

test('a check that was aborted sends nothing and moves no clock any more', async () => {
  let goOn = () => {};
  let later: Promise<unknown> = never;
  const gate = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const zombie = hanging(async ({ given, target }) => {
    await gate;
    later = Promise.allSettled([given.code(), target.clock?.advance(7_200)]);
    await never;
  });
  const after: Check = {
    id: 'list.fresh',
    provokes: false,
    run: async ({ given }) => {
      goOn();
      await new Promise((resolve) => setImmediate(resolve));
      expect(await later).toMatchObject([{ status: 'rejected' }, { status: 'rejected' }]);
      await given.listed();
    },
  };
  const run = await runChecks(EMULATOR, [zombie, after], {
    ...{ workers: 1, listener: {}, connectTo: withoutPages, checkDeadlineMs: DEADLINE_MS },
  });
  expect(run.troubles).toEqual([]);
  expect(resultOf(run, 'list.fresh')?.result).not.toBe('not-run');
});

test.describe('in a browser', () => {
  let browser: Browser;
  test.beforeAll(async () => {
    browser = await chromium.launch({ executablePath: await browserPath() });
  });
  test.afterAll(() => browser.close());

  test(
    'a page that never loads is closed with its check, and the next check has another',
    PROVE,
    async () => {
      const silent = createServer(() => undefined);
      const { origin: address, close } = await onLoopback(silent);
      const closed = new Promise<void>((resolve) => {
        silent.on('connection', (socket) => socket.once('close', () => resolve()));
      });
      let opened = 0;
      const connectTo: RunOptions['connectTo'] = async (target, secrets, signal) => {
        const connection = await connectThrough(browser, target, secrets, signal);
        const { session } = connection;
        const { pageAgent } = session;
        const stuck: typeof pageAgent = {
          kind: pageAgent.kind,
          createApplication: (...wanted) => pageAgent.createApplication(...wanted),
          authorize: (url, options, recorder) => {
            opened += 1;
            return pageAgent.authorize(opened === 2 ? address : url, options, recorder);
          },
        };
        return { ...connection, session: { ...session, pageAgent: stuck } };
      };
      const pages = CHECKS.filter(({ id }) => id === 'authorize.redirects-with-code');
      const first = hanging(async ({ authorize }) => {
        await authorize.request().outcome();
      });
      const run = await runChecks(EMULATOR, [first, ...pages], {
        ...{ workers: 1, listener: {}, connectTo, checkDeadlineMs: DEADLINE_MS },
      });
      await closed;
      await close();
      expect(resultOf(run, 'version.prefix')?.reason).toBe('the check did not end within 5 s');
      expect(resultOf(run, 'authorize.redirects-with-code')?.result).toBe('pass');
    },
  );
});

test('an aborted request gives up its connection', async () => {
  const { transport } = nodeTransport();
  const server = createServer(() => undefined);
  const { origin, close } = await onLoopback(server);
  const url = `${origin}/`;
  const abort = new AbortController();
  const closed = new Promise<void>((resolve) => {
    server.on('request', (request) => {
      request.socket.once('close', () => resolve());
      abort.abort('enough');
    });
  });
  const sent = transport({ method: 'GET', url, headers: [] }, abort.signal);
  await expect(sent).rejects.toThrow(Aborted);
  await closed;
  await expect(transport({ method: 'GET', url, headers: [] }, abort.signal)).rejects.toThrow('enough');
  await close();
});
