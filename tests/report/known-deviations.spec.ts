/** Breaches that are accepted for a time: what an entry accepts, what makes it fail the run, and how entries come about. */

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { loadKnownDeviations, proposalText } from '../../src/commands/shared/known-deviations.ts';
import { loadCatalogue } from '../../src/document/load-catalogue.ts';
import { CHECKS } from '../../src/evaluation/checks/index.ts';
import { ConformanceFailure } from '../../src/evaluation/language/outcome.ts';
import { SharedRefusals } from '../../src/evaluation/language/shared-refusals.ts';
import { signatureOf } from '../../src/evaluation/run/check-outcome.ts';
import { runCheck } from '../../src/evaluation/run/run-check.ts';
import { SecretRegistry } from '../../src/http/secrets/registry.ts';
import { type ListedDeviation, withKnownDeviations } from '../../src/report/policy.ts';
import type { RequirementResult, Results } from '../../src/report/results.ts';
import { type Run, verdictOf } from '../../src/report/verdict.ts';
import { emulatorTarget } from '../../src/service/emulator.ts';
import { connectWithoutBrowser } from '../../src/service/flow/connect.ts';
import { runSmokeFlow } from '../../src/service/flow/smoke-flow.ts';
import { anyDefectsById } from '../proof/second-order/index.ts';
import { runHere } from '../support/command-here.ts';
import { PROVE } from '../support/prove.ts';
import { aResult, aRun } from '../support/results-builder.ts';

const ID = 'exchange.token-type-bearer';
const OTHER = 'refresh.token-type-bearer';
const KNOWN = new Set([ID, OTHER]);
const SEEN = 'expected token_type to be exactly "bearer"; got "Bearer"';

/** The run of {@link aRun} starts on 2026-03-02. */
function listed(parts: Partial<ListedDeviation> = {}): ListedDeviation {
  return {
    requirement: ID,
    signature: SEEN,
    why: 'the gem writes it so',
    ticket: 'LEGACY-7',
    until: '2026-06-30',
    at: 'known-deviations.yaml:3',
    ...parts,
  };
}

function failing(parts: Partial<RequirementResult> = {}): RequirementResult {
  return aResult(ID, 'fail', { signature: SEEN, ...parts });
}

function held(results: readonly RequirementResult[], entries: readonly ListedDeviation[], parts = {}): Run {
  return withKnownDeviations(aRun(results, parts), entries, KNOWN);
}

test.describe('an entry', () => {
  test('accepts the failure that it records: the run conforms, and the report says until when', () => {
    const run = held([failing(), aResult(OTHER)], [listed()]);
    expect(run.requirements.map(({ result }) => result)).toEqual(['known-deviation', 'pass']);
    expect(run.requirements[0]?.reason).toContain(
      'accepted until 2026-06-30 (LEGACY-7): the gem writes it so',
    );
    expect(run.findings).toEqual([]);
    expect(verdictOf(run).exitCode).toBe(0);
  });

  test('accepts a warning too, so that a strict run conforms', () => {
    const warned = failing({ result: 'warning', level: 'standard' });
    const parts = { strict: true };
    expect(verdictOf(held([warned], [listed({ requirement: OTHER })], parts)).exitCode).toBe(1);
    expect(verdictOf(held([warned], [listed()], parts)).exitCode).toBe(0);
  });

  test('does not accept another failure of the same requirement, and says what differs', () => {
    const run = held(
      [failing({ signature: 'expected token_type to be exactly "bearer"; got "mac"' })],
      [listed()],
    );
    expect(run.requirements[0]?.result).toBe('fail');
    expect(run.findings).toMatchObject([{ kind: 'stale-deviation', requirement: ID }]);
    expect(run.findings[0]?.message).toContain('got "mac"');
    expect(verdictOf(run).exitCode).toBe(1);
  });

  test('whose requirement passed is stale: exit 1, and where to take it out', () => {
    const run = held([aResult(ID)], [listed()]);
    expect(run.findings).toEqual([
      {
        kind: 'stale-deviation',
        requirement: ID,
        message: `known-deviations.yaml:3: ${ID} is listed (LEGACY-7) and passed: remove the entry`,
      },
    ]);
    expect(verdictOf(run).exitCode).toBe(1);
  });

  for (const unevaluated of ['not-run', 'not-applicable', 'blocked'] as const) {
    test(`whose requirement was ${unevaluated} is not stale`, () => {
      expect(held([aResult(ID, unevaluated), aResult(OTHER)], [listed()]).findings).toEqual([]);
    });
  }

  test('whose requirement was not selected is not stale', () => {
    const run = held([aResult(OTHER)], [listed()], { selection: 'partial' });
    expect(verdictOf(run).exitCode).toBe(0);
  });

  test('that names no requirement fails the run', () => {
    const run = held([aResult(ID)], [listed({ requirement: 'exchange.token-typ' })]);
    expect(run.findings).toMatchObject([{ kind: 'unknown-deviation', requirement: 'exchange.token-typ' }]);
    expect(verdictOf(run).exitCode).toBe(1);
  });

  test('holds on its last day, and not on the next', () => {
    expect(verdictOf(held([failing()], [listed({ until: '2026-03-02' })])).exitCode).toBe(0);
    const late = held([failing()], [listed({ until: '2026-03-01' })]);
    expect(late.requirements[0]?.result).toBe('fail');
    expect(late.findings).toMatchObject([{ kind: 'expired-deviation', requirement: ID }]);
    expect(late.findings[0]?.message).toContain('accepted until 2026-03-01 (LEGACY-7)');
  });

  test('may have an alternative: the one that is seen applies, the other is not stale', () => {
    const run = held([failing()], [listed({ signature: 'expected x; got y' }), listed()]);
    expect(run.requirements[0]?.result).toBe('known-deviation');
    expect(run.findings).toEqual([]);
  });

  test('accepts what is blocked behind its requirement', () => {
    const blocked = aResult(OTHER, 'blocked', { blockedBy: ID });
    expect(verdictOf(held([failing(), blocked], [listed()])).exitCode).toBe(0);
  });
});

