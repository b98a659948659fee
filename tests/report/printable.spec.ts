import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import { jsonText } from '../../src/commands/shared/print.ts';
import { verificationListing } from '../../src/contracts/verification-listing.ts';
import { type Comparison, comparisonListing } from '../../src/report/compare/changes.ts';
import { renderReport } from '../../src/report/files.ts';
import { listingMarkdown, listingText } from '../../src/report/listing.ts';
import { oneLine, prefixedLines, printable, printableWithColours } from '../../src/report/printable.ts';
import type { Results } from '../../src/report/results.ts';
import type { Run } from '../../src/report/verdict.ts';
import { startCommand } from '../support/command.ts';
import { renderConsole, renderMarkdownSummary } from '../support/render-results.ts';
import { aCatalogueOf, anExchange, aResult, aRun, aStep } from '../support/results-builder.ts';

/** A target's words stay text: no build server takes them for a command, no terminal acts on them. */

const COMMANDS = [
  '##vso[task.setvariable variable=x]y',
  '##teamcity[buildStatus]',
  '##[error]x',
  '###vso[x]',
  '##VSO[x]',
];
const LINE_COMMANDS = ['::error::x', '::set-output name=x::y', '  ::stop-commands::x', '\t::add-mask::x'];
const CHARACTERS = [
  ...[0, 7, 8, 0x0b, 0x0d, 0x1b, 0x7f, 0x80, 0x85, 0x90, 0x9b, 0x9d, 0x9f, 0xad, 0x61c, 0x180e],
  ...[0x200b, 0x200c, 0x200d, 0x200e, 0x200f, 0x2028, 0x2029, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e],
  ...[0x2060, 0x2066, 0x2067, 0x2068, 0x2069, 0xfeff, 0xfff9, 0xd800, 0xdfff, 0xe0041],
].map((point) => String.fromCodePoint(point));

const HOSTILE = `${COMMANDS.join(' ')}\n${LINE_COMMANDS.join('\n')}\n${CHARACTERS.join('x')}\u001b[2J\u009b2J`;

/** Parts of a text that another program would interpret. */
function actedOn(text: string): readonly string[] {
  return [
    ...(text.match(/##\w*\[/g) ?? []),
    ...(text.match(/^\s*::.*/gm) ?? []),
    ...(text.match(/[\p{Cf}\p{Zl}\p{Zp}\p{Cs}]|[^\P{Cc}\n\t]/gu) ?? []).map(
      (c) => `U+${c.codePointAt(0)?.toString(16)}`,
    ),
  ];
}

/** A value with a text behind every text in it that a target, a file or a broker may have written. */
function everywhere<T>(value: T, text: string): T {
  const own = new Set([
    'id',
    'clause',
    'level',
    'result',
    'kind',
    'verdict',
    'selection',
    'startedAt',
    'standing',
    'operation',
    'breaks',
  ]);
  const copy = (from: unknown): unknown => {
    if (typeof from === 'string') return `${text}${from}${text}`;
    if (Array.isArray(from)) return from.map(copy);
    if (typeof from !== 'object' || from === null) return from;
    return Object.fromEntries(
      Object.entries(from).map(([key, inner]) => [key, own.has(key) ? inner : copy(inner)]),
    );
  };
  return copy(value) as T;
}

function hostileRun(): Results {
  const evidence = [aStep({ detail: 'x' }), anExchange()];
  const kinds = ['fail', 'warning', 'blocked', 'not-run', 'known-deviation', 'not-applicable'] as const;
  const requirements = kinds.map((kind) =>
    aResult(`list.${kind}`, kind, {
      evidence,
      blockedBy: kind === 'blocked' ? 'list.fail' : undefined,
      signature: 'x',
    }),
  );
  const parts: Partial<Run> = {
    troubles: [{ kind: 'inconclusive', message: 'x' }],
    findings: [
      { kind: 'unknown-deviation', requirement: 'list.safe', message: 'x' },
    ] as unknown as Run['findings'],
    leftBehind: ['x'],
    observations: [],
    retirement: { retired: true, notices: [] },
  };
  return everywhere(aRun(requirements, parts), HOSTILE);
}

const CHANGED: Comparison = {
  before: 'x',
  after: 'x',
  notes: ['x'],
  same: 1,
  changes: [{ kind: 'broke', what: 'list.safe', about: 'x', breaks: 'likely', before: 'x', after: 'x' }],
} as unknown as Comparison;

const VERIFICATION = {
  pacts: [
    {
      consumer: 'x',
      provider: 'x',
      source: 'x',
      why: ['x'],
      warnings: ['x'],
      standing: 'counts',
      interactions: [{ description: 'x', states: ['x'], reasons: ['x'], result: 'failed', pending: false }],
    },
  ],
  troubles: [{ kind: 'inconclusive', message: 'x' }],
} as unknown as Parameters<typeof verificationListing>[0];

const OUTPUTS: Readonly<Record<string, () => string>> = {
  console: () => renderConsole(hostileRun(), aCatalogueOf(hostileRun()), { style: 'plain' }),
  ...Object.fromEntries(
    ['results.json', 'index.html', 'junit.xml'].map((name) => [
      name,
      () =>
        renderReport(hostileRun(), aCatalogueOf(hostileRun())).find((file) => file.name === name)?.text ?? '',
    ]),
  ),
  'Markdown summary': () => renderMarkdownSummary(hostileRun(), aCatalogueOf(hostileRun())),
  'compare, console': () => listingText(comparisonListing(everywhere(CHANGED, HOSTILE)), { style: 'plain' }),
  'compare, Markdown': () => listingMarkdown(comparisonListing(everywhere(CHANGED, HOSTILE))),
  'compare, JSON': () => jsonText(everywhere(CHANGED, HOSTILE)),
  'contracts verify': () =>
    listingText(
      verificationListing(
        everywhere(VERIFICATION, HOSTILE),
        { exitCode: 1, verdict: 'violates', because: [HOSTILE] },
        [HOSTILE],
      ),
      { style: 'plain' },
    ),
  'what any verb prints': () => printableWithColours(`doctor\n${HOSTILE}\n`),
};

for (const [name, render] of Object.entries(OUTPUTS)) {
  test(`${name}: nothing that a target writes is acted on`, () => {
    const text = render();
    expect(text).toContain('task.setvariable');
    expect(actedOn(text)).toEqual([]);
  });
}

test('results.json holds what came, whatever it is', () => {
  const results = hostileRun();
  const [file] = renderReport(results, aCatalogueOf(results));
  const wellFormed = JSON.parse(JSON.stringify(results)) as unknown;
  expect(JSON.parse(file?.text ?? '')).toEqual(wellFormed);
});

test('any text: printed twice it is the same, and nothing in it is acted on', () => {
  const parts = fc.constantFrom('#', '##', '::', ':', '[', 'vso[', ' ', '\n', '\r\n', 'a', ...CHARACTERS);
  fc.assert(
    fc.property(fc.array(parts, { maxLength: 12 }), (chosen) => {
      const text = chosen.join('');
      const shown = [printable(text), oneLine(text), prefixedLines(text, '|').join('\n')];
      // Not by `expect`, which takes a millisecond each time.
      return shown.every((one) => actedOn(one).length === 0) && printable(shown[0] ?? '') === shown[0];
    }),
    { numRuns: 5_000 },
  );
});

test('a file name is text, too', async () => {
  const { code, stderr } = await startCommand(['compare', '##vso[x]\u001b[2J.json', '\u202e.json'], {}).end;
  expect(code).toBe(2);
  expect(stderr).toContain('## vso[x]\\u001b[2J.json');
});
