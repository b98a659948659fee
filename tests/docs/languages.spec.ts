/** The examples in other languages, with the toolchains that the machine has. */
import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@playwright/test';
import { ROOT } from '../support/documentation/pages.ts';
import { startWire, type WireClient } from '../support/own-tests/wire.ts';
import { PROVE } from '../support/prove.ts';

const run = promisify(execFile);

const LANGUAGES = {
  php: { tool: ['php', '--version'], command: 'php test.php' },
  go: { tool: ['go', 'version'], command: 'GOCACHE="$OUT/cache" GOTOOLCHAIN=local go test -count=1 ./...' },
  ruby: { tool: ['ruby', '-rminitest', '-e', ''], command: 'ruby test_members.rb' },
  java: { tool: ['javac', '--version'], command: 'javac -d "$OUT" *.java && java -cp "$OUT" MembersTest' },
} as const;

test.describe('a client in another language', () => {
  let wire: WireClient;

  test.beforeAll(async () => {
    wire = await startWire();
  });

  test.afterAll(async () => {
    wire.command.stop('SIGTERM');
    await wire.command.end;
  });

  for (const [language, { tool, command }] of Object.entries(LANGUAGES))
    test(`${language} is sound, and its last test says so`, PROVE, async () => {
      const [program, ...args] = tool;
      test.skip(spawnSync(program, args).status !== 0, `${program} is not installed`);
      test.setTimeout(180_000);
      await wire.control('POST', '/reset');
      const cwd = join(ROOT, 'examples/languages', language);
      const env = { ...process.env, ...wire.variables, OUT: test.info().outputPath('out') };
      const end = await run('sh', ['-ec', command], { cwd, env }).catch((error) => error);
      expect([end.code, end.stderr], end.stdout).toEqual([undefined, '']);
    });
});

test('the page has the commands that the tests run', () => {
  const page = readFileSync(join(ROOT, 'examples/languages/README.md'), 'utf8');
  for (const words of ['php test.php', 'go test -count=1 ./...', 'ruby test_members.rb', 'MembersTest'])
    expect(page).toContain(words);
});
