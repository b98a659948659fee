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

test('a deployment replaces the one before it, and repeating it changes nothing', async () => {
  await withBroker({ environments: ['uat'] }, async (broker) => {
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

test('pending: a branch that is made after a success inherits it, one that was there before does not', async () => {
  await withBroker({}, async (broker) => {
    const { store } = broker;
    store.ensureVersion('legacy-resource-api', 'p0', 'observed-old');
    await send(broker, 'POST', PUBLISH, publication());
    const [pact] = store.publications;
    if (pact === undefined) throw new Error('nothing was published');
    const pending = async (branch: string) => {
      const body = { consumerVersionSelectors: [{ latest: true }], providerVersionBranch: branch };
      const { json } = await send(
        broker,
        'POST',
        '/pacts/provider/legacy-resource-api/for-verification',
        body,
      );
      return json._embedded.pacts[0].verificationProperties.pending;
    };
    expect([await pending('observed-old'), await pending('observed-new')]).toEqual([true, true]);
    store.ensureVersion('legacy-resource-api', 'p1', 'observed-test');
    store.verify({ ...pact, providerVersion: 'p1', success: true, published: {} });
    expect([await pending('observed-old'), await pending('observed-new')]).toEqual([true, false]);
    store.ensureVersion('legacy-resource-api', 'p2', 'observed-new');
    expect(await pending('observed-new')).toBe(false);
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
