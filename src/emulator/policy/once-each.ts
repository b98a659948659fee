import type { ReceivedParameters } from '../parameters.ts';
import { type Refusal, refuse } from '../refusal.ts';

/** Applies the profile's rule for repeated parameters, which RFC 6749 sections 3.1 and 3.2 forbid. */
export function onceEach(
  parameters: ReceivedParameters,
  /** Any answer but these two is a refusal. */
  repeated: unknown,
): ReceivedParameters | Refusal<'parameter-repeated'> {
  if (repeated === 'first-wins') return parameters;
  const name = parameters.repeated();
  if (name === undefined) return parameters;
  if (repeated === 'last-wins') return parameters.lastFirst();
  return refuse('parameter-repeated', `${name} was sent more than once`, name);
}