test.describe('a signature', () => {
  const AS_SHIPPED = [
    'exchange-token-type-capitalised',
    'authorize-scope-defaulted',
    'authorize-redirect-query-ignored',
  ];

  /** Runs some checks on an emulator with new secrets, ports and tokens. */
  async function signatures(defect: string, ids: readonly string[]) {
    const defects = anyDefectsById([...AS_SHIPPED, defect]);
    const target = await emulatorTarget({ profile: 'doorkeeper-5', defects, sockets: true });
    const secrets = new SecretRegistry();
    const session = connectWithoutBrowser(target, secrets);
    const smokeFlow = await runSmokeFlow(session);
    const emulatorParts = {
      catalogue: loadCatalogue(),
      session: { ...session, requestStyle: smokeFlow.requestStyle },
      smokeFlow,
      sharedRefusals: new SharedRefusals(),
      keepEvidence: false,
    };
    const found: string[] = [];
    for (const check of CHECKS.filter(({ id }) => ids.includes(id)))
      found.push((await runCheck(check, emulatorParts)).result.signature ?? 'none');
    await target.close();
    expect(found.flatMap((signature) => secrets.find(signature))).toEqual([]);
    return found;
  }

  test('is alike in every run, and holds no secret', async () => {
    const ids = [
      ID,
      'exchange.client-secret-checked',
      'exchange.code-replay-revokes',
      'authorize.scope-required',
      'authorize.redirect-uri-exact',
      'authorize.duplicate-parameter',
      'token.duplicate-parameter',
    ];
    const first = await signatures('exchange-secret-prefix', ids);
    expect(first).not.toContain('none');
    expect(await signatures('exchange-secret-prefix', ids)).toEqual(first);
  });

  test('tells a secret that is not looked at from one that is looked at carelessly', async () => {
    const of = async (defect: string) => (await signatures(defect, ['exchange.client-secret-checked']))[0];
    const careless = await of('exchange-secret-prefix');
    const blind = await of('exchange-secret-unchecked');
    expect(careless).toContain('client_secret');
    expect(blind).toContain('client_secret');
    expect(careless).not.toBe(blind);
  });

  test('has secrets by their kind alone: their number is another in every run', () => {
    const secrets = new SecretRegistry();
    secrets.register('code', 'first-code-of-the-run');
    secrets.register('code', 'second-code-of-the-run');
    const failure = new ConformanceFailure('no code', 'a redirect with second-code-of-the-run');
    expect(signatureOf(failure, secrets)).toBe('expected no code; got a redirect with <code>');
  });
});

