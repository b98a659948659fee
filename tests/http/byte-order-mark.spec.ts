/** A byte order mark before JSON (RFC 8259 section 8.1): no token response (clause 2.1), and read over elsewhere. */
import { writeFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { validateSeed } from '../../generated/validators.js';
import { findPacts } from '../../src/contracts/pact/read-pact.ts';
import { loadCatalogue } from '../../src/document/load-catalogue.ts';
import { loadYaml } from '../../src/document/load-yaml.ts';
import type { Transport } from '../../src/http/exchange.ts';
import { readConfigurationFile } from '../../src/service/configuration/read-file.ts';
import { emulatorTarget } from '../../src/service/emulator.ts';
import { checkLive } from '../support/check-live.ts';
import { runHere } from '../support/command-here.ts';
import { ownPacts, verifyOn } from '../support/contracts/verifying.ts';
import { startFaultyService } from '../support/faulty-service/service.ts';
import { WIRE_FORMS, writtenAs } from '../support/faulty-service/wire-forms.ts';
import { renderConsole } from '../support/render-results.ts';

const SEED = JSON.stringify({
  owners: [{ name: 'O', email: 'o@example.test' }],
  applications: [{ name: 'A', redirectUris: ['http://client.example.test/'] }],
  projects: [{ id: '1', name: 'P' }],
  users: [{ id: '2', name: 'U', email: 'u@example.test' }],
});
const MARK = '\ufeff';

test('the lists of a service with such a mark pass, its token responses fail, and the habit is named', async () => {
  const service = await startFaultyService();
  const form = WIRE_FORMS['a byte order mark before JSON'];
  try {
    if (form !== undefined) service.suffer(writtenAs(form));
    const { file, env } = service.configure(test.info().outputPath('live'));
    const results = await checkLive(
      { file, env },
      { only: ['list.returns-assigned', 'exchange.token-response', 'refresh.token-response'] },
    );
    expect(results.requirements.map(({ result }) => result)).toEqual(['fail', 'fail', 'pass']);
    expect(results.used?.byteOrderMarks).toBeGreaterThan(3);
    expect(renderConsole(results, loadCatalogue(), { style: 'plain' })).toMatch(
      /tolerated: \d+ answers .* begin with a byte order mark/,
    );
    const observed = await runHere(['observe', '--target', file, '--probe', 'list-shape'], { ...env });
    expect(observed.stderr).toMatch(/tolerated: \d+ answers .*seen 9 of /s);
    const walked = await runHere(['doctor', '--target', file, '--walk'], { ...env });
    expect([walked.code, walked.stdout]).toEqual([0, expect.stringMatching(/^tolerated: \d+ answers /m)]);
    const report = test.info().outputPath('report');
    const verified = await runHere(['contracts', 'verify', '--target', file, '--report', report], { ...env });
    expect(verified.stdout).toMatch(/tolerated: \d+ answers /);
  } finally {
    await service.close();
  }
});

test('a pact is verified with a service that writes such marks', async () => {
  const target = await emulatorTarget({ profile: 'doorkeeper-5', defects: [], sockets: false });
  const marked: Transport = async (request, signal) => {
    const answer = await target.transport(request, signal);
    return answer.body.startsWith('{') || answer.body.startsWith('[')
      ? { ...answer, body: MARK + answer.body }
      : answer;
  };
  const { others } = await verifyOn({ ...target, transport: marked }, await ownPacts());
  expect(others).toEqual({});
});

test('configuration, profile, seed and pact with such a mark are read', async () => {
  const written = (name: string, text: string) => {
    const file = test.info().outputPath(name);
    writeFileSync(file, MARK + text);
    return file;
  };
  const [pact] = await ownPacts();
  expect(findPacts([written('pact.json', JSON.stringify(pact?.document))]).length).toBe(1);
  const profile = written('a.yaml', (await runHere(['observe', '--probe', 'id-forms'])).stdout);
  expect((await runHere(['check', '--profile', profile, '--only', 'version.prefix'])).code).toBe(0);
  expect(loadYaml(written('seed.json', SEED), validateSeed)).toMatchObject({ projects: [{ id: '1' }] });
  expect(await readConfigurationFile(written('a.json', '{"name":"staging"}'))).toEqual({ name: 'staging' });
});
