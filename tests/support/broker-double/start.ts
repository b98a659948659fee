import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type BrokerAuth, refuseUnlessAllowed } from './auth.ts';
import { titleOf } from './resources.ts';
import { answerRequest } from './routes.ts';
import { BrokerStore } from './store.ts';
import { type ArrivedAtBroker, type BrokerAnswer, json, readRequest, sendAnswer, sendBare } from './wire.ts';

/** What goes wrong instead of an answer: an answer of something else, silence, or a connection that breaks. */
export type BrokerFault = BrokerAnswer | 'stall' | 'reset';

/** Something on the way to the broker answers a page: a proxy, a login, a wrong address. */
export const HTML_PAGE: BrokerAnswer = {
  status: 200,
  headers: { 'Content-Type': 'text/html; charset=utf-8' },
  body: '<!doctype html><title>Welcome</title><p>This is not a broker.',
};

/** JSON without the links of an index. */
export const EMPTY_INDEX: BrokerAnswer = json(200, {});

/** A broker in this process. */
export interface BrokerDouble {
  readonly url: string;
  /** Every request, oldest first, also those that were refused. */
  readonly requests: readonly ArrivedAtBroker[];
  /** What it has been told. */
  readonly store: BrokerStore;
  /** The next `count` requests suffer this instead of being answered. */
  fault(fault: BrokerFault, count?: number): void;
  /** The next request to this path gets this answer. */
  answerNext(path: string, answer: BrokerAnswer): void;
  /** Every request to such a path that is no question about access gets this answer: an empty object asks whether it may write. */
  answerAlways(path: RegExp, answer: BrokerAnswer): void;
  close(): Promise<void>;
}

/** How a broker is set up. */
export interface BrokerOptions {
  readonly auth?: BrokerAuth;
  /** Environments that there are from the start, `production` being the one for production. A fresh broker has these two. */
  readonly environments?: readonly string[];
}

/**
 * Starts a double of Pact Broker 2.120.0 on a loopback socket, as far as `contracts publish`, `verify` and `provider` ask a broker. It answers
 * as that broker does, oddly included: it publishes `{}`, and fails on an empty list of contracts. The matrix is not part of it.
 */
export async function startBrokerDouble(options: BrokerOptions = {}): Promise<BrokerDouble> {
  const { auth = { kind: 'open' }, environments = ['test', 'production'] } = options;
  const store = new BrokerStore();
  for (const name of environments)
    store.addEnvironment({ name, displayName: titleOf(name), production: name === 'production' });
  const requests: ArrivedAtBroker[] = [];
  let faults: BrokerFault[] = [];
  const answers = new Map<string, BrokerAnswer>();
  let always: ((path: string) => BrokerAnswer | undefined) | undefined;

  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = await readRequest(incoming);
    requests.push(request);
    const fault = faults.shift();
    if (fault === 'stall') return;
    if (fault === 'reset') return void incoming.socket.resetAndDestroy();
    if (fault !== undefined) return sendBare(response, fault);
    const instead = answers.get(request.path) ?? (request.body === '{}' ? undefined : always?.(request.path));
    answers.delete(request.path);
    if (instead !== undefined) return sendBare(response, instead);
    const refusal = refuseUnlessAllowed(auth, request);
    if (refusal !== undefined) return sendBare(response, refusal);
    sendAnswer(response, answerOrFail(store, request));
  }

  const server = createServer((incoming, response) => {
    serve(incoming, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    store,
    fault: (fault, count = 1) => {
      faults = [...faults, ...Array.from({ length: count }, () => fault)];
    },
    answerNext: (path, answer) => void answers.set(path, answer),
    answerAlways: (pattern, answer) => {
      always = (path) => (pattern.test(path) ? answer : undefined);
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** An exception is answered as the broker does it, with a reference to a log that nobody has. */
function answerOrFail(store: BrokerStore, request: ArrivedAtBroker): BrokerAnswer {
  try {
    return answerRequest(store, request);
  } catch {
    const reference = 'bRoKeRdBlE';
    const message = `An error has occurred. The details have been logged with the reference ${reference}`;
    return json(500, { error: { message, reference } });
  }
}
