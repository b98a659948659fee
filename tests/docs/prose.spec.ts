import { expect, test } from '@playwright/test';
import { lintComments } from '../../scripts/prose/comments.ts';
import { lintProse } from '../../scripts/prose/lint.ts';
import { lintStrings } from '../../scripts/prose/strings.ts';

const messages = async (markdown: string) =>
  (await lintProse(markdown)).map(({ line, message }) => `${line}: ${message}`);
const words = (count: number) => `${Array.from({ length: count }, () => 'word').join(' ')}.`;

test('a sentence has at most 25 words, in paragraphs, headings, lists and tables', async () => {
  const long = words(26);
  expect(await messages(words(25))).toEqual([]);
  for (const text of [long, `# ${long}`, `- ${long}`, `| a |\n|---|\n| ${long} |`])
    expect(await messages(text), text).toEqual([
      expect.stringContaining('26 words in a sentence, at most 25'),
    ]);
  expect(await messages(`First.\n\n${long}`)).toEqual([expect.stringMatching(/^3: /)]);
});

test('passive voice and wordings that have a plainer one are named', async () => {
  expect(await messages('The file is written by the suite.')).toEqual([
    '1: passive voice ("written"): name who does it',
  ]);
  expect(await messages('The check makes the code anew.')).toEqual([
    expect.stringContaining('"anew": write retry, rerun, again'),
  ]);
});

test('code is no prose, and an excuse with a reason covers the block behind it', async () => {
  expect(await messages('Run `the file is written anew`.\n\n```sh\nit is written anew\n```')).toEqual([]);
  expect(await messages('<!-- prose: quotes the service -->\n\nIt is written.')).toEqual([]);
  expect(await messages('<!-- prose: -->\n\nIt is written.')).toHaveLength(1);
});

test('reference pages may enumerate and leave out the actor, but keep to plain wordings', async () => {
  const terse = async (markdown: string) => (await lintProse(markdown, 'terse')).length;
  expect(await terse(words(45))).toBe(0);
  expect(await terse(words(46))).toBe(1);
  expect(await terse('The file is written.')).toBe(0);
  expect(await terse('It sends the code anew.')).toBe(1);
});

test('a comment begins with the actor or a verb, and so does the text of its tags', () => {
  const found = (source: string) => lintComments(source).map(({ line, message }) => `${line}: ${message}`);
  const begins = (line: number, word: string) => [
    expect.stringContaining(`${line}: a comment begins with "${word}"`),
  ];
  expect(found('/** What it returns. */\nconst a = 1;')).toEqual(begins(1, 'What'));
  expect(found('const a = 1;\n\n// Whether it holds.\nconst b = 2;')).toEqual(begins(3, 'Whether'));
  expect(found('const a = [\n  1, // How many\n];')).toEqual(begins(2, 'How'));
  expect(found('/**\n * Returns it.\n *\n * @param a whether it holds\n */\nf();')).toEqual(
    begins(4, 'whether'),
  );
  expect(found('interface A {\n  /** Where it is. */\n  readonly a: string;\n}')).toEqual(begins(2, 'Where'));
});

test('only the beginning of a comment counts, and text in strings is no comment', () => {
  for (const source of [
    '/** Returns what it finds. */\nf();',
    '// The first line, and\n// what follows it.\nf();',
    '/**\n * Returns it.\n * What follows is the same comment.\n */\nf();',
    "const text = '// What it says';",
    'const text = `\n/** How it reads */\n`;',
    '// Whatsoever\nf();',
  ])
    expect(lintComments(source), source).toEqual([]);
});

test('a string that is printed has at most 25 words in a sentence, and plain wordings', () => {
  const found = (source: string) => lintStrings(source).map(({ line, message }) => `${line}: ${message}`);
  const long = words(26).slice(0, -1);
  expect(found(`print('${words(25)}');`)).toEqual([]);
  for (const source of [
    `print('${long}');`,
    `throw new Error(\`${long}\`);`,
    `f(\`${words(25).slice(0, -1)} \${x}\`);`,
  ])
    expect(found(source), source).toEqual([
      expect.stringMatching(/^1: 26 words in a printed sentence, at most 25/),
    ]);
  expect(found("const text = 'the suite makes the code anew';")).toEqual([
    expect.stringContaining('"anew": write retry, rerun, again'),
  ]);
});

test('code, markup, an import and a name are no prose, and a mark ends a sentence', () => {
  const half = words(20).slice(0, -1);
  for (const source of [
    `import { a } from '${words(30)}';`,
    `html\`<p>${words(30)}</p>\`;`,
    `const text = '<p>${words(30)}';`,
    `const text = 'run \`${words(30)}\` now';`,
    `const text = '${half}; ${half}: ${half}. ${half}';`,
    "const name = 'anew';",
  ])
    expect(lintStrings(source), source).toEqual([]);
});
