import { expect, test } from '@playwright/test';
import { requirementIds } from '../../generated/ids.ts';
import { runCoverage } from '../../src/app/coverage-report.ts';
import { type Covered, coverage } from '../../src/catalogue/coverage.ts';
import { loadCatalogue } from '../../src/catalogue/load-catalogue.ts';
import type { Clause } from '../../src/catalogue/types.ts';

const catalogue = loadCatalogue();
const allChecks = catalogue.requirements.map(({ id }) => ({ id }));

/** The catalogue with one clause changed. */
function withClause(clause: string, change: (clause: Clause) => Partial<Clause>): Covered {
  const clauses = catalogue.clauses.map((entry) =>
    entry.clause === clause ? { ...entry, ...change(entry) } : entry,
  );
  return { ...catalogue, clauses };
}

test('every sentence of the document lands, and every entry follows from one', () => {
  expect(coverage(catalogue, allChecks).problems).toEqual([]);
});

test('a requirement without a check is a finding that names the file where it belongs', () => {
  const { problems } = coverage(catalogue, allChecks.slice(1));
  expect(problems).toMatchObject([
    { kind: 'requirement-without-check', subject: 'application.account-area', clause: '1' },
  ]);
  expect(problems[0]?.message).toContain('src/conformance/1-what-the-service-does.ts');
});

test('a requirement with two checks is a finding', () => {
  const { problems } = coverage(catalogue, [...allChecks, { id: 'version.prefix' }]);
  expect(problems).toMatchObject([{ kind: 'requirement-with-several-checks', subject: 'version.prefix' }]);
});

test('a check without a requirement is a finding', () => {
  const { problems } = coverage(catalogue, [...allChecks, { id: 'version.suffix' }]);
  expect(problems).toMatchObject([{ kind: 'check-without-requirement', subject: 'version.suffix' }]);
});

test('a clause that nobody read is a finding, and so is what nothing else lands on', () => {
  const { problems } = coverage(
    withClause('6', () => ({ reading: [] })),
    allChecks,
  );
  expect(problems).toMatchObject([
    { kind: 'clause-without-row', clause: '6' },
    { kind: 'entry-without-row', subject: 'events', clause: '6' },
  ]);
});

test('a row that lands nowhere, or on an unknown id, is a finding', () => {
  const { problems } = coverage(
    withClause('6', ({ reading }) => ({
      reading: [...reading, { at: 'sentence 2', lands: [] }, { at: 'sentence 3', lands: ['webhooks'] }],
    })),
    allChecks,
  );
  expect(problems).toMatchObject([
    { kind: 'row-lands-nowhere', clause: '6', subject: 'sentence 2' },
    { kind: 'row-lands-on-unknown', clause: '6', subject: 'webhooks' },
  ]);
});

test('the verb prints the table and exits 0 when covered', () => {
  const { text, exitCode, json } = runCoverage(requirementIds);
  expect(exitCode).toBe(0);
  expect(text).toMatch(/^9 {3}Versioning \(4 read\)\n {4}check {5}version\.prefix/m);
  expect(text).toContain(
    `${requirementIds.length} of ${requirementIds.length} requirements have their check`,
  );
  expect(json.clauses.find(({ clause }) => clause === '9')?.requirements).toEqual([
    { id: 'version.prefix', level: 'documented', needs: [], checks: 1 },
  ]);
});

test('the verb exits 1 and says what is missing', () => {
  const { text, exitCode } = runCoverage(requirementIds.filter((id) => id !== 'version.prefix'));
  expect(exitCode).toBe(1);
  expect(text).toContain('    -         version.prefix');
  expect(text).toContain('1 finding:\n  version.prefix (clause 9): expected one check, found 0');
});
