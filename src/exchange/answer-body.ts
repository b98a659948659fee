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
