import type { SecretRegistry } from '../../secrets/registry.ts';

/** Returns the labels of the secrets that a pact holds. A login does not count: it may be an ordinary name. */
export function heldSecrets(text: string, secrets: SecretRegistry): readonly string[] {
  return secrets.find(text).flatMap(({ label }) => (label.startsWith('login#') ? [] : [label]));
}
