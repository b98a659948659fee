import type { Facts, WireApi } from './api.ts';
import { authorizeFacts } from './authorize-facts.ts';
import { clockFacts } from './clock-facts.ts';
import { resourceFacts } from './resource-facts.ts';
import { exchangeFacts, refreshFacts } from './token-facts.ts';

/**
 * Drives a server through the document, and returns what it did. Each fact has grants of its own.
 *
 * @throws {Error} when the documented flow does not go through
 */
export async function factsOf(api: WireApi): Promise<Facts> {
  return {
    ...(await exchangeFacts(api)),
    ...(await authorizeFacts(api)),
    ...(await refreshFacts(api)),
    ...(await resourceFacts(api)),
    ...(api.server.clock ? await clockFacts(api) : {}),
  };
}
