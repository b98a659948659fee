import { expect, test } from '@playwright/test';
import { evaluateApp } from '../../src/cli/client/drive-app.ts';
import { refuseUnknownDefects } from '../../src/cli/defects.ts';
import { knownProfile } from '../../src/cli/read-profile.ts';
import { pointsFrom, risksFrom, select } from '../../src/cli/select.ts';
import { loadCatalogue } from '../../src/document/load-catalogue.ts';

/** Whatever is mistyped, the error names what is nearest. */
const app = {
  app: 'tests/support/client-apps/reference.json',
  profile: undefined,
  expiresIn: undefined,
  report: '.',
  strict: false,
  json: false,
  quiet: false,
  knownDeviations: undefined,
  answers: undefined,
};

const MISTYPED: readonly (readonly [what: string, act: () => unknown, meant: string])[] = [
  ['a profile', () => knownProfile('--profile', 'adversaral'), 'adversarial'],
  ['a defect', () => refuseUnknownDefects(['exchange-code-reusabel']), 'exchange-code-reusable'],
  ['a risk', () => risksFrom(['refusal'], false), 'refusals'],
  ['an open point', () => pointsFrom(['refresh-fat']), 'refresh-fate'],
  ['a requirement', () => select(loadCatalogue(), ['exchange.code-single-used']), 'exchange.code-single-use'],
  ['a requirement of another group', () => select(loadCatalogue(), ['refresh.chian']), 'refresh.chain'],
  ['a group', () => select(loadCatalogue(), ['exchnge']), 'exchange'],
  ['a clause', () => select(loadCatalogue(), ['4.33']), '4.3'],
  ['a situation', () => evaluateApp({ ...app, only: ['expirry'] }), 'expiry'],
];

for (const [what, act, meant] of MISTYPED) {
  test(`${what} that does not exist`, async () => {
    await expect(async () => act()).rejects.toThrow(`Did you mean "${meant}"?`);
  });
}
