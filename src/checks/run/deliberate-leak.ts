import type { SecretRegistry } from '../../secrets/registry.ts';
import type { CheckOutcome } from '../run-check.ts';

/** Name of the environment variable that makes a run leak one secret on purpose. */
const DELIBERATE_LEAK = 'LEGACY_CONFORMANCE_DELIBERATE_LEAK';

/**
 * The outcome as it is; or, where the environment asks for it, with one secret put into its reason. It proves that the
 * search through everything written works: such a run must end in exit 4, and the file must be withheld.
 */
export function leakIfAsked(outcome: CheckOutcome, secrets: SecretRegistry): CheckOutcome {
  if (!process.env[DELIBERATE_LEAK]) return outcome;
  const [secret] = secrets.entries();
  return { ...outcome, result: { ...outcome.result, reason: `deliberate leak: ${secret?.value ?? ''}` } };
}
