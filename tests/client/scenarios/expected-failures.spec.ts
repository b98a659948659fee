import { expect, test } from '@playwright/test';
import { adapters } from '../../support/client-adapters/chosen-adapters.ts';
import { scenarioIds } from '../../support/client-adapters/scenario-ids.ts';

for (const { name, expectedFailures = {} } of adapters) {
  test(`${name}: every expected failure names a scenario, a reason and the words of the failure`, () => {
    const unknown = Object.keys(expectedFailures).filter((id) => !scenarioIds.has(id));
    expect(unknown, 'expected failures of scenarios that do not exist').toEqual([]);
    const unexplained = Object.entries(expectedFailures).filter(
      ([, { reason, failsWith }]) => reason.trim() === '' || failsWith.trim() === '',
    );
    expect(unexplained, 'expected failures without reason or words').toEqual([]);
  });
}
