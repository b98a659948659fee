import { writeFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import type { TargetSummary } from '../../../src/report/results.ts';
import { samplePact } from '../../support/broker-double/sample-pacts.ts';
import { type BrokerDouble, runContracts, withBroker } from '../../support/broker-double/start.ts';
import { startLiveEmulator } from '../../support/emulator-live.ts';
import { PROVE } from '../../support/prove.ts';
import { aResult, aRun, aTarget } from '../../support/results-builder.ts';

/** `contracts verify --broker`: pacts from a broker, and what it is told of them. */

const FORM = 'application/x-www-form-urlencoded';

/** A pact that expects another access token than any: its failure quotes what came. */
const QUOTING = samplePact({
  consumer: { name: 'quoting' },
  provider: { name: 'legacy-authorization-server' },
  interactions: [
    {
      type: 'Synchronous/HTTP',
      description: 'a code is exchanged for a token that nobody can guess',
      providerStates: [{ name: 'a code was granted' }],
      request: {
        method: 'POST',
        path: '/oauth/token',
        headers: { 'Content-Type': [FORM] },
        body: {
          content: 'grant_type=authorization_code&client_id=x&client_secret=x&code=x&redirect_uri=x',
          contentType: FORM,
          encoded: false,
        },
        generators: {
          body: Object.fromEntries(
            ['client_id', 'client_secret', 'code', 'redirect_uri'].map((name) => [
              `$.${name}`,
              { type: 'ProviderState', expression: `\${${name}}` },
            ]),
          ),
        },
      },
      response: {
        status: 200,
        body: { content: { access_token: 'guessed' }, contentType: 'application/json' },
      },
    },
  ],
});

const REFUSED = samplePact({
  interactions: [
    {
      type: 'Synchronous/HTTP',
      description: 'the assigned users without a token',
      providerStates: [{ name: 'a project exists' }],
      request: { method: 'GET', path: '/v2/projects/1/assigned_users' },
      response: { status: 401 },
    },
  ],
});

const MISSPELT = {
  ...REFUSED,
  consumer: { name: 'misspelt' },
  interactions: REFUSED.interactions.map((one) => ({
    ...one,
    providerStates: [{ name: 'a projekt exists' }],
  })),
};

/** No server reads its method: the pact's mistake, which stops no other pact. */
const UNSENDABLE = {
  ...REFUSED,
  consumer: { name: 'unsendable' },
  interactions: REFUSED.interactions.map((one) => ({ ...one, request: { ...one.request, method: 'LIST' } })),
};

/** The same consumer's pact as `REFUSED`, that the service does not keep. */
const BROKEN = {
  ...REFUSED,
  interactions: REFUSED.interactions.map((one) => ({ ...one, response: { status: 200 } })),
};

function publish(
  { store }: BrokerDouble,
  pact: ReturnType<typeof samplePact>,
  version = '1.0.0',
  branch = 'main',
): void {
  store.publish(pact.consumer.name, version, pact.provider.name, pact, branch);
}

const verify = (broker: BrokerDouble, ...args: readonly string[]) =>
  runContracts(broker, ['verify', '--broker', ...args]);

const PUBLISHED = ['--broker', '--target', 'emulator', '--publish'] as const;
const OBSERVED = ['--target', 'emulator', '--publish', '--provider-app-version', 'observed-1'] as const;

test('never yet kept is pending and fails no job; kept once and broken now does; what is wrong with a pact is published, no secret in any', async () => {
  await withBroker(async (broker) => {
    for (const pact of [REFUSED, QUOTING, MISSPELT, UNSENDABLE]) publish(broker, pact);
    const first = await verify(broker, ...OBSERVED);
    expect(first.stdout).toContain('Pending: no version on this provider branch');
    expect(first.stdout).toContain("because: latest version from the main branch 'main' (1.0.0)");
    expect(first.stdout).toContain('pending: 1 of 4 interactions verified, 3 failed');
    expect(first.stdout).toMatch(
      /the provider state "a projekt exists" is not known; `(npx )?legacy-conformance contracts states` lists them\. Did you mean "a project exists"\?\n/,
    );
    expect(first.code).toBe(0);
    const reported = broker.store.verifications.map(({ consumer, success }) => [consumer, success]);
    expect(reported.sort()).toEqual([
      ['misspelt', false],
      ['quoting', false],
      ['unsendable', false],
      ['web-shop', true],
    ]);
    const results = broker.store.verifications.map(({ published }) => JSON.stringify(published)).join('\n');
    expect(results).toMatch(/\$\.access_token: Expected '<access_token#\d+>'/);
    expect(results).toContain('a projekt exists');
    expect(results).toContain('its request cannot be sent: its method is none that HTTP servers read');
    expect(broker.store.version('legacy-resource-api', 'observed-1')?.branches).toEqual(['observed']);

    const changed = await startLiveEmulator(test.info().outputPath('.'), ['list-token-optional']);
    const again = [
      'verify',
      '--broker',
      '--target',
      changed.file,
      '--publish',
      '--provider-app-version',
      'observed-2',
    ];
    const second = await runContracts(broker, again, changed.env);
    await changed.emulator.close();
    const line = `target: emulated staging, ${changed.emulator.authUrl} and ${changed.emulator.baseUrl}`;
    expect(second.stdout.trim().split('\n').at(0)).toBe(line);
    expect(second.stdout.trim().split('\n').at(-1)).toBe(line);
    expect(second.stdout).toContain('0 of 1 interactions verified, 1 failed');
    expect(second.stdout).toContain(
      '1 interaction did not verify: web-shop "the assigned users without a token"',
    );
    expect(second.stdout).toContain('pending: 0 of 3 interactions verified, 3 failed');
    expect(second.code).toBe(1);
  });
});

test('an interaction that its maker marked as pending and that fails: the job is green, and the broker is told of a failure', async () => {
  await withBroker(async (broker) => {
    const interactions = BROKEN.interactions.map((one) => ({ ...one, pending: true }));
    publish(broker, { ...BROKEN, interactions });
    const { code, stdout } = await verify(broker, '--consumer', 'web-shop', ...OBSERVED);
    expect(stdout).toContain('0 of 1 interactions verified, 1 pending and not kept yet');
    expect(code).toBe(0);
    expect(broker.store.verifications).toMatchObject([{ success: false }]);
  });
});

test(
  'a consumer’s fix is verified by its own pact, and a pact that is pending for the provider counts for its consumer',
  PROVE,
  async () => {
    await withBroker(async (broker) => {
      publish(broker, BROKEN, '1', 'main');
      publish(broker, REFUSED, '2', 'fix');
      const own = ['--consumer', 'web-shop'] as const;
      const fixed = await verify(broker, ...own, '--consumer-app-version', '2', ...OBSERVED);
      expect([fixed.code, fixed.stdout]).toEqual([
        0,
        expect.stringContaining('1 of 1 interactions verified\n'),
      ]);
      expect(broker.store.verifications.map(({ success }) => success)).toEqual([true]);
      const on = (branch: string) =>
        verify(broker, ...own, '--consumer-version-selector', `branch=${branch}`);
      expect((await on('fix')).code).toBe(0);
      expect((await on('main')).code).toBe(1);
      expect((await verify(broker, ...own)).code).toBe(1);
      const gone = await on('gone');
      expect([gone.code, gone.stdout]).toEqual([
        3,
        expect.stringContaining('has no pact of web-shop to verify'),
      ]);
    });
  },
);

test(
  'without --publish nothing is sent; no pact is no pass; one provider without a pact has a line',
  PROVE,
  async () => {
    await withBroker(async (broker) => {
      const none = await verify(broker);
      expect(none.stdout).toContain('has no pact to verify for legacy-authorization-server');
      expect(none.code).toBe(3);
      publish(broker, REFUSED);
      publish(broker, { ...REFUSED, consumer: { name: 'billing' } }, '1', 'trunk');
      const { code, stdout } = await verify(broker);
      expect(stdout).toContain('legacy-authorization-server: no pact to verify yet');
      expect(code).toBe(0);
      expect(broker.store.verifications).toEqual([]);
      const wip = await verify(broker, '--include-wip-pacts-since', '2020-01-01');
      expect(wip.stdout).toContain(
        "because: work in progress: the pact for the latest version of billing from branch 'trunk'",
      );
    });
  },
);

test('a pact that the native verifier cannot load, or that would harm a live target: fails alone, published with the whole reason', async () => {
  const live = await startLiveEmulator(test.info().outputPath('.'));
  const named = (name: string, changes: object) => ({
    ...REFUSED,
    consumer: { name },
    interactions: REFUSED.interactions.map((one) => ({ ...one, ...changes })),
    metadata: { pactSpecification: { version: '2.0.0' } },
  });
  const matchingRules = (rules: object) => ({
    response: { status: 401, body: { a: 1 }, matchingRules: rules },
  });
  await withBroker(async (broker) => {
    publish(broker, REFUSED);
    publish(broker, named('dollar', matchingRules({ '$.status.$': { match: 'type' } })));
    publish(broker, named('bracket', matchingRules({ "$.body.a['": { match: 'type' } })));
    publish(
      broker,
      named('harmful', { request: { method: 'DELETE', path: '/v2/projects/1/assigned_users/1' } }),
    );
    const args = ['--target', live.file, '--publish', '--provider-app-version', 'observed-1', '--no-pending'];
    const { code, stdout, stderr } = await runContracts(broker, ['verify', '--broker', ...args], live.env);
    expect(code, stdout + stderr).toBe(1);
    expect(stdout).toContain('1 of 4 interactions verified, 3 failed');
    expect(stdout).toMatch(/cannot load the interaction: Expected either a "\*" or path identifier .*\.\$/);
    const results = broker.store.verifications.map(({ consumer, success, published }) => [
      consumer,
      success,
      JSON.stringify(published).replaceAll('\\"', '"'),
    ]);
    expect(results.sort()).toEqual([
      ['bracket', false, expect.stringContaining('the pact is wrong, not the target')],
      ['dollar', false, expect.stringContaining('Expected either a "*" or path identifier')],
      ['harmful', false, expect.stringContaining("the assignment of a user who is not the suite's own")],
      ['web-shop', true, expect.anything()],
    ]);
  });
  await live.emulator.close();
});

test('what is no pact at all fails alone, by its name', PROVE, async () => {
  await withBroker(async (broker) => {
    publish(broker, REFUSED);
    publish(broker, { ...REFUSED, consumer: { name: 'empty' }, interactions: [] });
    const { code, stdout } = await verify(broker, ...OBSERVED, '--consumer-version-selector', 'latest');
    expect(stdout).toContain('holds no interaction');
    expect(stdout).toContain('pending: 1 of 2 interactions verified, 1 failed');
    expect(code).toBe(0);
    const failed = broker.store.verifications.filter(({ success }) => !success);
    expect(failed.map(({ consumer }) => consumer)).toEqual(['empty']);
  });
});

test(
  'a webhook hands an address over: that pact alone, published under the version that is named',
  PROVE,
  async () => {
    await withBroker(async (broker) => {
      publish(broker, REFUSED);
      publish(broker, BROKEN, '2', 'main');
      const [pact] = broker.store.publications;
      // As a broker behind a proxy writes it: of the address only the path counts.
      const url = `http://inside.invalid/pacts/provider/${pact?.provider}/consumer/${pact?.consumer}/pact-version/${pact?.sha}`;
      const done = await runContracts(broker, ['verify', '--pact', url, ...OBSERVED]);
      expect(done.code, done.stdout + done.stderr).toBe(0);
      expect(done.stdout).toContain('because: a webhook asks for it');
      expect(broker.store.verifications).toMatchObject([{ providerVersion: 'observed-1', success: true }]);
    });
  },
);

test('the version that `--results` gives is in the JSON; a run that shows too little gives none: 3, and the broker is asked nothing', async () => {
  await withBroker(async (broker) => {
    publish(broker, REFUSED);
    const file = test.info().outputPath('results.json');
    const about = (selection: 'partial' | 'complete') => {
      const run = aRun([aResult('list.token-required', 'fail')], { selection });
      writeFileSync(file, JSON.stringify(run));
      return runContracts(broker, ['verify', ...PUBLISHED, '--results', file, '--json']);
    };
    const { code, stdout } = await about('partial');
    expect([code, stdout]).toEqual([3, expect.stringContaining('no version can be derived from this run')]);
    expect(broker.requests).toEqual([]);
    const { providerVersion } = JSON.parse((await about('complete')).stdout);
    expect(providerVersion).toMatch(/^observed-/);
    expect(broker.store.verifications).toMatchObject([{ success: true, providerVersion }]);
  });
});

test('pacts with another provider name: --provider names it', PROVE, async () => {
  await withBroker(async (broker) => {
    publish(broker, { ...REFUSED, provider: { name: 'legacy-service' } });
    const without = await verify(broker);
    expect([without.code, without.stdout]).toEqual([3, expect.stringContaining('(--provider)')]);
    expect((await verify(broker, '--provider', 'legacy-service', ...OBSERVED)).code).toBe(0);
    expect(broker.store.verifications).toMatchObject([{ provider: 'legacy-service', success: true }]);
  });
});

test('options that need another, and results of a run with other defects: 2, and the broker is asked nothing', async () => {
  await withBroker(async (broker) => {
    const file = test.info().outputPath('results.json');
    const target = aTarget({ defects: ['exchange-code-reusable'] });
    writeFileSync(file, JSON.stringify(aRun([aResult('exchange.code-single-use', 'fail')], { target })));
    for (const [args, says] of [
      [['--consumer', 'a'], '--consumer: needs --broker'],
      [['--broker', '--consumer-app-version', '1'], 'needs --consumer'],
      [['--broker', '--results', file], '--results: needs --publish'],
      [['--broker', '--consumer-version-selector', 'main'], 'is none of its keys'],
      [['--broker', '--include-wip-pacts-since', 'today'], 'Expected a day'],
      [['--broker', '--publish', '--provider-app-version', '1'], '--publish: needs --target'],
      [
        [...PUBLISHED, '--provider-app-version', '1', '--defect', 'list-token-optional'],
        "cannot be used with option '--defect <ids>'",
      ],
      [[...PUBLISHED, '--results', file], 'is about an emulator with defects (exchange-code-reusable)'],
    ] as const) {
      const end = await runContracts(broker, ['verify', ...args]);
      expect([args, end.code, end.stderr]).toEqual([args, 2, expect.stringContaining(says)]);
    }
    expect(broker.requests).toEqual([]);
  });
});

test('what to publish without a version, or by results of another target of the same name: 2, and the broker hears nothing', async () => {
  await withBroker(async (broker) => {
    const { code, stderr } = await verify(broker, '--target', 'emulator', '--publish');
    expect(stderr).toContain('--publish: expected the version of the provider');
    expect(code).toBe(2);

    const live = await startLiveEmulator(test.info().outputPath('.'));
    const { authUrl, baseUrl } = live.emulator;
    const file = test.info().outputPath('results.json');
    const about = async (target: TargetSummary, chosen: string) => {
      writeFileSync(file, JSON.stringify(aRun([aResult('exchange.code-single-use')], { target })));
      const args = ['verify', '--broker', '--target', chosen, '--publish', '--results', file];
      return runContracts(broker, args, live.env);
    };
    const staging = aTarget({ kind: 'live', name: 'emulated staging', authUrl, baseUrl });
    const elsewhere = { ...staging, authUrl: 'https://production.example' };
    for (const [target, chosen] of [
      [staging, 'emulator'],
      [elsewhere, live.file],
      [{ ...staging, kind: 'emulator' as const }, live.file],
    ] as const) {
      const other = await about(target, chosen);
      expect([other.code, other.stderr]).toEqual([2, expect.stringContaining('check that one')]);
    }
    expect(broker.requests).toEqual([]);
    // Its own results, under another name of the configuration.
    expect((await about({ ...staging, name: 'staging' }, live.file)).code).toBe(3);
    expect(broker.requests.length).toBeGreaterThan(0);
    await live.emulator.close();
  });
});
