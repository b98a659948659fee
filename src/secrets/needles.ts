import { withoutEscapes } from './readings.ts';

/**
 * The forms in which a secret stands in readings: as it is, with its own escapes undone (a password may hold `%41`), as other
 * character sets have it, composed and decomposed, in other letter case where that changes more than ASCII, with runs of
 * blanks made one. Folded.
 *
 * @returns each form once
 */
export function needlesOf(secret: string): readonly Uint8Array[] {
  const texts = [secret, secret.replace(/\s+/g, ' ').trim()];
  const isAscii = /^[\0-\x7f]*$/.test(secret);
  if (!isAscii) {
    texts.push(secret.toUpperCase(), secret.toLowerCase(), secret.normalize('NFC'), secret.normalize('NFD'));
  }
  const forms: Uint8Array[] = texts.flatMap(withoutEscapes);
  if (!isAscii) {
    // Bytes of one set read as another: how header fields come out of Node, and what Latin-1 pages send.
    forms.push(Buffer.from(Buffer.from(secret, 'utf8').toString('latin1'), 'utf8'));
    if (/^[\0-\xff]*$/.test(secret)) forms.push(Buffer.from(secret, 'latin1'));
  }
  const distinct = new Map(forms.map(folded).map((form) => [Buffer.from(form).toString('latin1'), form]));
  return [...distinct.values()];
}

/** Bytes with each as {@link FOLD} has it. */
function folded(bytes: Uint8Array): Uint8Array {
  const out = new Uint8Array(bytes.length);
  for (let index = 0; index < bytes.length; index += 1) out[index] = FOLD[bytes[index] ?? 0] ?? 0;
  return out;
}

/** ASCII's letters in lower case, and every blank, forms' `+` included, as a space. */
export const FOLD = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte >= 0x41 && byte <= 0x5a) return byte + 0x20;
  return byte === 0x2b || (byte >= 0x09 && byte <= 0x0d) ? 0x20 : byte;
});
