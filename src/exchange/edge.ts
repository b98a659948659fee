import type { Header } from './exchange.ts';

/** Returns the headers that a gateway before the service asks for at an address; none for other origins. */
export type EdgeHeaders = (url: string) => readonly Header[];

/** Returns the edge's headers that a request does not have itself: a request's own header is never replaced. */
export function edgeHeadersBeside(
  own: readonly string[],
  url: string,
  edge: EdgeHeaders = () => [],
): readonly Header[] {
  const taken = new Set(own.map((name) => name.toLowerCase()));
  return edge(url).filter(([name]) => !taken.has(name.toLowerCase()));
}
