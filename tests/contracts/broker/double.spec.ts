import { expect, test } from '@playwright/test';
import { samplePact } from '../../support/broker-double/sample-pacts.ts';
import { type BrokerDouble, withBroker } from '../../support/broker-double/start.ts';

/** The double answers as Pact Broker 2.120.0 was seen to, as far as other tests rest on it. */

const PROVIDER = 'legacy-resource-api';
const PUBLISH = '/contracts/publish';
const VERIFY = `/pacts/provider/${PROVIDER}/for-verification`;

async function send(
  broker: BrokerDouble,
  method: string,
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
) {
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const response = await fetch(`${broker.url}${path}`, { method, headers, ...sent });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    json: text === '' ? undefined : JSON.parse(text),
  };
}

function publication(pact: object = samplePact(), more = {}) {
  const content = Buffer.from(JSON.stringify(pact)).toString('base64');
  const of = { pacticipantName: 'web-shop', pacticipantVersionNumber: '1.0.0', branch: 'main' };
  return { ...of, contracts: [{ providerName: PROVIDER, content }], ...more };
}

test('publishing: 200 and notices, again 200; with other content 409 and a diff of several lines that begins like JSON', async () => {
  await withBroker(async (broker) => {
    const first = await send(broker, 'POST', PUBLISH, publication());
    expect(first.status).toBe(200);
    expect(first.headers.get('content-type')).toBe('application/hal+json;charset=utf-8');
    const { interactions, ...rest } = samplePact();
    const reordered = await send(broker, 'POST', PUBLISH, publication({ interactions, ...rest }));
    expect(reordered.status).toBe(200);
    expect(reordered.json.notices[1].text).toContain('republished');
    const changed = samplePact({ interactions: [{ ...interactions[0], response: { status: 204 } }] });
    const conflict = await send(broker, 'POST', PUBLISH, publication(changed));
    const [error, info] = conflict.json.notices;
    expect([conflict.status, error.type, info.type]).toEqual([409, 'error', 'info']);
    expect(conflict.json.errors.contracts).toEqual([error.text]);
    const lines: readonly string[] = info.text.split('\n');
    expect(lines[0]?.trim()).toBe('{');
    expect(lines.filter((line) => /^[-+]/.test(line)).map((line) => line.replace(/\s+/g, ' '))).toEqual([
      '- "status": 200',
      '+ "status": 204',
    ]);
  });
});

test('for verification: pending comes unasked, work in progress since a day, a selector that is none is refused', async () => {
  await withBroker(async (broker) => {
    const ask = async (body: object) => {
      const query = { providerVersionBranch: 'observed', ...body };
      const { status, json } = await send(broker, 'POST', VERIFY, query);
      return status === 200 ? json._embedded.pacts[0] : status;
    };
    await send(broker, 'POST', PUBLISH, publication(samplePact(), { branch: 'topic' }));
    const since = { includeWipPactsSince: '2020-01-01' };
    const wip = await ask({ consumerVersionSelectors: [{ mainBranch: true }], ...since });
    expect(wip.verificationProperties).toMatchObject({ pending: true, wip: true });
    expect(wip._links.self.href).toMatch(/\/metadata\/[\w-]+$/);
    const { verificationProperties } = await ask({ consumerVersionSelectors: [{ latest: true }] });
    expect(verificationProperties.pending).toBe(true);
    const [reason] = verificationProperties.notices;
    expect(reason.text).toContain('matching the following criterion:\n    * latest version');
    expect(await ask({ consumerVersionSelectors: [{ consumer: 'web-shop' }] })).toBe(400);
  });
});

test('pending: a branch that is made after a success inherits it, one that was there before does not', async () => {
  await withBroker(async (broker) => {
    const { store } = broker;
    store.ensureVersion(PROVIDER, 'p0', 'observed-old');
    const pact = store.publish('web-shop', '1', PROVIDER, samplePact());
    const pending = async (branch: string) => {
      const body = { consumerVersionSelectors: [{ latest: true }], providerVersionBranch: branch };
      const { json } = await send(broker, 'POST', VERIFY, body);
      return json._embedded.pacts[0].verificationProperties.pending;
    };
    expect([await pending('observed-old'), await pending('observed-new')]).toEqual([true, true]);
    store.ensureVersion(PROVIDER, 'p1', 'observed-test');
    store.verify(pact, { providerVersion: 'p1', success: true });
    expect([await pending('observed-old'), await pending('observed-new')]).toEqual([true, false]);
    store.ensureVersion(PROVIDER, 'p2', 'observed-new');
    expect(await pending('observed-new')).toBe(false);
  });
});

test('access: 401 for nobody, 400 without a body for a token, a reader reads and does not write', async () => {
  const writer = { username: 'writer', password: 'writes' };
  const reader = { username: 'reader', password: 'reads' };
  await withBroker(
    async (broker) => {
      const as = ({ username, password }: typeof writer) => ({
        Authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
      });
      const write = async (headers: Readonly<Record<string, string>>) =>
        (await send(broker, 'POST', PUBLISH, publication(), headers)).status;
      const nobody = await send(broker, 'GET', '/');
      expect([nobody.status, nobody.json]).toEqual([401, undefined]);
      expect((await send(broker, 'GET', '/', undefined, as(reader))).status).toBe(200);
      expect([
        await write({ Authorization: 'Bearer t' }),
        await write(as(reader)),
        await write(as(writer)),
      ]).toEqual([400, 401, 200]);
    },
    { auth: { kind: 'basic', writer, reader } },
  );
});
