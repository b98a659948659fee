import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { type Command, CommanderError } from 'commander';
import { verbs } from '../../src/cli/program.ts';
import { loadConfiguration } from '../../src/service/configuration/load-configuration.ts';

/** Every command that the documentation shows is one that the command line takes: verb, arguments, options. Nothing is run. */

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

const PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  ...['docs', 'examples', '.github'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(md|ya?ml|txt)$/.test(file) && !/node_modules|recorded/.test(file))
      .map((file) => join(folder, file)),
  ),
];

/** Whole commands in code: continued lines are joined, and what a shell reads after the command is cut off. */
function commandsIn(text: string): readonly string[] {
  const joined = text.replace(/\\\n\s*/g, ' ');
  const inBlocks = [...joined.matchAll(/^```(\w*)\n([\s\S]*?)^```/gm)].flatMap(
    ([, language = '', block = '']) => (/^(sh|yaml|groovy|console|)$/.test(language) ? [block] : []),
  );
  const lines = [...(text.includes('```') ? inBlocks : [joined]).join('\n').split('\n')];
  return lines.flatMap((line) => {
    const [, command] =
      /(?:^|[\s'"`$(])(?:npx (?:--no-install |--yes )?)?legacy-conformance +([a-z][^#]*)/.exec(line) ?? [];
    // `…` stands for any verb.
    if (command?.includes('…') !== false) return [];
    return [(command.split(/\s(?:\||>|&|;|&&|\|\|)|;\s|`|["')]\s*$/)[0] ?? '').trim()];
  });
}

/** Words as a shell splits them; variables stay as they stand. */
function textOf(command: string): readonly string[] {
  return [...command.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, one, two, three]) => one ?? two ?? three ?? '',
  );
}

/** The problem of a command, or undefined. */
async function problemWith(words: readonly string[]): Promise<string | undefined> {
  const [name = '', ...rest] = words;
  const verb = verbs().find((one) => one.name() === name);
  if (verb === undefined) return `there is no verb ${name}`;
  quiet(verb);
  try {
    await verb.parseAsync(rest, { from: 'user' });
    return undefined;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? undefined : error.message;
    // A value that stands for the reader's own, such as N or a variable, is not a value that the verb takes.
    return undefined;
  }
}

/** Parses, prints nothing and does nothing. */
function quiet(command: Command): void {
  command
    .exitOverride()
    .configureOutput({ writeOut: () => undefined, writeErr: () => undefined })
    .action(() => undefined);
  for (const one of command.commands) quiet(one);
}

test('every page’s commands', async () => {
  const wrong: string[] = [];
  let seen = 0;
  for (const page of PAGES) {
    for (const command of commandsIn(readFileSync(join(ROOT, page), 'utf8'))) {
      seen += 1;
      const problem = await problemWith(textOf(command));
      if (problem !== undefined) wrong.push(`${page}: legacy-conformance ${command}: ${problem}`);
    }
  }
  expect(wrong).toEqual([]);
  expect(seen).toBeGreaterThan(60);
});

test('every command of a page can be pasted where the package is a dependency', () => {
  const bare = PAGES.filter((page) => page.endsWith('.md')).flatMap((page) =>
    readFileSync(join(ROOT, page), 'utf8')
      .split('\n')
      .filter((line) => /(?:^ *|`|\w=\S+ )legacy-conformance [a-z]/.test(line))
      .map((line) => `${page}: ${line}`),
  );
  expect(bare).toEqual([]);
});

test('the command of the example of a container', async () => {
  const file = readFileSync(join(ROOT, 'examples/container/Containerfile'), 'utf8');
  const of = (word: string) => JSON.parse(new RegExp(`^${word} (\\[.*\\])$`, 'm').exec(file)?.[1] ?? '[]');
  const [program, ...words] = [...of('ENTRYPOINT'), ...of('CMD')] as string[];
  expect(program).toBe('legacy-conformance');
  expect(words.length).toBeGreaterThan(4);
  expect(await problemWith(words)).toBeUndefined();
});

test('the example of a gate has a configuration that is valid', async () => {
  const env = { STAGING_CLIENT_SECRET: 'a-secret-of-staging', STAGING_PASSWORD: 'a-password-of-staging' };
  const { name, users } = await loadConfiguration(
    join(ROOT, 'examples/gate/staging/conformance.config.json'),
    env,
  );
  expect([name, users.length]).toEqual(['staging', 3]);
});
