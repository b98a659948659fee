import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { loadCatalogue } from '../../src/document/load-catalogue.ts';
import { STYLE } from '../../src/report/html/style.ts';

const SAMPLE = fileURLToPath(new URL('../../examples/report/index.html', import.meta.url));

test('the sample report is of today: run the command of examples/report/README.md where it is not', () => {
  const page = readFileSync(SAMPLE, 'utf8');
  expect(page).toContain(loadCatalogue().digest);
  expect(page).toContain(STYLE);
  expect(page).toContain('id="refresh.new-refresh-token"');
});
