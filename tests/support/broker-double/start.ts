import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { CommandEnd } from '../command.ts';
import { runHere } from '../command-here.ts';
import { onLoopback } from '../on-loopback.ts';
import { answerRequest } from './routes.ts';
import { BrokerStore } from './store.ts';
import {
  type ArrivedAtBroker,
  type BrokerAnswer,
  type BrokerAuth,
  readRequest,
  refuseUnlessAllowed,
  sendAnswer,
} from './wire.ts';

/** Faults in place of an answer: an answer of something else, or silence. */
export type BrokerFault = BrokerAnswer | 'stall';

export interface BrokerDouble {
  readonly url: string;
  /** Every request, oldest first, also those that were refused. */
  readonly requests: readonly ArrivedAtBroker[];
  readonly store: BrokerStore;
  /** Returns the fault in place of the answer to a request; undefined if it is answered. */
  instead: (request: ArrivedAtBroker) => BrokerFault | undefined;
  close(): Promise<void>;
}

export interface BrokerOptions {
  readonly auth?: BrokerAuth;
}

/** Some requests suffer a fault: the first ones from now on, or from later on. For {@link BrokerDouble.instead}. */
export function next(count: number, fault: BrokerFault, after = 0): BrokerDouble['instead'] {
  let actual = 0;
  return () => {
    actual += 1;
    return actual > after && actual <= after + count ? fault : undefined;
  };
}

/** Starts a double of Pact Broker 2.120.0 on a loopback socket, as far as `contracts publish` and `verify` need one. */
export async function startBrokerDouble(options: BrokerOptions = {}): Promise<BrokerDouble> {
  const { auth = { kind: 'open' } } = options;
  const store = new BrokerStore();
  const requests: ArrivedAtBroker[] = [];

  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = await readRequest(incoming);
    requests.push(request);
    const fault = double.instead(request);
    if (fault === 'stall') return;
    sendAnswer(response, fault ?? refuseUnlessAllowed(auth, request) ?? answerRequest(store, request));
  }

  const server = createServer((incoming, response) => {
    serve(incoming, response).catch(() => response.destroy());
  });
  const { origin, close } = await onLoopback(server);
  const double: BrokerDouble = {
    url: origin,
    requests,
    store,
    instead: () => undefined,
    close,
  };
  return double;
}

export async function withBroker<T>(
  work: (broker: BrokerDouble) => Promise<T>,
  options: BrokerOptions = {},
): Promise<T> {
  const broker = await startBrokerDouble(options);
  try {
    return await work(broker);
  } finally {
    await broker.close();
  }
}

/** A CI system's own variables would decide about version and branch; with two answers about colours the runtime writes a warning. */
const NO_CI = {
  GITHUB_ACTIONS: undefined,
  GITLAB_CI: undefined,
  TF_BUILD: undefined,
  CIRCLECI: undefined,
  BUILDKITE: undefined,
  BITBUCKET_COMMIT: undefined,
  JENKINS_URL: undefined,
  FORCE_COLOR: undefined,
};

/** Runs a verb of `contracts` at a broker, outside of CI. */
export function runContracts(
  { url }: Pick<BrokerDouble, 'url'>,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<CommandEnd> {
  return runHere(['contracts', ...args], { ...NO_CI, PACT_BROKER_BASE_URL: url, ...env });
}
