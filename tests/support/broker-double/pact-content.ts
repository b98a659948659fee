import { createHash } from 'node:crypto';

/** A pact as it was published: any JSON object. The broker looks at little of it. */
export type PactContent = Readonly<Record<string, unknown>>;

/**
 * The digest by which the broker tells contents apart: interactions and messages without regard to their order or the
 * order of keys, and the version of the specification. Other metadata changes nothing.
 */
export function pactSha(content: PactContent): string {
  const { interactions, messages } = content;
  if (!Array.isArray(interactions) && !Array.isArray(messages)) return sha1(JSON.stringify(content));
  const sorted = (items: unknown) => (Array.isArray(items) ? items.map(canonical).sort() : undefined);
  return sha1(JSON.stringify([sorted(interactions), sorted(messages), specificationVersion(content)]));
}

/** The content as it is served: each interaction and message with an id made of its content. */
export function withIds(content: PactContent): PactContent {
  const identified = (items: unknown) =>
    Array.isArray(items)
      ? items.map((item) => (isObject(item) ? { _id: sha1(canonical(item)), ...item } : item))
      : undefined;
  const { interactions, messages } = content;
  return {
    ...content,
    ...(Array.isArray(interactions) ? { interactions: identified(interactions) } : {}),
    ...(Array.isArray(messages) ? { messages: identified(messages) } : {}),
  };
}

/** What stands under `consumer.name` or `provider.name`, if anything does. */
export function nameIn(content: PactContent, side: 'consumer' | 'provider'): string | undefined {
  const party = content[side];
  return isObject(party) && typeof party.name === 'string' ? party.name : undefined;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function specificationVersion({ metadata }: PactContent): unknown {
  const specification = isObject(metadata) ? metadata.pactSpecification : undefined;
  return isObject(specification) ? specification.version : undefined;
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (key, item: unknown) => {
    if (key === '_id') return undefined;
    return isObject(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : item;
  });
}

function sha1(text: string): string {
  return createHash('sha1').update(text).digest('hex');
}
