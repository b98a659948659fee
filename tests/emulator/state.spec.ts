import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { serialize } from 'node:v8';
import { expect, test } from '@playwright/test';
import { StateFile } from '../../src/commands/emulate/state-file.ts';
import { startEmulator } from '../../src/emulator/start/start-emulator.ts';
import { runHere } from '../support/command-here.ts';
import { startClient } from '../support/emulator-client.ts';

test('grants, tokens, codes and assignments are as they were after a start with a saved state', async () => {
  const before = await startClient({ profile: 'by-the-rfc', clock: 'real' });
  const [project] = before.emulator.seed.projects;
  const old = await before.pair();
  const pair = await (await before.refresh({ refresh_token: old.refresh_token })).json();
  const used = await before.code();
  await before.exchange({ code: used });
  const waiting = await before.code();
  const assigned = before.emulator.seed.users.map(({ id }) => id).at(-1) ?? '';
  await before.call('PUT', before.path(project.id, assigned), pair.access_token);
  const list = await (await before.call('GET', before.path(project.id), pair.access_token)).json();

  const after = await startClient({ profile: 'by-the-rfc', clock: 'real', state: before.emulator.state() });
  expect(after.emulator.seed).toEqual(before.emulator.seed);
  expect(await (await after.call('GET', after.path(project.id), pair.access_token)).json()).toEqual(list);
  expect((await after.refresh({ refresh_token: old.refresh_token })).ok).toBe(false);
  expect((await after.exchange({ code: used })).ok).toBe(false);
  expect((await after.exchange({ code: waiting })).ok).toBe(true);
  const next = await (await after.pair()).access_token;
  expect((await after.call('DELETE', after.path(project.id, assigned), next)).ok).toBe(true);
});

test('what no emulator of this version has saved is refused', async () => {
  for (const state of [new Uint8Array(), Buffer.from('{}'), serialize({}), serialize({ version: 99 })])
    await expect(startEmulator({ state })).rejects.toThrow(/^state: expected (what an emulator|version 1)/);
});

test.describe('the file', () => {
  const own = (name: string) => test.info().outputPath(name);

  test('is readable by its user alone, follows what happens, and belongs to one process', async () => {
    const path = own('state');
    const file = new StateFile(path);
    expect(file.read()).toBeUndefined();
    expect(() => new StateFile(path)).toThrow(new RegExp(`^--state: process ${process.pid} has `));
    const client = await startClient({ clock: 'real' });
    file.keep(client.emulator);
    const { access_token } = await client.pair();
    expect(await file.close(client.emulator)).toEqual([]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readFileSync(path).includes(access_token)).toBe(true);
    const again = new StateFile(path);
    expect(again.read()?.length).toBeGreaterThan(0);
    await again.close();
  });

  test('has its application: an option for another one is refused', async () => {
    const path = own('state');
    const { emulator } = await startClient({ clock: 'real' });
    writeFileSync(path, emulator.state());
    const { code, stderr } = await runHere([
      'emulate',
      '--state',
      path,
      '--client-id',
      'other',
      '--port',
      '0',
    ]);
    expect([code, stderr]).toEqual([2, expect.stringContaining('holds the application ')]);
    await new StateFile(path).close();
  });

  test('of a process that was killed can be taken', async () => {
    const path = own('state');
    // Above every process id that Linux gives.
    writeFileSync(`${path}.lock`, `${2 ** 22 + 1}`);
    await new StateFile(path).close();
  });
});
