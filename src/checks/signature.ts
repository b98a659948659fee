import { printable } from '../report/printable.ts';
import type { SecretRegistry } from '../secrets/registry.ts';
import type { ConformanceFailure } from './outcome.ts';

const LONGEST = 300;

/**
 * Returns the signature of a known deviation: the expected and actual behaviour, without values that change between
 * runs. Both count: `status 200` after a wrong secret and after a truncated secret are two faults.
 */
export function signatureOf({ message }: ConformanceFailure, secrets: SecretRegistry): string {
  const text = printable(secrets.redact(message))
    .replace(/<([a-z_]+)#\d+>/g, '<$1>')
    .replace(/\s+/g, ' ')
    .trim();
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}…`;
}
