import { expect, test } from '@playwright/test';
import { evaluateApp } from '../../../src/commands/client/drive-app.ts';
import { explain } from '../../../src/commands/explain/verb.ts';
import { selectedPoints } from '../../../src/commands/observe/run.ts';
import { readProfileWithNote } from '../../../src/commands/shared/read-profile.ts';
import { risksFrom, selectRequirements } from '../../../src/commands/shared/selection.ts';
import { refuseUnknownDefects } from '../../../src/commands/shared/target.ts';
import { runHere } from '../../support/command-here.ts';

/** An error names the known word that is nearest to a mistyped one. */
const app = {
  app: 'tests/support/client-apps/reference.json',
  profile: undefined,
  expiresIn: undefined,
  report: '.',
  strict: false,
  json: false,
  quiet: false,
  knownDeviations: undefined,
  require: [],
  answers: undefined,
};

const MISTYPED: readonly (readonly [what: string, act: () => unknown, meant: string])[] = [
  ['a profile', () => readProfileWithNote('--profile', 'adversaral'), 'adversarial'],
  ['a defect', () => refuseUnknownDefects(['exchange-code-reusabel']), 'exchange-code-reusable'],
  ['a risk', () => risksFrom(['refusal'], false), 'refusals'],
  ['an open point', () => selectedPoints(['refresh-fat']), 'refresh-fate'],
  ['a requirement', () => selectRequirements(['exchange.code-single-used']), 'exchange.code-single-use'],
  ['a requirement of another group', () => selectRequirements(['refresh.chian']), 'refresh.chain'],
  ['a beginning', () => selectRequirements(['exchange.token-typ']), 'exchange.token-type-bearer'],
  ['`defects`', () => explain(['defect']), 'defects'],
  ['a group', () => selectRequirements(['exchnge']), 'exchange'],
  ['a clause', () => selectRequirements(['4.33']), '4.3'],
  ['a situation', () => evaluateApp({ ...app, only: ['expirry'] }), 'expiry'],
];

for (const [what, act, meant] of MISTYPED) {
  test(`${what} that does not exist`, async () => {
    await expect(async () => act()).rejects.toThrow(`Did you mean "${meant}"?`);
  });
}

const WRONG: readonly (readonly [words: readonly string[], says: string])[] = [
  [['explain', '6'], 'clause 6 has no requirements'],
  [['check', '--env-file', 'x'], '--env-file is an option of Node; here it is --variables FILE'],
  [['check', '--target', 'http://127.0.0.1:8700'], 'an address is no target; write a configuration: `'],
  [['emulate', '--client-secret', 'env:NOPE'], 'there is no variable NOPE'],
];
for (const [words, says] of WRONG)
  test(`${words.join(' ')}: ${says}`, async () => {
    const { code, stderr } = await runHere(words);
    expect([code, stderr]).toEqual([2, expect.stringContaining(says)]);
  });

test('explain of a profile: its summary and its warnings', async () => {
  const { code, stdout } = await runHere(['explain', 'doorkeeper-5']);
  expect([code, stdout]).toEqual([0, expect.stringContaining('warns     authorize.duplicate-parameter')]);
});
