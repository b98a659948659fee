import { createServer } from 'node:http';
import { expect, test } from '@playwright/test';
import type { BrokerAccess } from '../../../src/contracts/broker/access.ts';
import { pactsOfVersion } from '../../../src/contracts/broker/for-verification.ts';
import { Broker } from '../../../src/contracts/broker/hal-client.ts';
import { publishPacts, readPactFiles } from '../../../src/contracts/broker/publish.ts';
import { samplePact, writePacts } from '../../support/broker-double/sample-pacts.ts';
import { type BrokerFault, next, startBrokerDouble, withBroker } from '../../support/broker-double/start.ts';
import { HTML_PAGE, json } from '../../support/broker-double/wire.ts';
import { onLoopback } from '../../support/on-loopback.ts';

/** A broker that is down, closed, or none: one sentence, whatever was asked. */

const TOKEN = { authorization: 'Bearer token-of-ci-4c', secret: 'token-of-ci-4c' };

/** Asks a broker each kind of thing; by what was asked, how it failed. */
async function askAll(access: BrokerAccess, deadlineMs?: number): Promise<readonly string[]> {
  const files = readPactFiles([writePacts(test.info().outputPath('pacts'), { 'a.json': samplePact() })]);
  // A client each: one that knows the links already asks less.
  const broker = () => new Broker(access, deadlineMs);
  const failure = (work: Promise<unknown>) =>
    work.then(
      () => 'nothing failed',
      (error: Error) => error.message,
    );
  const build = { version: '1', branch: 'b', buildUrl: undefined };
  const [published, ...others] = await Promise.all([
    publishPacts(broker(), files, build),
    failure(pactsOfVersion(broker(), 'web-shop', '1')),
  ]);
  expect(published.exitCode).toBe(3);
  return [published.lines.join(), ...others];
}

for (const [what, fault, says] of [
  ['answers HTML', HTML_PAGE, 'is no Pact Broker'],
  ['answers `{}`', json(200, {}), 'has no link'],
  ['fails', { status: 503 }, 'answered 503 (3 tries)'],
  ['takes the connection and says nothing', 'stall', 'gave no answer within 0.7 s'],
] as const satisfies readonly (readonly [string, BrokerFault, string])[]) {
  test(`a broker that ${what}`, async () => {
    await withBroker(async (broker) => {
      broker.instead = () => fault;
      const failures = await askAll({ baseUrl: broker.url }, 700);
      for (const failure of failures) expect(failure).toContain(says);
    });
  });
}

for (const [what, credentials, says] of [
  ['lets nobody in', {}, '401 Unauthorized: check PACT_BROKER_TOKEN'],
  ['wants basic auth and gets a token', TOKEN, 'takes a user and a password and no tokens'],
] as const) {
  test(`a broker that ${what}`, async () => {
    const writer = { username: 'writer', password: 'writes' };
    await withBroker(
      async ({ url }) => {
        for (const failure of await askAll({ baseUrl: url, ...credentials })) expect(failure).toContain(says);
      },
      { auth: { kind: 'basic', writer } },
    );
  });
}

test('a broker that is down', async () => {
  const { url, close } = await startBrokerDouble();
  await close();
  for (const failure of await askAll({ baseUrl: url }))
    expect(failure).toContain('cannot be reached (3 tries');
});

test('a redirect within the origin is followed; one to another origin is told, and gets no credentials', async () => {
  const heard: (string | undefined)[] = [];
  const login = createServer((request, response) => {
    heard.push(request.headers.authorization);
    response.end('<p>Please sign in');
  });
  const { origin, close } = await onLoopback(login);
  const elsewhere = `${origin}/login?state=s3cret-state`;
  await withBroker(
    async (double) => {
      const broker = () => new Broker({ baseUrl: double.url, ...TOKEN });
      const index = await broker().get('/');
      double.instead = next(1, { status: 308, headers: { Location: '/' } });
      expect(await broker().get('/somewhere')).toEqual(index);
      double.instead = next(1, { status: 302, headers: { Location: elsewhere } });
      const failed = await broker()
        .get('/')
        .catch((error: Error) => error.message);
      expect(failed).toMatch(/redirects to http:\/\/127\.0\.0\.1:\d+\/login \(302\)/);
      expect(failed).not.toContain('s3cret-state');
    },
    { auth: { kind: 'token', token: TOKEN.secret } },
  );
  await close();
  expect(heard).toEqual([]);
});
