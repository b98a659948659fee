import { isJsonObject } from '../../document/input/plain-data.ts';
import { oneLine } from '../../report/printable.ts';
import type { Interaction } from '../pact/read-pact.ts';
import type { NativeReport } from './native-verifier.ts';
import type { Relayed } from './relay.ts';

export const PACT_IS_WRONG = 'the pact is wrong, not the target';

/** A name as RFC 9110 section 5.6.2 has it. */
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/;

/**
 * Explains why an interaction's request was not sent: by its headers' names, by what the relay saw of it, otherwise in Pact's
 * own words.
 */
export function unsent(
  { document: { request } }: Interaction,
  { unsendable }: Pick<Relayed, 'unsendable'>,
  { errors }: Pick<NativeReport, 'errors'>,
): readonly string[] {
  const seen = [...oddHeaders(request), ...unsendable];
  const reasons = seen.length > 0 ? seen : errors.map(withoutRelay);
  return (reasons.length > 0 ? reasons : ['Pact’s verifier gives no reason']).map(
    (reason) => `${PACT_IS_WRONG}: its request cannot be sent: ${reason}`,
  );
}

function oddHeaders(request: unknown): readonly string[] {
  if (!isJsonObject(request) || !isJsonObject(request.headers)) return [];
  return Object.entries(request.headers).flatMap(([name, value]) => {
    if (!TOKEN.test(name)) return [`${JSON.stringify(name)} cannot be a header's name`];
    const odd = /[\x00-\x08\x0a-\x1f\x7f]/.test([value].flat().join());
    return odd ? [`the header ${name} holds a line break or another control character`] : [];
  });
}

function withoutRelay(error: string): string {
  return oneLine(error.replace(/http:\/\/127\.0\.0\.1:\d+\/[\w-]+/, ''));
}
