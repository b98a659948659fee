import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Broker } from '../../src/contracts/broker/hal-client.ts';
import { linkIn } from '../../src/contracts/broker/resource.ts';
import { BrokerFailed } from '../../src/contracts/broker/trouble.ts';

/** What the webhook of a changed pact hands over to the job that it starts. */
export interface HandedOver {
  readonly pactUrl: string;
  readonly consumerVersionNumber: string;
  readonly consumerVersionBranch: string;
  readonly providerVersionNumber: string;
}

/** Stands for the build server that a webhook calls. */
export interface Receiver {
  /** Resolves with what the webhook sends, or undefined when the broker has not sent it within this many milliseconds. */
  called(withinMs: number): Promise<HandedOver | undefined>;
  close(): Promise<void>;
}

/** What the broker replaces by a value of the pact. */
const variable = (name: string) => `\${pactbroker.${name}}`;

const BODY = {
  pactUrl: variable('pactUrl'),
  consumerVersionNumber: variable('consumerVersionNumber'),
  consumerVersionBranch: variable('consumerVersionBranch'),
  providerVersionNumber: variable('providerVersionNumber'),
};

/**
 * Creates a webhook at the broker and listens for it.
 *
 * @returns a sentence where the broker refuses it: brokers send to no http address and to no host of their own network unless
 *   they are told to
 */
export async function receiveWebhook(broker: Broker, provider: string): Promise<Receiver | string> {
  const { promise, resolve } = Promise.withResolvers<HandedOver>();
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => {
      body += text;
    });
    request.on('end', () => {
      response.end();
      resolve(JSON.parse(body));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    server.close();
    server.closeAllConnections();
  };
  try {
    const webhook = await broker.send(await broker.link('pb:webhooks'), {
      method: 'POST',
      repeatable: false,
      done: (answer) => answer !== undefined && linkIn(answer, 'self') !== undefined,
      body: {
        description: `verify changed pacts of ${provider}`,
        provider: { name: provider },
        events: [{ name: 'contract_requiring_verification_published' }],
        request: {
          method: 'POST',
          url: `http://127.0.0.1:${port}/verify`,
          headers: { 'Content-Type': 'application/json' },
          body: BODY,
        },
      },
    });
    const self = linkIn(webhook, 'self');
    return {
      called: (withinMs) =>
        Promise.race([
          promise,
          new Promise<undefined>((late) => setTimeout(() => late(undefined), withinMs).unref()),
        ]),
      async close() {
        if (self !== undefined)
          await broker.send(self, { method: 'DELETE', repeatable: true, done: () => true });
        await close();
      },
    };
  } catch (error) {
    await close();
    if (error instanceof BrokerFailed) return error.message;
    throw error;
  }
}
