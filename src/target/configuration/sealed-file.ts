import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from 'node:crypto';
import type { BrowserContext } from 'playwright-core';
import { parseJson } from '../../document/input/plain-data.ts';

/** Cost of one guess: about 0.1 s and 32 MiB. */
const SCRYPT = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 };

/** The part of a sealed file that is readable without its passphrase. */
interface SealedHead {
  readonly format: string;
  readonly authUrl: string;
  /** ISO 8601, UTC. */
  readonly savedAt: string;
}

interface Sealed extends SealedHead {
  readonly salt: string;
  readonly iv: string;
  readonly tag: string;
  readonly data: string;
}

/** A sealed file that cannot be opened. The message completes "got …" and holds no secret. */
export class SealBroken extends Error {
  override readonly name = 'SealBroken';
}

/** Encrypts a value with AES-256-GCM. The key comes from the passphrase by scrypt; the head is readable and authenticated. */
export function seal(value: unknown, { format, authUrl, savedAt }: SealedHead, passphrase: string): string {
  const [salt, iv] = [randomBytes(16), randomBytes(12)];
  const head = { format, authUrl, savedAt };
  const cipher = createCipheriv('aes-256-gcm', keyOf(passphrase, salt), iv).setAAD(bytesOf(head));
  const data = Buffer.concat([cipher.update(JSON.stringify(value), 'utf8'), cipher.final()]);
  const sealed: Sealed = {
    ...head,
    salt: salt.toString('base64'),
    iv: iv.toString('base64'),
    tag: cipher.getAuthTag().toString('base64'),
    data: data.toString('base64'),
  };
  return `${JSON.stringify(sealed, null, 2)}\n`;
}

/** Opens a sealed file of a service; of any, if `authUrl` is undefined. @throws SealBroken */
export function unseal(
  text: string,
  format: string,
  authUrl: string | undefined,
  passphrase: string,
): unknown {
  const sealed = parse(text, format);
  if (authUrl !== undefined && sealed.authUrl !== authUrl) throw new SealBroken('one of another service');
  try {
    const key = keyOf(passphrase, Buffer.from(sealed.salt, 'base64'));
    const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(sealed.iv, 'base64'), {
      authTagLength: 16,
    })
      .setAAD(bytesOf(sealed))
      .setAuthTag(Buffer.from(sealed.tag, 'base64'));
    const opened = Buffer.concat([decipher.update(Buffer.from(sealed.data, 'base64')), decipher.final()]);
    return JSON.parse(opened.toString('utf8'));
  } catch {
    throw new SealBroken('one that the passphrase does not open');
  }
}

function parse(text: string, format: string): Sealed {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch {
    value = undefined;
  }
  if (typeof value === 'object' && value !== null && 'format' in value && value.format === format) {
    return value as Sealed;
  }
  throw new SealBroken('a file of another kind');
}

function keyOf(passphrase: string, salt: Buffer): Buffer {
  return scryptSync(passphrase, salt, 32, SCRYPT);
}

/** Authenticates the readable part together with the encrypted one. */
function bytesOf({ format, authUrl, savedAt }: SealedHead): Buffer {
  return Buffer.from(JSON.stringify([format, authUrl, savedAt]));
}

export type BrowserSession = Awaited<ReturnType<BrowserContext['storageState']>>;

export const SHORTEST_PASSPHRASE = 12;

const FORMAT = 'legacy-conformance-session/1';

export function sealSession(session: BrowserSession, authUrl: string, passphrase: string): string {
  return seal(session, { format: FORMAT, authUrl, savedAt: new Date().toISOString() }, passphrase);
}

/** @throws SealBroken */
export function openSession(text: string, authUrl: string, passphrase: string): BrowserSession {
  return unseal(text, FORMAT, authUrl, passphrase) as BrowserSession;
}
