import type { BrokerStore, Publication } from './store.ts';

/** The context of a route. */
export interface Call {
  readonly store: BrokerStore;
  /** An address of the broker: absolute, made from the Host that the request was sent to. */
  readonly href: (...segments: readonly string[]) => string;
  /** The body as JSON, `{}` when there is none. */
  readonly body: Readonly<Record<string, unknown>>;
  /** The variable segments of the path, decoded, in order. */
  readonly at: readonly string[];
}

/** The address of a consumer version's pact. */
export function pactHref({ href }: Call, { provider, consumer, version }: Publication): string {
  return href('pacts', 'provider', provider, 'consumer', consumer, 'version', version);
}

/** The permalink of a content, with metadata that say why it was asked for. */
export function contentHref(
  { href }: Call,
  { provider, consumer, sha }: Publication,
  metadata?: string,
): string {
  const segments = ['pacts', 'provider', provider, 'consumer', consumer, 'pact-version', sha];
  return href(...segments, ...(metadata === undefined ? [] : ['metadata', metadata]));
}
