import { expect, test } from '@playwright/test';
import { readyBlock } from '../../src/commands/emulate/ready.ts';
import { startClient } from '../support/emulator-client.ts';

const HOUR = 3_600;
const DAY = 24 * HOUR;

test('a brownout refuses for a while in each period, 410 and 503 in turn, and changes nothing', async () => {
  const client = await startClient({
    clock: 20_000 * DAY - HOUR,
    retirement: { brownout: { lasts: 2 * HOUR, every: DAY } },
  });
  const { clock } = client.emulator.control;
  const [project] = client.emulator.seed.projects;
  const user = client.emulator.seed.users.at(-1)?.id ?? '';
  const { access_token } = await client.pair();
  const assign = () => client.call('PUT', client.path(project.id, user), access_token);
  clock.advance(HOUR);
  expect((await assign()).status).toBe(410);
  expect((await client.refresh({ refresh_token: 'any' })).status).toBe(410);
  clock.advance(DAY);
  const busy = await assign();
  expect([busy.status, busy.headers.get('retry-after')]).toEqual([503, `${2 * HOUR}`]);
  clock.advance(2 * HOUR);
  const pair = await client.pair();
  expect(await client.list(project.id, pair.access_token)).not.toContain(user);
});

test('the end is announced in every answer of the service, and then every request is gone', async () => {
  const from = Date.parse('2027-01-31') / 1_000;
  const client = await startClient({ clock: from - HOUR, retirement: { from, announced: true } });
  const announced = await client.refresh({ refresh_token: 'unknown' });
  expect(announced.headers.get('sunset')).toBe('Sun, 31 Jan 2027 00:00:00 GMT');
  expect(announced.headers.get('deprecation')).toMatch(/^@\d+$/);
  expect(announced.status).toBe(400);
  const printed = readyBlock(client.emulator, undefined, { from, announced: true });
  expect(printed).toContain('RETIRED from 2027-01-31 on: answers 410\nANNOUNCED: ');
  client.emulator.control.clock.advance(HOUR);
  expect((await client.refresh({ refresh_token: 'unknown' })).status).toBe(410);
});

test('without one, nothing is announced', async () => {
  const client = await startClient();
  const answer = await client.refresh({ refresh_token: 'unknown' });
  expect([answer.headers.get('sunset'), answer.headers.get('deprecation')]).toEqual([null, null]);
});
