import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { runCommand } from '../support/command.ts';

/** The scenarios on somebody's own client, as a command: `client --client FILE`. */

const REFERENCE = fileURLToPath(new URL('../support/client-adapters/reference.ts', import.meta.url));

/** Writes an adapter over the reference client; `changes` are members of it, as source. */
function writeAdapter(name: string, changes: string): string {
  const file = test.info().outputPath(name);
  writeFileSync(
    file,
    `import reference from ${JSON.stringify(REFERENCE)};
export default { ...reference, name: 'our client', ${changes} };
`,
  );
  return file;
}

test('a client that passes: 0, with the number of scenarios', async () => {
  const file = writeAdapter('good.mts', '');
  const end = await runCommand([
    'client',
    '--client',
    file,
    '--only',
    'list.array',
    '--only',
    'refresh.request',
  ]);
  expect(end.stdout).toContain('our client: list.array');
  expect(end.stdout).toContain('2 of 2 scenarios as expected (exit 0)');
  expect(end.code, end.stderr).toBe(0);
});

test('a client that reads no lists: 1, and the scenario by name; expected with its words: 0', async () => {
  const list = `createClient: async (settings) => ({
    ...(await reference.createClient(settings)),
    list: async () => { throw new Error('lists are not read yet'); },
  })`;
  const only = ['--only', 'list.array'] as const;
  const failing = await runCommand(['client', '--client', writeAdapter('failing.mts', list), ...only]);
  expect(failing.stdout).toContain('our client: list.array');
  expect(failing.stdout).toContain('1 scenario failed');
  expect(failing.code).toBe(1);
  const expected = `expectedFailures: { 'list.array': { reason: 'not yet', failsWith: 'lists are not read yet' } }`;
  const known = await runCommand([
    'client',
    '--client',
    writeAdapter('known.mts', `${list}, ${expected}`),
    ...only,
  ]);
  expect(known.code, known.stdout).toBe(0);
});

test('no file, no adapter in it, no such scenario: 2, and what to do', async () => {
  const nowhere = await runCommand(['client', '--client', 'nowhere.ts']);
  expect([nowhere.code, nowhere.stderr]).toEqual([2, expect.stringContaining('there is no file nowhere.ts')]);
  const good = writeAdapter('good.mts', '');
  const unknown = await runCommand(['client', '--client', good, '--only', 'lists']);
  expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('the groups are authorize')]);
  const none = test.info().outputPath('none.mts');
  writeFileSync(none, 'export default { name: 7 };');
  const empty = await runCommand(['client', '--client', none, '--only', 'list.array']);
  expect([empty.code, empty.stderr]).toEqual([2, expect.stringContaining('name, createClient and explain')]);
});
