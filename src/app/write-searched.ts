import type { SecretRegistry } from '../secrets/registry.ts';
import { whyNotWritten, writeWhole } from './write-whole.ts';

/** Returns why a text must not be written; undefined if it holds no secret of the run. */
export function whyWithheld(what: string, text: string, secrets: SecretRegistry): string | undefined {
  const labels = [...new Set(secrets.find(text).map(({ label }) => label))];
  return labels.length === 0
    ? undefined
    : `${what} would have held ${labels.join(', ')} and was not written; this is a bug of the suite`;
}

/** Returns why a file could not be written; nothing if it was. */
export async function whyUnwritten(what: string, writing: Promise<unknown>): Promise<readonly string[]> {
  try {
    await writing;
    return [];
  } catch (error) {
    return [`${what} could not be written (${whyNotWritten(error)})`];
  }
}

/** Writes a file unless it would hold a secret of the run. Returns why it did not; nothing if it did. */
export async function writeSearched(
  file: string,
  text: string,
  secrets: SecretRegistry,
): Promise<readonly string[]> {
  const withheld = whyWithheld(file, text, secrets);
  return withheld === undefined ? whyUnwritten(file, writeWhole(file, text)) : [withheld];
}
