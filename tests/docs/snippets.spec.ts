/** Snippets of the documentation that are no commands: each can be read as what it says it is. Nothing is run. */
import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { parse } from 'yaml';
import { validateApp, validateConfiguration, validateKnownDeviations } from '../../generated/validators.js';
import { blocksOf } from '../support/documentation/blocks.ts';
import { PAGES, ROOT, textOf } from '../support/documentation/pages.ts';

const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>;
};

/** Reads a snippet of each language; throws where it cannot be. `…` stands for the reader's own. */
const READ: Readonly<Record<string, (text: string) => unknown>> = {
  json: (text) => {
    const whole = text.replaceAll(/\[ …[^\]]*\]/g, '[]').replaceAll('…', '');
    return JSON.parse(whole.trimStart().startsWith('{') ? whole : `{${whole}}`);
  },
  yaml: (text) => parse(text),
  ts: (text) => stripTypeScriptTypes(text),
  sh: (text) => {
    for (const [, name = ''] of text.matchAll(/^\s*npm run ([\w:-]+)/gm))
      if (!(name in scripts)) throw new Error(`npm run ${name}: there is no such script`);
  },
};

/** Not read, because nothing here can: what another runtime runs, said so beside it, and output. */
const NOT_READ = new Set(['', 'groovy', 'python', 'go', 'php', 'java', 'ruby']);

test('every snippet is what it says it is', () => {
  const wrong: string[] = [];
  let seen = 0;
  for (const page of PAGES) {
    const text = textOf(page);
    for (const { 1: language = '', 2: block = '', index } of text.matchAll(
      /^ *```(\w*)\n([\s\S]*?)^ *```/gm,
    )) {
      const where = `${page}:${text.slice(0, index).split('\n').length}`;
      if (NOT_READ.has(language)) continue;
      const read = READ[language];
      seen += 1;
      try {
        if (read === undefined) throw new Error(`no snippet is written in ${language}`);
        read(block);
      } catch (error) {
        wrong.push(`${where}: ${(error as Error).message.split('\n')[0]}`);
      }
    }
  }
  expect(wrong).toEqual([]);
  expect(seen).toBeGreaterThan(50);
});

test('snippets for other runtimes say that they are not run here', () => {
  const silent = PAGES.flatMap((page) =>
    [...textOf(page).matchAll(/^```(python|go|php|java|ruby)\n([\s\S]*?)^```/gm)]
      .filter(([, , block = '']) => !/not run here|run by the tests/.test(block))
      .map(([, language]) => `${page}: ${language}`),
  );
  expect(silent).toEqual([]);
});

/** A configuration that parts of one are put into. */
const WHOLE = JSON.parse(
  readFileSync(join(ROOT, 'examples/gate/staging/conformance.config.json'), 'utf8'),
) as Record<string, object>;

/** A fragment with the reader's own parts, `[ … ]`, taken from the whole. */
function configurationWith(fragment: string): unknown {
  const steps = JSON.stringify((WHOLE.signIn as { readonly steps?: unknown }).steps);
  return { ...WHOLE, ...(JSON.parse(`{${fragment.replace(/\[ …[^\]]*\]/g, steps)}}`) as object) };
}

/** True if a snippet is valid by its schema; undefined if it is no file of the suite. */
function validity(language: string, text: string): string | undefined {
  const reported = (validate: { readonly errors?: unknown }, valid: boolean) =>
    valid ? '' : JSON.stringify(validate.errors);
  if (language === 'yaml' && /^deviations:/m.test(text))
    return reported(validateKnownDeviations, validateKnownDeviations(parse(text)));
  if (language !== 'json') return undefined;
  if (text.startsWith('{')) return reported(validateApp, validateApp(JSON.parse(text)));
  return reported(validateConfiguration, validateConfiguration(configurationWith(text)));
}

test('every file of ours that a page shows, or a part of it, is valid by its schema', () => {
  const seen = PAGES.flatMap((page) =>
    blocksOf(textOf(page)).flatMap(({ line, language, text }) => {
      const problem = validity(language, text);
      return problem === undefined ? [] : [{ at: `${page}:${line}`, problem }];
    }),
  );
  expect(seen.filter(({ problem }) => problem !== '')).toEqual([]);
  expect(seen.length).toBeGreaterThan(5);
});
