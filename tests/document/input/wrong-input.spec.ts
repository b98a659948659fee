import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import {
  validateKnownDeviations,
  validateProfile,
  validateResults,
  validateSeed,
} from '../../../generated/validators.js';
import { between, port, secretOption, wholeNumber } from '../../../src/cli/options.ts';
import { PactRefused, readPact } from '../../../src/contracts/pact/read-pact.ts';
import { singleQuoted } from '../../../src/document/input/shell-quotes.ts';
import { parseLocatedYaml, SpecFileError } from '../../../src/document/load-yaml.ts';
import { createVirtualClock } from '../../../src/emulator/store/clock.ts';
import { readReplay } from '../../../src/evaluation/explore/replay-file.ts';
import { ConfigurationError } from '../../../src/service/configuration/configuration-error.ts';
import { loadConfiguration } from '../../../src/service/configuration/load-configuration.ts';
import { withEnvFile } from '../../../src/service/configuration/resolve-references.ts';
import { openSession, SealBroken } from '../../../src/service/configuration/sealed-file.ts';
import { startCommand } from '../../support/command.ts';
import { held } from '../../support/held.ts';
import { PROVE } from '../../support/prove.ts';

/** Any content of a user's file is used, or refused in words: no stack trace, no hanging, no value of it in the message. */

/** Values that people never write, but files may hold. */
const HOSTILE: Readonly<Record<string, string>> = {
  nothing: '',
  blanks: ' \n\t ',
  null: 'null',
  'a number beyond all': '1e999',
  'deep lists, never closed': '['.repeat(200_000),
  'deep lists': `${'['.repeat(200_000)}${']'.repeat(200_000)}`,
  'deep objects': `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`,
  'deep blocks': Array.from({ length: 2_000 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n'),
  'names that objects inherit': '{"__proto__":{"name":"x"},"constructor":1,"toString":2,"hasOwnProperty":3}',
  'an alias that names nothing': 'deviations: *nope',
  'an alias of itself': '&a [*a]',
  'an alias of its own key': 'a: &a\n  b: *a',
  'a billion aliases': [
    'a: &a [x,x,x,x,x,x,x,x,x]',
    ...[...'bcdefghi'].map((c, i) => `${c}: &${c} [${Array(9).fill(`*${'abcdefgh'[i]}`).join(',')}]`),
  ].join('\n'),
  bytes: Buffer.from(Array.from({ length: 2_560 }, (_, byte) => byte % 256)).toString('latin1'),
  'two documents': '---\na: 1\n---\nb: 2',
  'a tag': '!!js/function "x"',
  'a mark of byte order': '\ufeff{"name": 1}',
};

/** Each kind of file that the command reads, and the one kind of error that refuses it. */
const READERS: Readonly<
  Record<
    string,
    readonly [read: (text: string) => unknown, refusal: abstract new (...given: never[]) => Error]
  >
> = {
  'known deviations': [(text) => parseLocatedYaml(text, 'x.yaml', validateKnownDeviations), SpecFileError],
  profile: [(text) => parseLocatedYaml(text, 'x.yaml', validateProfile), SpecFileError],
  seed: [(text) => parseLocatedYaml(text, 'x.yaml', validateSeed), SpecFileError],
  results: [(text) => parseLocatedYaml(text, 'results.json', validateResults), SpecFileError],
  pact: [(text) => readPact(text, 'x.json'), PactRefused],
  'saved session': [(text) => openSession(text, 'https://auth.example', 'a long passphrase'), SealBroken],
  configuration: [
    (text) => loadConfiguration(written('conformance.config.json', text), {}),
    ConfigurationError,
  ],
  'env file': [(text) => withEnvFile(written('x.env', text), {}), ConfigurationError],
  replay: [(text) => readReplay(text, 'replay.json'), RangeError],
};

function written(name: string, text: string, into = 'written'): string {
  const folder = test.info().outputPath(into);
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}/${name}`, text);
  return `${folder}/${name}`;
}

/** Reads a text: what it is refused with, undefined when it is not. */
async function refusalOf(kind: string, text: string): Promise<Error | undefined> {
  const [read, refusal] = READERS[kind] ?? [];
  try {
    await read?.(text);
    return undefined;
  } catch (error) {
    held(error instanceof (refusal ?? Error), () => `${kind}: ${(error as Error).stack}`);
    return error as Error;
  }
}

/** The same parser reads these as known deviations. */
const OTHER_YAML = new Set(['profile', 'seed', 'results']);

for (const kind of Object.keys(READERS)) {
  test(`${kind}: hostile content is refused in words`, OTHER_YAML.has(kind) ? PROVE : {}, async () => {
    for (const [title, text] of Object.entries(HOSTILE)) {
      const refused = await refusalOf(kind, text);
      if (kind !== 'env file') expect(refused, title).toBeDefined();
      expect(refused?.message ?? '', title).not.toMatch(/call stack|\n\s+at |undefined/);
      expect((refused?.message ?? '').length, title).toBeLessThan(10_000);
    }
  });

  test(`${kind}: any JSON, and any text, is read or refused`, async () => {
    const text = fc.oneof(fc.string({ unit: 'binary' }), fc.json(), fc.json({ depthSize: 'large' }));
    await fc.assert(
      fc.asyncProperty(text, async (any) => void (await refusalOf(kind, any))),
      { numRuns: 150 },
    );
  });
}

test('a valid pact with anything anywhere in it is read or refused', async () => {
  const [name = ''] = readdirSync('contracts/pacts').sort();
  const document: unknown = JSON.parse(readFileSync(`contracts/pacts/${name}`, 'utf8'));
  const ways = pathsIn(document, 6);
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...ways), fc.jsonValue(), async (path, value) => {
      await refusalOf('pact', JSON.stringify(withValueAt(document, path, value)));
    }),
    { numRuns: 300 },
  );
});

function pathsIn(value: unknown, depth: number): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null || depth === 0) return [];
  return Object.entries(value).flatMap(([key, inner]) => [
    [key],
    ...pathsIn(inner, depth - 1).map((path) => [key, ...path]),
  ]);
}

function withValueAt(root: unknown, [key = '', ...rest]: readonly string[], value: unknown): unknown {
  const copy = Array.isArray(root) ? [...root] : { ...(root as object) };
  const inner = rest.length === 0 ? value : withValueAt((root as Record<string, unknown>)[key], rest, value);
  return Object.assign(copy, { [key]: inner });
}

const SECRET = 'hunter2-hunter2';

const UNREADABLE = 'a value that contains itself, is nested too deep, or throws when it is read';

/** Modules whose default export is no data, or that throw; none of what they say is repeated. */
const MODULES: Readonly<Record<string, readonly [code: string, says: string]>> = {
  'a value that contains itself': [
    `const a = { name: '${SECRET}' }; a.self = a; export default a;`,
    UNREADABLE,
  ],
  'a getter that throws': [`export default { get name() { throw new Error('${SECRET}'); } };`, UNREADABLE],
  'a getter that throws null': ['export default { get name() { throw null; } };', UNREADABLE],
  'a proxy that throws': [
    `const no = () => { throw new Error('${SECRET}'); }; export default new Proxy({}, { ownKeys: no, has: no, get: no });`,
    UNREADABLE,
  ],
  'a proxy without end': [
    'const one = { enumerable: true, configurable: true, value: 1 }; const p = () => new Proxy({}, { ownKeys: () => ["a"], getOwnPropertyDescriptor: () => one, get: (_, key) => (key === "a" ? p() : undefined) }); export default p();',
    UNREADABLE,
  ],
  'a function': ['export default () => ({});', 'got a function'],
  'a bigint': ['export default { name: 10n };', 'got a bigint'],
  'throw null': ['throw null;', 'one that throws something that is no error'],
  'an error that cannot be read': [
    `const e = new Error('${SECRET}'); for (const key of ['name', 'message', 'stack']) Object.defineProperty(e, key, { get() { throw 1; } }); throw e;`,
    'one that throws something that ',
  ],
  'an error with a secret': [
    `throw new Error('${SECRET}');`,
    'one that cannot be loaded: Error at line 1; `node ',
  ],
  'wrong JSON read by it': [`JSON.parse('${SECRET}');`, 'one that cannot be loaded: SyntaxError at line 1'],
};

