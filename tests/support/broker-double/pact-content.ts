import { createHash } from 'node:crypto';

/** A pact as it was published: any JSON object. The broker looks at little of it. */
export type PactContent = Readonly<Record<string, unknown>>;

/** The digest by which the broker tells contents apart: interactions without regard to their order or the order of keys. */
export function pactSha({ interactions, metadata }: PactContent): string {
  const { pactSpecification } = (metadata ?? {}) as { readonly pactSpecification?: unknown };
  return sha1(JSON.stringify([listOf(interactions).map(canonical).sort(), pactSpecification]));
}

/** The content as it is served: each interaction with an id made of its content. */
export function withIds(content: PactContent): PactContent {
  const identified = listOf(content.interactions).map((item) => ({
    _id: sha1(canonical(item)),
    ...(item as object),
  }));
  return { ...content, interactions: identified };
}

const CONTEXT = 3;

/** The difference as the broker tells it: lines of indented JSON, `-` for what it has, `+` for what was sent. */
export function contentDiff(before: PactContent, after: PactContent): string {
  const [old, now] = [canonical(before, 2).split('\n'), canonical(after, 2).split('\n')];
  let start = 0;
  while (start < old.length && old[start] === now[start]) start += 1;
  let end = 0;
  while (end < old.length - start && old.at(-1 - end) === now.at(-1 - end)) end += 1;
  return [
    '     {',
    ...old.slice(Math.max(0, start - CONTEXT), start).map((line) => `   ${line}`),
    ...old.slice(start, old.length - end).map((line) => `-  ${line}`),
    ...now.slice(start, now.length - end).map((line) => `+  ${line}`),
    ...old.slice(old.length - end, old.length - end + CONTEXT).map((line) => `   ${line}`),
  ].join('\n');
}

function listOf(items: unknown): readonly unknown[] {
  return Array.isArray(items) ? items : [];
}

function canonical(value: unknown, indent?: number): string {
  const sorted = (key: string, item: unknown) => {
    if (key === '_id') return undefined;
    return typeof item === 'object' && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : item;
  };
  return JSON.stringify(value, sorted, indent);
}

function sha1(text: string): string {
  return createHash('sha1').update(text).digest('hex');
}
