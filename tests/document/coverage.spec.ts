import { expect, test } from '@playwright/test';
import { requirementIds } from '../../generated/ids.ts';
import { listClauses } from '../../src/cli/explain.ts';
import { CHECKS } from '../../src/judge/checks/index.ts';

test('every requirement has one check, and every check a requirement', () => {
  expect(CHECKS.map(({ id }) => id).toSorted()).toEqual([...requirementIds].toSorted());
});

test('the verb prints the table of clauses and requirements', () => {
  const { text, json } = listClauses();
  expect(text).toMatch(/^9 {3}Versioning \(4 read\)\n {4}version\.prefix {2}documented$/m);
  expect(text).toContain(
    `sentences and rows read, ${requirementIds.length} requirements, each with its check`,
  );
  expect(json.find(({ clause }) => clause === '9')?.requirements).toEqual([
    { id: 'version.prefix', level: 'documented', needs: [] },
  ]);
});
