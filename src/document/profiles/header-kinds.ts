import type { AspectId } from './aspects.ts';

export type HeaderFamily = 'pages' | 'token' | 'resource';

/** Excluded: any HTTP answer may have these, or another open point covers them. */
const EVERYWHERE =
  /^(date|connection|keep-alive|content-(length|encoding|type)|transfer-encoding|trailer|set-cookie|location|www-authenticate|allow|accept-ranges)$/;

/** Excluded: requirements cover these, or they define how long a page may be cached. */
const OF_PAGES =
  /^(content-security-policy.*|x-frame-options|x-content-type-options|referrer-policy|permissions-policy|cross-origin-.*|cache-control|pragma|expires|etag|last-modified|x-xss-protection)$/;

/** Excluded: token responses have aspects of their own for these. */
const OF_TOKENS = /^(cache-control|pragma)$/;

const KINDS: readonly (readonly [AspectId, RegExp])[] = [
  ['response-headers.caching', /^(cache-control|expires|age|etag|last-modified|vary)$/],
  ['response-headers.cors', /^access-control-/],
  ['response-headers.rate-limit', /^(x-)?rate-?limit|^retry-after$/],
  ['response-headers.retirement', /^(deprecation|sunset|link)$/],
  ['response-headers.transport', /^strict-transport-security$/],
];

const HEADER_ASPECTS: readonly AspectId[] = KINDS.map(([aspect]) => aspect);

export function headerAspect(name: string, family: HeaderFamily): AspectId | undefined {
  if (EVERYWHERE.test(name)) return undefined;
  if ((family === 'pages' && OF_PAGES.test(name)) || (family === 'token' && OF_TOKENS.test(name)))
    return undefined;
  return KINDS.find(([, names]) => names.test(name))?.[0];
}

export function headersByAspect(
  families: Readonly<Record<HeaderFamily, ReadonlyMap<string, string>>>,
): ReadonlyMap<AspectId, Readonly<Record<string, Readonly<Record<string, string>>>>> {
  const found = new Map<AspectId, Record<string, Record<string, string>>>(
    HEADER_ASPECTS.map((aspect) => [aspect, {}]),
  );
  for (const family of ['pages', 'token', 'resource'] as const) {
    for (const [name, value] of families[family]) {
      const aspect = headerAspect(name, family);
      const answer = aspect === undefined ? undefined : found.get(aspect);
      if (answer !== undefined) answer[family] = { ...answer[family], [name]: value };
    }
  }
  return found;
}
