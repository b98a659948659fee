import { headerOf, jsonOf, type WireResponse } from './exchange.ts';

/** Returns whether the body of an answer tells an error: the document leaves statuses open, so that a refusal may have a success's. */
export function tellsError(response: WireResponse | undefined): boolean {
  return ['error', 'errors'].some((name) => {
    const told = memberOf(response, name);
    return Array.isArray(told) ? told.length > 0 : Boolean(told);
  });
}

/** Returns whether a list says that it goes on elsewhere (RFC 8288): whom it lacks may stand there, and how to get there is left open. */
export function isPart(response: WireResponse | undefined): boolean {
  if (response === undefined) return false;
  const link = headerOf(response, 'link') ?? '';
  return /;\s*rel="?(?:[^"]*\s)?next\b/i.test(link) || Boolean(memberOf(response, 'next'));
}

function memberOf(response: WireResponse | undefined, name: string): unknown {
  const json = jsonOf(response);
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return undefined;
  return Object.hasOwn(json, name) ? (json as Record<string, unknown>)[name] : undefined;
}

/** What a refusal gives as its reason (RFC 6749 section 5.2), which is no secret. */
export function errorIn(response: WireResponse | undefined): string {
  const body = jsonOf(response);
  const { error } = (typeof body === 'object' && body !== null ? body : {}) as { readonly error?: unknown };
  return typeof error === 'string' && /^[\x20-\x7e]{1,80}$/.test(error) ? ` (error: ${error})` : '';
}

/**
 * The names of the members of a JSON object itself, repetitions included, in their order: a parser keeps one of each and hides the
 * rest. Empty where the text is no object. The text is taken to be valid JSON.
 */
export function membersOf(json: string): readonly string[] {
  const names: string[] = [];
  let depth = 0;
  for (const { 0: token, index } of json.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\]]/g)) {
    if (token === '{' || token === '[') depth += 1;
    else if (token === '}' || token === ']') depth -= 1;
    else if (depth === 1 && /^\s*:/.test(json.slice(index + token.length, index + token.length + 20)))
      names.push(JSON.parse(token) as string);
  }
  return /^\s*\{/.test(json) ? names : [];
}
