import { isTokenRequest, jsonOf, type Transport } from '../http/exchange.ts';
import type { Target } from './target.ts';

export const DRILL_VARIABLE = 'LEGACY_CONFORMANCE_DRILL';

/** Adds a second to the `expires_in` that the suite receives: `exchange.expires-in-7200` fails, and the service is not involved. */
export function withDrill(target: Target): Target {
  const transport: Transport = async (request, signal) => {
    const response = await target.transport(request, signal);
    const json = isTokenRequest(request) ? jsonOf(response) : undefined;
    if (typeof json !== 'object' || json === null || !('expires_in' in json)) return response;
    const body = JSON.stringify({ ...json, expires_in: Number(json.expires_in) + 1 });
    return { ...response, body, bytes: Buffer.byteLength(body) };
  };
  return { ...target, name: `DRILL: ${target.name}`, transport };
}
