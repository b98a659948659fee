import { isJsonObject } from '../../document/input/plain-data.ts';
import type { Interaction } from '../pact/read-pact.ts';
import { isStateName, PROVIDER_STATES } from '../states.ts';
import { variablesIn } from './refuse-pacts.ts';

const RULE = 'take every secret and every id from a provider state (rule 2 in docs/pacts.md)';

/**
 * Explains a failed interaction by the values that the pact holds itself: a token of its own, or states whose values it does not
 * use. No target knows these.
 */
export function ownValues({ expressions, states, document: { request } }: Interaction): readonly string[] {
  const used = new Set(expressions.flatMap(variablesIn));
  const headers = isJsonObject(request) && isJsonObject(request.headers) ? Object.keys(request.headers) : [];
  const literal =
    headers.some((name) => /^authorization$/i.test(name)) &&
    !['access_token', 'authorization'].some((value) => used.has(value));
  const unused = states.flatMap(({ name }) => {
    const values = isStateName(name) ? PROVIDER_STATES[name].values : [];
    if (values.length === 0 || values.some((value) => used.has(value))) return [];
    return [`the state "${name}" injects ${values.join(', ')}, and the interaction uses none of them`];
  });
  const said = [...(literal ? ['the interaction sends the Authorization of its example'] : []), ...unused];
  return said.map((sentence) => `${sentence}: ${RULE}`);
}
