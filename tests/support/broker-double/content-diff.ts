import { isObject, type PactContent } from './pact-content.ts';

/** Lines of context around a difference. */
const CONTEXT = 3;

/**
 * The difference of two contents as the broker tells it: lines of indented JSON, `-` for what it has, `+` for what was sent. The
 * text begins with blanks and a brace, like JSON, and has many lines.
 */
export function contentDiff(before: PactContent, after: PactContent): string {
  const [old, now] = [before, after].map((content) =>
    JSON.stringify(
      content,
      (_, item: unknown) =>
        isObject(item)
          ? Object.fromEntries(
              Object.entries(item)
                .filter(([key]) => key !== '_id')
                .sort(([a], [b]) => (a < b ? -1 : 1)),
            )
          : item,
      2,
    ).split('\n'),
  ) as [string[], string[]];
  let start = 0;
  while (start < old.length && old[start] === now[start]) start += 1;
  let end = 0;
  while (end < old.length - start && old.at(-1 - end) === now.at(-1 - end)) end += 1;
  const from = Math.max(0, start - CONTEXT);
  return [
    '     {',
    ...old.slice(from, start).map((line) => `   ${line}`),
    ...old.slice(start, old.length - end).map((line) => `-  ${line}`),
    ...now.slice(start, now.length - end).map((line) => `+  ${line}`),
    ...old.slice(old.length - end, old.length - end + CONTEXT).map((line) => `   ${line}`),
  ].join('\n');
}
