import { expect, test } from '@playwright/test';
import { samplePact } from '../support/broker-double/sample-pacts.ts';
import { type BrokerDouble, type BrokerOptions, startBrokerDouble } from '../support/broker-double/start.ts';

/** The stand-in answers as Pact Broker 2.120.0 was seen to. What the other tests of the broker prove rests on this. */

async function withBroker(options: BrokerOptions, work: (broker: BrokerDouble) => Promise<void>) {
  const broker = await startBrokerDouble(options);
  try {
    await work(broker);
  } finally {
    await broker.close();
  }
}

async function send(
  broker: BrokerDouble,
  method: string,
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
) {
  const response = await fetch(`${broker.url}${path}`, {
    method,
    headers: { 'Content-Type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    json: text === '' ? undefined : JSON.parse(text),
  };
}

const base64 = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64');

function publication(contract: Readonly<Record<string, unknown>> = {}, more = {}) {
  return {
    pacticipantName: 'web-shop',
    pacticipantVersionNumber: '1.0.0',
    branch: 'main',
    contracts: [
      {
        consumerName: 'web-shop',
        providerName: 'legacy-resource-api',
        specification: 'pact',
        contentType: 'application/json',
        content: base64(samplePact()),
        onConflict: 'overwrite',
        ...contract,
      },
    ],
    ...more,
  };
}

const PUBLISH = '/contracts/publish';

test('publishing: 200 and notices, again 200, with other content 409; its headers and addresses', async () => {
  await withBroker({}, async (broker) => {
    const first = await send(broker, 'POST', PUBLISH, publication());
    expect(first.status).toBe(200);
    expect(first.headers.get('content-type')).toBe('application/hal+json;charset=utf-8');
    expect(first.headers.get('x-pact-broker-version')).toBe('2.120.0');
    expect(first.json.notices[0]).toEqual({
      type: 'debug',
      text: 'Created web-shop version 1.0.0 with branch main',
    });
    expect(first.json._links['pb:contracts'][0].href).toBe(
      `${broker.url}/pacts/provider/legacy-resource-api/consumer/web-shop/version/1.0.0`,
    );
    // The same content, its keys in another order: nothing has changed.
    const { interactions, ...rest } = samplePact();
    const again = await send(
      broker,
      'POST',
      PUBLISH,
      publication({ content: base64({ interactions, ...rest }) }),
    );
    expect(again.status).toBe(200);
    expect(again.json.notices[1].text).toContain('republished');
    const changed = publication({ content: base64(samplePact({ interactions: [{ description: 'x' }] })) });
    const conflict = await send(broker, 'POST', PUBLISH, changed);
    expect(conflict.status).toBe(409);
    expect(conflict.json.errors.contracts[0]).toContain(
      'Cannot change the content of the pact for web-shop version 1.0.0 and provider legacy-resource-api',
    );
  });
});

for (const [what, body, expected] of [
  [
    'another onConflict',
    publication({ onConflict: 'ignore' }),
    ['onConflict must be one of: overwrite, merge (at index 0)'],
  ],
  [
    'another consumer in the content',
    publication({ content: base64(samplePact({ consumer: { name: 'other-shop' } })) }),
    [
      "consumer name in contract content ('other-shop') must match consumerName in contract params ('web-shop') (at index 0)",
    ],
  ],
  [
    'content that is no Base64',
    publication({ content: '{"not":"base64"}' }),
    ['is not valid Base64 (at index 0)', 'content could not be parsed as application/json (at index 0)'],
  ],
  [
    'content that is no JSON',
    publication({ content: base64('no json') }),
    ['content could not be parsed as application/json (at index 0)'],
  ],
  [
    'another specification',
    publication({ specification: 'other' }),
    ['specification must be one of: pact (at index 0)'],
  ],
] as const) {
  test(`publishing ${what}: 400 with its sentence`, async () => {
    await withBroker({}, async (broker) => {
      const { status, json } = await send(broker, 'POST', PUBLISH, body);
      expect(status).toBe(400);
      expect(json.errors.contracts).toEqual(expected);
      expect(broker.store.publications).toEqual([]);
    });
  });
}

test('the odd answers: nothing given 400, `{}` as a pact 200, no contracts 500, no JSON 400, a form 415, GET 405', async () => {
  await withBroker({}, async (broker) => {
    const nothing = await send(broker, 'POST', PUBLISH, {});
    expect([nothing.status, nothing.json]).toEqual([
      400,
      {
        errors: {
          pacticipantName: ['is missing'],
          pacticipantVersionNumber: ['is missing'],
          contracts: ['is missing'],
        },
      },
    ]);
    expect((await send(broker, 'POST', PUBLISH, publication({ content: base64({}) }))).status).toBe(200);
    expect((await send(broker, 'POST', PUBLISH, publication({}, { contracts: [] }))).status).toBe(500);
    expect((await send(broker, 'POST', PUBLISH, '{"broken')).json.error).toContain('JSON::ParserError');
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
    expect((await send(broker, 'POST', PUBLISH, 'a=b', form)).status).toBe(415);
    const get = await send(broker, 'GET', PUBLISH);
    expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
    expect((await send(broker, 'GET', '/nowhere')).json).toEqual({
      error: 'The requested document was not found on this server.',
    });
  });
});

test('environments: created once, named without spaces; a deployment replaces the one before it', async () => {
  await withBroker({ environments: [] }, async (broker) => {
    const created = await send(broker, 'POST', '/environments', { name: 'uat', production: false });
    expect([created.status, created.json.displayName]).toEqual([201, 'Uat']);
    expect(created.headers.get('location')).toBe(`${broker.url}/environments/${created.json.uuid}`);
    const again = await send(broker, 'POST', '/environments', { name: 'uat', production: false });
    expect(again.json.errors.name).toEqual(["name 'uat' is already used by an existing environment."]);
    const spaced = await send(broker, 'POST', '/environments', { name: 'u at', production: false });
    expect(spaced.json.errors.name).toEqual(['cannot contain spaces']);

    for (const version of ['1', '2']) {
      await send(broker, 'POST', PUBLISH, publication({}, { pacticipantVersionNumber: version }));
      const { json } = await send(broker, 'GET', `/pacticipants/web-shop/versions/${version}`);
      const path = new URL(json._links['pb:record-deployment'][0].href).pathname;
      const once = await send(broker, 'POST', path, {});
      const twice = await send(broker, 'POST', path, {});
      expect([once.status, twice.status, once.json.uuid]).toEqual([201, 201, twice.json.uuid]);
    }
    expect(broker.store.deployedIn('uat', 'web-shop')).toEqual(['2']);
  });
});

test('the matrix: unknown, verified, failed; a provider without consumers; unknown names', async () => {
  await withBroker({ environments: ['uat'] }, async (broker) => {
    const ask = (name: string, version: string, environment = 'uat') =>
      send(
        broker,
        'GET',
        `/matrix?q[][pacticipant]=${name}&q[][version]=${version}&latestby=cvpv&environment=${environment}`,
      );
    await send(broker, 'POST', PUBLISH, publication());
    const before = await ask('web-shop', '1.0.0');
    expect(before.json.summary).toEqual({
      deployable: null,
      reason:
        'There is no verified pact between version 1.0.0 of web-shop and a version of legacy-resource-api currently in uat (no version is currently recorded as deployed/released in this environment)',
      success: 0,
      failed: 0,
      unknown: 1,
    });
    const uat = broker.store.environment('uat');
    const [published] = broker.store.publications;
    if (uat === undefined || published === undefined) throw new Error('nothing was published');
    broker.store.deploy('legacy-resource-api', '5.0.1', uat);
    const result = (success: boolean) =>
      send(
        broker,
        'POST',
        `/pacts/provider/legacy-resource-api/consumer/web-shop/pact-version/${published.sha}/verification-results`,
        { success, providerApplicationVersion: '5.0.1' },
      );
    const first = await result(true);
    expect([first.status, first.headers.get('location')?.endsWith('/101')]).toEqual([201, true]);
    expect((await ask('web-shop', '1.0.0')).json.summary.reason).toBe(
      'All required verification results are published and successful',
    );
    await result(false);
    expect((await ask('web-shop', '1.0.0')).json.summary).toMatchObject({
      deployable: false,
      failed: 1,
      reason:
        'The verification for the pact between version 1.0.0 of web-shop and the version of legacy-resource-api currently in uat (5.0.1) failed',
    });
    expect((await ask('legacy-resource-api', '5.0.1')).json).toMatchObject({
      summary: { deployable: true, reason: 'There are no missing dependencies' },
      matrix: [],
    });
    expect((await ask('web-shop', '9.9.9')).json.summary).toMatchObject({
      deployable: false,
      reason: 'No pacts or verifications have been published for version 9.9.9 of web-shop',
    });
    const nobody = await ask('nobody', '1', 'nowhere');
    expect([nobody.status, nobody.json.errors]).toEqual([
      400,
      ['Pacticipant nobody not found', "Environment with name 'nowhere' does not exist"],
    ]);
  });
});

test('a refused change holds its diff: notices of several lines, the first of which begins like JSON', async () => {
  await withBroker({}, async (broker) => {
    await send(broker, 'POST', PUBLISH, publication());
    const [interaction] = samplePact().interactions;
    const changed = samplePact({ interactions: [{ ...interaction, response: { status: 204 } }] });
    const { status, json } = await send(broker, 'POST', PUBLISH, publication({ content: base64(changed) }));
    expect(status).toBe(409);
    expect(json.notices.map(({ type }: { type: string }) => type)).toEqual(['error', 'info']);
    const lines = json.notices[1].text.split('\n');
    expect(lines[0].trim()).toBe('{');
    expect(
      lines.filter((line: string) => /^[-+]/.test(line)).map((line: string) => line.replace(/\s+/g, ' ')),
    ).toEqual(['- "status": 200', '+ "status": 204']);
  });
});

test('for verification: pending per branch of the provider, work in progress since a day, selectors that are none', async () => {
  await withBroker({}, async (broker) => {
    const ask = (body: unknown) =>
      send(broker, 'POST', '/pacts/provider/legacy-resource-api/for-verification', body);
    await send(broker, 'POST', PUBLISH, publication({}, { branch: 'topic' }));
    const wip = await ask({
      consumerVersionSelectors: [{ mainBranch: true }],
      includePendingStatus: true,
      providerVersionBranch: 'observed',
      includeWipPactsSince: '2020-01-01',
    });
    const [pact] = wip.json._embedded.pacts;
    expect(pact.verificationProperties).toMatchObject({ pending: true, wip: true });
    expect(pact._links.self.href).toMatch(/\/metadata\/[\w-]+$/);
    const latest = await ask({
      consumerVersionSelectors: [{ latest: true }],
      providerVersionBranch: 'observed',
    });
    const [properties] = latest.json._embedded.pacts.map(
      (one: { verificationProperties: unknown }) => one.verificationProperties,
    );
    // It comes whether or not it was asked for.
    expect(properties.pending).toBe(true);
    expect(properties.notices.map(({ when }: { when: string }) => when)).toContain(
      'after_verification:success_true_published_true',
    );
    expect(properties.notices[0].text).toContain('matching the following criterion:\n    * latest version');
    expect((await ask({ consumerVersionSelectors: [{ consumer: 'web-shop' }] })).status).toBe(400);
    expect((await ask({ consumerVersionSelectors: [{ matchingBranch: true }] })).status).toBe(400);
  });
});

test('what can be made by itself, and removed: versions with their pacticipant, main branches, branches, environments', async () => {
  await withBroker({ environments: ['test'] }, async (broker) => {
    const version = await send(broker, 'PUT', '/pacticipants/fresh/versions/1', {});
    expect([version.status, version.json._links['pb:record-release'][0].name]).toEqual([201, 'test']);
    expect((await send(broker, 'PUT', '/pacticipants/fresh/branches/topic/versions/1', {})).status).toBe(201);
    const merge = { 'Content-Type': 'application/merge-patch+json' };
    const patched = await send(broker, 'PATCH', '/pacticipants/fresh', { mainBranch: 'trunk' }, merge);
    expect([patched.status, patched.json.mainBranch]).toEqual([200, 'trunk']);
    const [environment] = broker.store.environments;
    for (const path of [
      '/pacticipants/fresh/branches/topic',
      '/pacticipants/fresh',
      `/environments/${environment?.uuid}`,
    ])
      expect([path, (await send(broker, 'DELETE', path)).status]).toEqual([path, 204]);
    expect((await send(broker, 'GET', '/pacticipants/fresh')).status).toBe(404);
  });
});

test('can-i-deploy has a validation of its own; a webhook knows its events, and is told of once for each version that needs it', async () => {
  await withBroker({ environments: ['test', 'production'] }, async (broker) => {
    const unknown = await send(broker, 'GET', '/can-i-deploy?pacticipant=a&version=1&environment=moon');
    expect([unknown.status, unknown.json.errors]).toEqual([
      400,
      {
        pacticipant: ['does not match an existing pacticipant'],
        environment: ["with name 'moon' does not exist"],
      },
    ]);
    const webhook = (name: string) =>
      send(broker, 'POST', '/webhooks', {
        description: 'verify',
        provider: { name: 'legacy-resource-api' },
        events: [{ name }],
        request: { method: 'POST', url: 'http://127.0.0.1:9/', headers: {}, body: {} },
      });
    expect((await webhook('pact_changed')).status).toBe(400);
    expect((await webhook('contract_requiring_verification_published')).status).toBe(201);
    for (const environment of broker.store.environments) {
      broker.store.ensureVersion('legacy-resource-api', 'observed-1');
      broker.store.deploy('legacy-resource-api', 'observed-1', environment);
    }
    const { json } = await send(broker, 'POST', PUBLISH, publication());
    const texts = json.notices.map(({ text }: { text: string }) => text);
    expect(texts.filter((text: string) => text.includes('Webhook "verify" triggered'))).toHaveLength(1);
  });
});

test('access: 401 without headers of the broker, 400 for a token, a reader reads and does not write', async () => {
  const writer = { username: 'writer', password: 'writes' };
  const reader = { username: 'reader', password: 'reads' };
  await withBroker({ auth: { kind: 'basic', writer, reader } }, async (broker) => {
    const as = ({ username, password }: typeof writer) => ({
      Authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
    });
    const nobody = await send(broker, 'GET', '/');
    expect([nobody.status, nobody.headers.get('www-authenticate'), nobody.json]).toEqual([
      401,
      'Basic realm="Restricted area"',
      undefined,
    ]);
    expect(nobody.headers.get('x-pact-broker-version')).toBe(null);
    expect((await send(broker, 'GET', '/', undefined, { Authorization: 'Bearer t' })).status).toBe(400);
    expect((await send(broker, 'GET', '/', undefined, as(reader))).status).toBe(200);
    expect((await send(broker, 'POST', PUBLISH, publication(), as(reader))).status).toBe(401);
    expect((await send(broker, 'POST', PUBLISH, publication(), as(writer))).status).toBe(200);
  });
});
