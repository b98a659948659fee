import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { Results } from '../../src/report/results.ts';
import { anExchange, aResult, aRun, aStep } from '../support/results-builder.ts';

interface Node {
  readonly [key: string]: unknown;
}

const schema = JSON.parse(
  readFileSync(new URL('../../spec/results.schema.json', import.meta.url), 'utf8'),
) as Node;
const ajv = new Ajv2020({ allErrors: true, strict: true, strictRequired: false, strictTypes: false });
formats.default(ajv);
const validate = ajv.compile(schema);

/** Results that use every property of the schema at least once. */
function richResults(): Results {
  const { response: _, ...unanswered } = anExchange({ order: 3, error: 'the connection was reset' });
  return aRun(
    [
      aResult('a.pass', 'pass', { evidence: [aStep({ detail: 'a page with one form' })] }),
      aResult('a.fail', 'fail', {
        signature: 'second exchange: 200',
        evidence: [
          anExchange({
            validation: { schema: 'TokenResponse', valid: false, errors: ['/expires_in must be 7200'] },
          }),
          aStep({ order: 2 }),
          unanswered,
        ],
      }),
      aResult('a.warning', 'warning', { level: 'standard', signature: 'no Cache-Control' }),
      aResult('a.known', 'known-deviation', { level: 'strictness' }),
      aResult('a.not-applicable', 'not-applicable', { missing: ['clock'] }),
      aResult('a.blocked', 'blocked', { blockedBy: 'a.fail' }),
      aResult('a.not-run', 'not-run', { earlierAttempts: ['list: status 503'] }),
      aResult('a.frozen', 'fail', {
        level: 'frozen',
        frozen: 200,
        seen: 201,
        signature: 'frozen 200; seen 201',
      }),
    ],
    {
      observations: [{ openPoint: 'paging', aspect: 'link', answer: { next: null }, seenBy: 'a.pass' }],
      troubles: [{ kind: 'inconclusive', message: 'the target stopped answering' }],
      findings: [
        { kind: 'unknown-deviation', requirement: 'no such thing', message: 'names no requirement' },
      ],
      leftBehind: ['the grant of the application'],
      retirement: {
        retired: false,
        notices: [
          { kind: 'deprecation', origin: 'https://auth.example', value: '@1767225600', date: '2026-01-01' },
          { kind: 'sunset', origin: 'https://auth.example', value: 'soon' },
        ],
      },
      used: { requests: 12, browserRequests: 3, refusedAuthentications: 1 },
      like: { name: 'staging', observedAt: '2026-02-01T00:00:00.000Z', digest: 'sha256:0' },
    },
  );
}

/** Every place in a value, as a path and the object that holds its last key. */
function* places(
  value: unknown,
  path = '',
): Generator<{ path: string; holder: Record<string, unknown>; key: string }> {
  if (value === null || typeof value !== 'object') return;
  for (const [key, inner] of Object.entries(value)) {
    const here = `${path}/${key}`;
    if (!Array.isArray(value)) yield { path: here, holder: value as Record<string, unknown>, key };
    yield* places(inner, here);
  }
}

/** Paths of the sample that the schema lets be absent. */
const OPTIONAL = [
  /^\/(target\/profile|retirement|retirement\/notices\/\d+\/date|used|like|like\/observedAt|like\/digest)$/,
  /^\/requirements\/\d+\/(signature|missing|blockedBy|frozen|seen|earlierAttempts)$/,
  /^\/requirements\/\d+\/evidence\/\d+\/(validation|error|url|status|detail)$/,
  /^\/requirements\/\d+\/evidence\/\d+\/request\/body$/,
  /^\/observations\/0\/answer\/next$/,
];

test('results of every kind are valid', () => {
  for (const results of [richResults(), aRun([]), aRun([aResult('a.a')])]) {
    validate(JSON.parse(JSON.stringify(results)));
    expect(validate.errors).toBeNull();
  }
});

test('no required property can be left out, at any depth', () => {
  const tolerated: string[] = [];
  for (const { path } of places(richResults())) {
    if (OPTIONAL.some((optional) => optional.test(path))) continue;
    const copy = structuredClone(richResults());
    for (const place of places(copy))
      if (place.path === path) {
        delete place.holder[place.key];
        break;
      }
    if (validate(copy)) tolerated.push(path);
  }
  expect(tolerated).toEqual([]);
});

test('no property that the schema does not describe is let in, at any depth', () => {
  const open: string[] = [];
  const objects = [
    '',
    '/target',
    '/target/grants',
    '/totals',
    '/requirements/1',
    '/troubles/0',
    '/findings/0',
    '/like',
  ];
  const evidence = ['', '/request', '/response', '/validation'].map(
    (part) => `/requirements/1/evidence/0${part}`,
  );
  for (const path of [...objects, ...evidence, '/requirements/0/evidence/0', '/observations/0']) {
    const copy = structuredClone(richResults()) as unknown as Record<string, unknown>;
    const holder = path
      .split('/')
      .filter(Boolean)
      .reduce<Node>((node, key) => node[key] as Node, copy);
    Object.assign(holder, { surprise: true });
    if (validate(copy)) open.push(path);
  }
  expect(open).toEqual([]);
});

const wrongSettings: readonly [string, (results: Results) => object][] = [
  ['a verdict with another exit code', (results) => ({ ...results, exitCode: 0 })],
  ['wrong usage as a result', (results) => ({ ...results, exitCode: 2 })],
  ['another version', (results) => ({ ...results, schemaVersion: '2.0' })],
  ['a failure without a reason', () => aRun([aResult('a.a', 'fail', { reason: '' })])],
  ['a pass that is blocked', () => aRun([aResult('a.a', 'pass', { blockedBy: 'b.b' })])],
  ['a pass with missing abilities', () => aRun([aResult('a.a', 'pass', { missing: ['clock'] })])],
  ['a local time', (results) => ({ ...results, startedAt: '2026-03-02T09:30:00+01:00' })],
  [
    'an exchange with neither answer nor error',
    () => {
      const { response: _, ...silent } = anExchange();
      return aRun([aResult('a.a', 'pass', { evidence: [silent] })]);
    },
  ],
];

for (const [what, make] of wrongSettings)
  test(`${what} is refused`, () => {
    expect(validate(make(richResults()))).toBe(false);
  });

test('every property is described for those who read the file without us', () => {
  const undescribed: string[] = [];
  const walk = (node: unknown, path: string) => {
    if (node === null || typeof node !== 'object') return;
    for (const [key, inner] of Object.entries(node)) {
      if (key === 'properties' && !/\/(if|then|else)$/.test(path))
        for (const [name, property] of Object.entries(inner as Node))
          if (!(property as Node).description && !(property as Node).$ref)
            undescribed.push(`${path}/${name}`);
      walk(inner, `${path}/${key}`);
    }
  };
  walk(schema, '');
  expect(undescribed).toEqual([]);
});
