import type { SecretRegistry } from '../../secrets/registry.ts';
import type { CheckOutcome } from '../run-check.ts';

const DELIBERATE_LEAK = 'LEGACY_CONFORMANCE_DELIBERATE_LEAK';

/**
 * Puts a secret into the outcome's reason if the environment asks for it. This tests the secret scan: the run must exit
 * with 4 and withhold the file.
 */
export function leakIfAsked(outcome: CheckOutcome, secrets: SecretRegistry): CheckOutcome {
  if (!process.env[DELIBERATE_LEAK]) return outcome;
  const [secret] = secrets.entries();
  return { ...outcome, result: { ...outcome.result, reason: `deliberate leak: ${secret?.value ?? ''}` } };
}
