/** A server that is not ours conforms: one whose library `npm ci` installs. `npm run prove -- --part servers` runs them all. */
import { expect, test } from '@playwright/test';
import { provenText, proveSetting } from '../support/servers/prove-setting.ts';
import { loadServer } from '../support/servers/server.ts';

test('a default check of jmondi/conforming conforms', async () => {
  test.slow();
  const server = loadServer('jmondi');
  const setting = server.settings.conforming;
  if (setting === undefined) throw new Error('jmondi has no setting conforming');
  const proven = await proveSetting({ server, name: 'conforming', setting }, test.info().outputPath('run'));
  expect(proven.right, provenText(proven)).toBe(true);
});
