import { jsonOf, type WireResponse } from './exchange.ts';

/** What a refusal gives as its reason (RFC 6749 section 5.2), which is no secret. */
export function errorIn(response: WireResponse | undefined): string {
  const body = jsonOf(response);
  const { error } = (typeof body === 'object' && body !== null ? body : {}) as { readonly error?: unknown };
  return typeof error === 'string' && /^[\x20-\x7e]{1,80}$/.test(error) ? ` (error: ${error})` : '';
}
