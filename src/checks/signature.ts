import { printable } from '../report/printable.ts';
import type { SecretRegistry } from '../secrets/registry.ts';
import type { ConformanceFailure } from './outcome.ts';

/** Longer than this no failure is described; what follows tells nothing more. */
const LONGEST = 300;

/**
 * What a known deviation is recognised by: what was expected and what came, without anything that another run would have
 * otherwise. Both halves count: `status 200` after a wrong secret and after a secret that was cut short are two faults.
 */
export function signatureOf({ message }: ConformanceFailure, secrets: SecretRegistry): string {
  const text = printable(secrets.redact(message))
    .replace(/<([a-z_]+)#\d+>/g, '<$1>')
    .replace(/\s+/g, ' ')
    .trim();
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}…`;
}
