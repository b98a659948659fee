/** A run on a live target that is told to stop sends no request that was still waiting for its turn. */

import { expect, test } from '@playwright/test';
import type { Transport } from '../../../src/http/exchange.ts';
import { SecretRegistry } from '../../../src/http/secrets/registry.ts';
import { loadConfiguration } from '../../../src/service/configuration/load-configuration.ts';
import { connectWithoutBrowser } from '../../../src/service/flow/connect.ts';
import { ServiceClient } from '../../../src/service/flow/service-client.ts';
import { newRecorder } from '../../../src/service/flow/session.ts';
import { liveTarget } from '../../../src/service/live.ts';
import { startLiveEmulator } from '../../support/emulator-live.ts';

/** Assigns three users at once where one request a second may go; the clock stands until `pass` is called. */
async function waiting() {
  const live = await startLiveEmulator(test.info().outputPath('.'), [], { pacing: { requestsPerSecond: 1 } });
  const configuration = await loadConfiguration(live.file, live.env);
  await live.emulator.close();
  const sent: string[] = [];
  const transport: Transport = async ({ url }) => {
    sent.push(url.split('/').at(-1) ?? '');
    return { status: 204, headers: [], body: '', bytes: 0 };
  };
  const sleeping: (() => void)[] = [];
  const clock = { now: () => 0, sleep: () => new Promise<void>((resolve) => sleeping.push(resolve)) };
  const target = await liveTarget(configuration, { transport, clock, close: () => undefined });
  const session = connectWithoutBrowser(target, new SecretRegistry());
  const stop = new AbortController();
  const serviceClient = new ServiceClient(session, newRecorder(session, stop.signal));
  const [project] = target.projects;
  const assigned = target.users.map((user) =>
    serviceClient.resource('assign', { operation: 'assign', project, user, token: 'a token' }),
  );
  const pass = async () => {
    for (const wake of sleeping.splice(0)) wake();
    return Promise.all(assigned);
  };
  return { users: target.users, sent, stop, serviceClient, pass };
}

test('what waits for its turn is sent when time passes', async () => {
  const { users, sent, pass } = await waiting();
  await pass();
  expect(sent).toEqual(users);
});

test('what waits for its turn when the run is told to stop is never sent', async () => {
  const { users, sent, stop, pass } = await waiting();
  stop.abort(new Error('the run was told to stop'));
  await pass();
  expect(sent).toEqual(users.slice(0, 1));
});

test('what is asked for after that is not sent either', async () => {
  const { sent, stop, serviceClient, pass } = await waiting();
  await pass();
  const before = sent.length;
  stop.abort(new Error('the run was told to stop'));
  const late = serviceClient.resource('list', { operation: 'list', project: '1', token: 'a token' });
  expect((await late).failure?.message).toContain('the run was told to stop');
  expect(sent.length).toBe(before);
});