test.describe('the file', () => {
  const entry = {
    requirement: ID,
    signature: SEEN,
    why: 'the gem writes it so',
    ticket: 'LEGACY-7',
    until: '2026-06-30',
  };

  function written(deviations: readonly object[]): string {
    const file = test.info().outputPath('known-deviations.yaml');
    writeFileSync(file, JSON.stringify({ deviations }, null, 2));
    return file;
  }

  test('is read with the line of each entry', () => {
    const file = written([entry, { ...entry, requirement: OTHER }]);
    expect(loadKnownDeviations(file, 'emulator')).toEqual([
      { ...entry, at: `${file}:3` },
      { ...entry, requirement: OTHER, at: `${file}:10` },
    ]);
  });

  test('is the one beside the configuration where none is named; the emulator has none', () => {
    const file = written([entry]);
    const configuration = join(file, '../conformance.config.json');
    expect(loadKnownDeviations(undefined, configuration)).toHaveLength(1);
    expect(loadKnownDeviations(undefined, join(file, '../elsewhere/conformance.config.json'))).toEqual([]);
    expect(loadKnownDeviations(undefined, 'emulator')).toEqual([]);
  });

  for (const [what, wrong, says] of [
    ['a key that is missing', { ...entry, ticket: undefined }, 'deviations[0].ticket: expected this key'],
    ['a key too many', { ...entry, reason: 'x' }, 'one of the keys requirement, signature, why'],
    ['a date that is none', { ...entry, until: 'next year' }, 'deviations[0].until: expected'],
    ['an empty reason', { ...entry, why: '' }, 'deviations[0].why: expected text that is not empty'],
  ] as const) {
    test(`with ${what} is refused, with file, line and key`, () => {
      const file = written([wrong]);
      expect(() => loadKnownDeviations(file, 'emulator')).toThrow(says);
      expect(() => loadKnownDeviations(file, 'emulator')).toThrow(`${file}:`);
    });
  }

  test('proposes what violates, and nothing that is accepted or only warns', () => {
    const warned = aResult(OTHER, 'warning', { signature: 'a "quoted": one\\u0007' });
    const text = proposalText(aRun([failing(), warned, aResult('a.known', 'known-deviation')]));
    expect(text).toContain('until: 2026-05-31');
    const file = test.info().outputPath('proposed.yaml');
    writeFileSync(file, text);
    expect(loadKnownDeviations(file, 'emulator').map(({ requirement }) => requirement)).toEqual([ID]);
    writeFileSync(file, proposalText(aRun([failing(), warned], { strict: true })));
    const strict = loadKnownDeviations(file, 'emulator');
    expect(strict.map(({ signature }) => signature)).toEqual([SEEN, warned.signature]);
  });
});

test(
  'check --propose-deviations, then --known-deviations: what violated conforms, and only where it is still so',
  PROVE,
  async () => {
    const info = test.info();
    const file = info.outputPath('known-deviations.yaml');
    const report = info.outputPath('report');
    const check = (defect: readonly string[], ...args: readonly string[]) =>
      runHere(['check', ...defect, '--only', ID, '--report', report, ...args]);

    const CAPITALISED = ['--defect', 'exchange-token-type-capitalised'];

    const first = await check(CAPITALISED, '--propose-deviations', file);
    expect(first.stdout).toContain(`1 known deviation proposed in ${file}`);
    expect(first.code).toBe(1);

    const again = await check(CAPITALISED, '--propose-deviations', file);
    expect(again.stderr).toContain('expected a file that is not there yet');
    expect(again.code).toBe(2);

    const accepted = await check(CAPITALISED, '--known-deviations', file);
    expect(accepted.stdout).toContain(`KNOWN DEVIATION ${ID}`);
    expect(accepted.code).toBe(0);

    const fixed = await check([], '--known-deviations', file);
    expect(fixed.stdout).toContain('STALE KNOWN DEVIATION');
    expect(fixed.code).toBe(1);
    const results = JSON.parse(readFileSync(`${report}/results.json`, 'utf8')) as Results;
    expect(results.findings).toMatchObject([{ kind: 'stale-deviation', requirement: ID }]);

    writeFileSync(file, 'deviations: [{ requirement: x }]\n');
    const wrong = await check([], '--known-deviations', file, '--propose-deviations', 'nowhere.yaml');
    expect(wrong.stderr).toContain('deviations[0].signature: expected this key to be there');
    expect(wrong.code).toBe(2);
    expect(existsSync('nowhere.yaml')).toBe(false);
  },
);
