/** The samples that use the emulator from a program run as they stand, save for where they import from. */
import { spawn } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from '@playwright/test';
import { blocksOf } from '../support/documentation/blocks.ts';
import { ROOT, textOf } from '../support/documentation/pages.ts';
import { PROVE } from '../support/prove.ts';
import { browserPath } from '../support/run/browser-path.ts';

const PAGES = ['README.md', 'docs/programs.md', 'docs/emulator.md', 'docs/emulator-control.md'];

const SOURCES: Readonly<Record<string, string>> = {
  'legacy-api-conformance/emulator': 'src/emulator/index.ts',
  'legacy-api-conformance/fixtures': 'src/fixtures.ts',
};

interface Sample {
  readonly at: string;
  readonly text: string;
}

const samples: readonly Sample[] = PAGES.flatMap((page) =>
  blocksOf(textOf(page))
    .filter(({ language, mark }) => language === 'ts' && mark?.kind !== 'not run')
    .map(({ line, text }) => ({ at: `${page}:${line}`, text: importedFromSource(text) })),
);

function importedFromSource(text: string): string {
  return Object.entries(SOURCES).reduce(
    (changed, [name, file]) =>
      changed.replaceAll(`'${name}'`, JSON.stringify(pathToFileURL(join(ROOT, file)).href)),
    text,
  );
}

/** Within the repository, so that `@playwright/test` is the one that runs this; one for each worker. */
const FOLDER = join(ROOT, 'test-results', `samples-${process.pid}`);

async function run(
  args: readonly string[],
): Promise<{ readonly code: number | null; readonly said: string }> {
  const child = spawn(process.execPath, args, { cwd: FOLDER, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  child.stdout.on('data', (chunk) => (said += chunk));
  child.stderr.on('data', (chunk) => (said += chunk));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, said };
}

function write(name: string, text: string): string {
  mkdirSync(FOLDER, { recursive: true });
  const file = join(FOLDER, name);
  writeFileSync(file, text);
  return file;
}

test.afterAll(() => rmSync(FOLDER, { recursive: true, force: true }));

test('every sample for Playwright passes', PROVE, async () => {
  const ofPlaywright = samples.filter(({ text }) => text.includes("'@playwright/test'"));
  // A page may show the setup alone.
  const whole = ofPlaywright.filter(({ text }) => text.includes('async ({'));
  expect(whole.length).toBeGreaterThan(0);
  for (const [index, { text }] of whole.entries()) write(`sample-${index}.spec.ts`, text);
  const use = { launchOptions: { executablePath: await browserPath() } };
  const config = write(
    'playwright.config.ts',
    `export default ${JSON.stringify({ testDir: '.', outputDir: './out', workers: 1, reporter: 'line', use })};`,
  );
  const runner = join(ROOT, 'node_modules/@playwright/test/cli.js');
  const { code, said } = await run([runner, 'test', '--config', config]);
  expect(code, said).toBe(0);
  expect(said).toContain(`${whole.length} passed`);
});

for (const [index, { at, text }] of samples.entries()) {
  if (text.includes("'@playwright/test'")) continue;
  test(`the sample of ${at} runs`, async () => {
    const { code, said } = await run([write(`sample-${index}.ts`, text)]);
    expect(code, said).toBe(0);
    expect(said).not.toMatch(/^not ok|# fail [1-9]/m);
  });
}
