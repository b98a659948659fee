import { expect, test } from '@playwright/test';
import { commandFor } from '../../../src/document/input/program-name.ts';

test('a printed command can be pasted, with a blank or a quote in its file too', () => {
  expect(commandFor('observe', 'staging/a-b.json')).toMatch(/ observe --target staging\/a-b\.json$/);
  expect(commandFor('sweep', "our files/it's.json", ' --yes')).toMatch(
    / sweep --target 'our files\/it'\\''s\.json' --yes$/,
  );
});
