import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from 'node:crypto';
import type { BrowserContext } from 'playwright-core';
import { parseJson } from '../input/parse-json.ts';

export type BrowserSession = Awaited<ReturnType<BrowserContext['storageState']>>;

export const SHORTEST_PASSPHRASE = 12;

const FORMAT = 'legacy-conformance-session/1';

/** Cost of one guess: about 0.1 s and 32 MiB. */
const SCRYPT = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 };

/** A saved session on disk. Only its service and its age are readable without the passphrase. */
interface SealedSession {
  readonly format: typeof FORMAT;
  readonly authUrl: string;
  /** ISO 8601, UTC. */
  readonly savedAt: string;
  readonly salt: string;
  readonly iv: string;
  readonly tag: string;
  readonly data: string;
}

/** An unusable saved session. The message completes "got …" and holds no secret. */
export class SessionUnreadable extends Error {
  override readonly name = 'SessionUnreadable';
}

export function sealSession(
  session: BrowserSession,
  authUrl: string,
  passphrase: string,
  now: Date = new Date(),
): string {
  const [salt, iv] = [randomBytes(16), randomBytes(12)];
  const head = { format: FORMAT, authUrl, savedAt: now.toISOString() } as const;
  const cipher = createCipheriv('aes-256-gcm', keyOf(passphrase, salt), iv).setAAD(bytesOf(head));
  const data = Buffer.concat([cipher.update(JSON.stringify(session), 'utf8'), cipher.final()]);
  const sealed: SealedSession = {
    ...head,
    salt: salt.toString('base64'),
    iv: iv.toString('base64'),
    tag: cipher.getAuthTag().toString('base64'),
    data: data.toString('base64'),
  };
  return `${JSON.stringify(sealed, null, 2)}\n`;
}

export function openSession(text: string, authUrl: string, passphrase: string): BrowserSession {
  const sealed = parse(text);
  if (sealed.authUrl !== authUrl) throw new SessionUnreadable('one of another service');
  const { format, savedAt, salt, iv, tag, data } = sealed;
  try {
    const decipher = createDecipheriv(
      'aes-256-gcm',
      keyOf(passphrase, Buffer.from(salt, 'base64')),
      Buffer.from(iv, 'base64'),
      { authTagLength: 16 },
    )
      .setAAD(bytesOf({ format, authUrl, savedAt }))
      .setAuthTag(Buffer.from(tag, 'base64'));
    const opened = Buffer.concat([decipher.update(Buffer.from(data, 'base64')), decipher.final()]);
    return JSON.parse(opened.toString('utf8')) as BrowserSession;
  } catch {
    throw new SessionUnreadable('one that the passphrase does not open');
  }
}

function parse(text: string): SealedSession {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch {
    value = undefined;
  }
  if (typeof value === 'object' && value !== null && 'format' in value && value.format === FORMAT) {
    return value as SealedSession;
  }
  throw new SessionUnreadable('a file that is none');
}

function keyOf(passphrase: string, salt: Buffer): Buffer {
  return scryptSync(passphrase, salt, 32, SCRYPT);
}

/** Authenticates the readable part together with the encrypted one. */
function bytesOf({
  format,
  authUrl,
  savedAt,
}: Pick<SealedSession, 'format' | 'authUrl' | 'savedAt'>): Buffer {
  return Buffer.from(JSON.stringify([format, authUrl, savedAt]));
}
