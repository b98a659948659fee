import type { ClientSettings, ClientUnderTest } from './client-under-test.ts';
import { TestClock } from './clock.ts';
import { type Fault, FaultServer, type Treatment } from './fault-server.ts';
import { RecordingStore } from './recording-store.ts';
import { explain, referenceClient } from './reference.ts';
import { CLIENT_SECRET, CODE, tokens } from './replies.ts';
import { AUTH_URL, BASE_URL, ScriptedService } from './scripted-service.ts';

/** Seconds of leeway that the clients under test are given. */
export const LEEWAY_SECONDS = 30;

/** Milliseconds that a request may take. */
const DEADLINE_MS = 5_000;

/** The same where the service stalls: short, since the scenario waits for it to pass. */
const SHORT_DEADLINE_MS = 300;

/** The context of one scenario. */
export class Stage {
  readonly clock = new TestClock();
  readonly store = new RecordingStore();
  readonly service = new ScriptedService();
  #faults: readonly FaultServer[] = [];

  /** A new client, as after a restart: all that it knows is in the store. */
  async client(changes: Partial<ClientSettings> = {}): Promise<ClientUnderTest> {
    return referenceClient({
      authUrl: AUTH_URL,
      baseUrl: BASE_URL,
      clientId: 'client-id-1',
      clientSecret: CLIENT_SECRET,
      redirectUri: 'https://client.legacy.test/callback',
      deadlineMs: DEADLINE_MS,
      leewaySeconds: LEEWAY_SECONDS,
      now: this.clock.now,
      store: this.store,
      ...changes,
    });
  }

  /** A client that has exchanged {@link CODE} for the first pair. */
  async connectedClient(): Promise<ClientUnderTest> {
    const client = await this.client();
    this.service.token(tokens(1));
    await client.exchange(CODE);
    return client;
  }

  /** A service on a real connection that suffers faults. */
  async faultServer(...treatments: readonly Treatment[]): Promise<FaultServer> {
    const server = await FaultServer.start(...treatments);
    this.#faults = [...this.#faults, server];
    return server;
  }

  /** A client of such a service, which gives up soon on one that stalls. */
  async clientOf({ url }: FaultServer, fault: Fault): Promise<ClientUnderTest> {
    return await this.client({ authUrl: url, baseUrl: url, deadlineMs: deadlineFor(fault) });
  }

  readonly explain = explain;

  /** Clears the stage. Returns what was wrong with the requests that were sent. */
  async close(): Promise<readonly string[]> {
    await Promise.all(this.#faults.map((server) => server.close()));
    return this.service.close();
  }
}

/** Milliseconds that a client is given for a request that suffers a fault. */
export function deadlineFor(fault: Fault): number {
  return fault === 'stall' || fault === 'stall-in-body' ? SHORT_DEADLINE_MS : DEADLINE_MS;
}
