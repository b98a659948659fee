import type { Links } from './links.ts';
import type { BrokerStore } from './store.ts';
import type { ArrivedAtBroker } from './wire.ts';

/** What a route works with. */
export interface Call {
  readonly store: BrokerStore;
  readonly links: Links;
  readonly request: ArrivedAtBroker;
  /** The body as JSON, `{}` when there is none. */
  readonly body: unknown;
  /** The variable segments of the path, decoded, in order. */
  readonly at: readonly string[];
}
