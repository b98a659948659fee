import { createHmac } from 'node:crypto';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Accepts codes of the present half minute and its neighbours, each once (RFC 6238 section 5.2). `secret`: base32. */
export function oneTimeCodes(secret: string, now: () => number = Date.now): (code: string) => boolean {
  const bits = [...secret].map((letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, '0')).join('');
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const used = new Set<number>();
  return (code) => {
    const present = Math.floor(now() / 30_000);
    const period = [present, present - 1, present + 1].find((one) => codeAt(key, one) === code);
    if (period === undefined || used.has(period)) return false;
    used.add(period);
    return true;
  };
}

function codeAt(key: Buffer, period: number): string {
  const message = Buffer.from(period.toString(16).padStart(16, '0'), 'hex');
  const mac = createHmac('sha1', key).update(message).digest();
  const word = mac.readUInt32BE(mac.readUInt8(19) % 16) % 2 ** 31;
  return String(word).slice(-6).padStart(6, '0');
}
