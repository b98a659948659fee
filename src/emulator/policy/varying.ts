import type { HeaderLine } from '../answer.ts';

const VARIES = 'varies';

/**
 * Varies a header's value in each answer if the profile says that it varies. The value has the header's usual format, so that
 * clients can read it.
 */
export function varyingLines(lines: readonly HeaderLine[]): () => readonly HeaderLine[] {
  if (!lines.some(([, value]) => value === VARIES)) return () => lines;
  let answers = 0;
  return () => {
    answers += 1;
    return lines.map(([name, value]) => (value === VARIES ? [name, nthValue(name, answers)] : [name, value]));
  };
}

function nthValue(name: string, nth: number): string {
  const lower = name.toLowerCase();
  const id = nth.toString(16).padStart(12, '0');
  if (lower === 'etag') return `"${id}"`;
  if (lower === 'cache-control') return `max-age=${nth}`;
  if (lower === 'vary') return `X-Variant-${nth}`;
  if (/^(?:expires|last-modified|sunset)$/.test(lower)) return new Date(nth * 1_000).toUTCString();
  if (lower === 'deprecation') return `@${nth}`;
  if (/^(?:age|retry-after)$|limit|remaining|reset|count|duration|runtime|time$/.test(lower))
    return String(nth);
  return id;
}
