/** The document does not demand a form of HTTP: a service that writes its answers otherwise conforms as before. */
import { expect, test } from '@playwright/test';
import type { Results } from '../../src/report/results.ts';
import { checkLive } from '../support/check-live.ts';
import { runHere } from '../support/command-here.ts';
import { type FaultyService, startFaultyService } from '../support/faulty-service/service.ts';
import { WIRE_FORMS, writtenAs } from '../support/faulty-service/wire-forms.ts';
import { firstInTest, PROVE } from '../support/prove.ts';

let service: FaultyService;

test.beforeAll(async () => {
  service = await startFaultyService();
});
test.afterAll(() => service.close());
test.beforeEach(() => service.reset());

const ABOUT_ANSWERS = [
  'authorize.redirects-with-code',
  'authorize.not-framable',
  'exchange.token-response',
  'refresh.token-response',
  'list.returns-assigned',
  'list.token-required',
  'resource.challenge',
  'token.json-content-type',
  'token.not-cacheable',
  'token.error-json',
  'unassign.removes-user',
];

/** All but the one that fails (clause 2.1). */
const names = Object.keys(WIRE_FORMS).filter((name) => name !== 'a byte order mark before JSON');

function suffer(name: string): void {
  const form = WIRE_FORMS[name];
  if (form === undefined) throw new Error(`no form ${name}`);
  service.suffer(writtenAs(form));
}

function written(change: Parameters<FaultyService['configure']>[1] = {}) {
  return service.configure(test.info().outputPath('live'), change);
}

function outcome({ requirements, troubles, exitCode }: Results) {
  return [requirements.map(({ id, result, reason }) => [id, result, reason]), troubles, exitCode];
}

async function expectTheSame(name: string, options: Parameters<typeof checkLive>[1]): Promise<void> {
  const plain = outcome(await checkLive(written(), options));
  service.reset();
  suffer(name);
  expect(outcome(await checkLive(written(), options))).toEqual(plain);
}

for (const [name, details] of firstInTest(names, 1))
  test(`checks of answers come to the same: ${name}`, details, () =>
    expectTheSame(name, { only: ABOUT_ANSWERS }),
  );

for (const name of names)
  test(`all checks come to the same in a browser: ${name}`, PROVE, ({ browser }) =>
    expectTheSame(name, { browser }),
  );

for (const [name, details] of firstInTest(names, 1))
  test(`doctor finds nothing amiss: ${name}`, details, async () => {
    suffer(name);
    const { file, env } = written();
    const { code, stdout } = await runHere(['doctor', '--target', file, '--walk'], { ...env });
    expect([code, stdout]).toEqual([0, expect.not.stringContaining('FAIL')]);
  });

for (const [name, details] of firstInTest(names, 1))
  test(`observe records a profile: ${name}`, details, async () => {
    suffer(name);
    const { file, env } = written();
    const out = test.info().outputPath('seen.yaml');
    const { code, stderr } = await runHere(['observe', '--target', file, '--out', out], { ...env });
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('not recorded')]);
  });
