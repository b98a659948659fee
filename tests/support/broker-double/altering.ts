import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type BrokerAnswer, sendBare } from './wire.ts';

/** Something that stands before a broker and answers one request in its place. */
export interface AlteringProxy {
  readonly url: string;
  /** How many requests came. */
  readonly count: () => number;
  close(): Promise<void>;
}

/**
 * Starts a proxy before a broker. The request that it answers itself never gets to the broker.
 *
 * @param nth which request, from 1
 */
export async function startAlteringProxy(
  broker: string,
  nth: number,
  instead: BrokerAnswer,
): Promise<AlteringProxy> {
  let came = 0;
  const server = createServer(async (incoming, response) => {
    came += 1;
    if (came === nth) return sendBare(response, instead);
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const { method = 'GET', headers } = incoming;
    const answer = await fetch(new URL(incoming.url ?? '/', broker), {
      method,
      headers: {
        accept: headers.accept ?? '*/*',
        ...(headers['content-type'] === undefined ? {} : { 'content-type': headers['content-type'] }),
      },
      ...(chunks.length === 0 ? {} : { body: Buffer.concat(chunks) }),
    });
    sendBare(response, {
      status: answer.status,
      headers: { 'Content-Type': answer.headers.get('content-type') ?? '' },
      body: await answer.text(),
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    count: () => came,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
