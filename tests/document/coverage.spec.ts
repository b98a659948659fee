import { expect, test } from '@playwright/test';
import { requirementIds } from '../../generated/ids.ts';
import { listClauses } from '../../src/cli/explain.ts';
import { coverage } from '../../src/document/coverage.ts';
import { loadCatalogue } from '../../src/document/load-catalogue.ts';

const catalogue = loadCatalogue();
const allChecks = catalogue.requirements.map(({ id }) => ({ id }));

test('every requirement has its check', () => {
  expect(coverage(catalogue, allChecks).problems).toEqual([]);
});

test('a requirement without a check is a finding that names the file where it belongs', () => {
  const { problems } = coverage(catalogue, allChecks.slice(1));
  expect(problems).toMatchObject([
    { kind: 'requirement-without-check', subject: 'application.account-area', clause: '1' },
  ]);
  expect(problems[0]?.message).toContain('src/judge/checks/1-what-the-service-does.ts');
});

test('a requirement with two checks is a finding', () => {
  const { problems } = coverage(catalogue, [...allChecks, { id: 'version.prefix' }]);
  expect(problems).toMatchObject([{ kind: 'requirement-with-several-checks', subject: 'version.prefix' }]);
});

test('a check without a requirement is a finding', () => {
  const { problems } = coverage(catalogue, [...allChecks, { id: 'version.suffix' }]);
  expect(problems).toMatchObject([{ kind: 'check-without-requirement', subject: 'version.suffix' }]);
});

test('the verb prints the table and exits 0 when covered', () => {
  const { text, exitCode, json } = listClauses(requirementIds);
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
  const { text, exitCode } = listClauses(requirementIds.filter((id) => id !== 'version.prefix'));
  expect(exitCode).toBe(1);
  expect(text).toContain('    -         version.prefix');
  expect(text).toContain('1 finding:\n  version.prefix (clause 9): expected one check, found 0');
});