for (const [title, [code, says]] of Object.entries(MODULES)) {
  test(`a configuration module with ${title} is refused, and nothing of it is told`, async () => {
    const file = written('conformance.config.mjs', code);
    const error = await loadConfiguration(file, {}).catch((thrown: unknown) => thrown);
    expect(error, String((error as Error).stack)).toBeInstanceOf(ConfigurationError);
    expect((error as Error).message).toContain(says);
    expect((error as Error).message).not.toContain(SECRET);
  });
}

test('the line of a failing module is found in any folder, and the command that shows more is quoted', async () => {
  const file = written('failing.mjs', `\nthrow new Error('${SECRET}');`, "it's (1) of 2");
  const error = await loadConfiguration(file, {}).catch((thrown: unknown) => thrown);
  const { message } = error as Error;
  expect(message).toContain('one that cannot be loaded: Error at line 2; `node ');
  expect(message).toContain(`\`node ${singleQuoted(file)}\` shows more`);
});

test('options: numbers are digits within limits', () => {
  for (const wrong of ['', ' ', '1e999', '0x10', '-1', '1.5', 'NaN', '65536', '٣'])
    expect(() => port(wrong), wrong).toThrow();
  for (const wrong of ['', '0', '1e3', '65', '99999999999999999999'])
    expect(() => between(1, 64)(wrong), wrong).toThrow();
  expect([port('0'), port('65535'), wholeNumber('7'), between(1, 64)('64')]).toEqual([0, 65_535, 7, 64]);
});

test('a token for the control port comes from a variable, and is long enough', () => {
  const env = { TOKEN: 'a-long-token', SHORT: 'abc' };
  expect(secretOption('--control-token', 'env:TOKEN', env)).toBe('a-long-token');
  for (const wrong of ['env:SHORT', 'env:MISSING', 'env:constructor', 'env:'])
    expect(() => secretOption('--control-token', wrong, env), wrong).toThrow(
      /expected 8 characters or more|there is no variable/,
    );
});

test('the clock goes forward, and not beyond what dates can say', () => {
  const clock = createVirtualClock();
  const before = clock.now();
  for (const wrong of [1e308, 1e12, Number.NaN, Number.POSITIVE_INFINITY, -1])
    expect(() => clock.advance(wrong), String(wrong)).toThrow(RangeError);
  expect(clock.now()).toBe(before);
  expect(clock.advance(7_200)).toBe(before + 7_200);
});

test('the command ends with 2 and one sentence: options, and a token that is written out', async () => {
  const ends = await Promise.all(
    [
      ['check', '--workers', '1000000000'],
      ['emulate', '--port', ''],
      ['emulate', '--port', '0', '--control', '--control-token', 'written-out-5d1c'],
    ].map((args) => startCommand(args, {}).end),
  );
  for (const { code, stderr } of ends) {
    expect(stderr).toMatch(
      /Expected a whole number from (?:1 to 64|0 to 65535)|--control-token: expected env:NAME/,
    );
    expect(stderr).not.toMatch(/\n\s+at /);
    expect(code).toBe(2);
  }
  expect(ends[2]?.stderr).not.toContain('written-out-5d1c');
});
