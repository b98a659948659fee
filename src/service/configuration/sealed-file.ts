import type { BrowserContext } from 'playwright-core';
import { orElse } from '../../http/or-else.ts';

/** A key by PBKDF2 from the passphrase, with so many rounds that a guess takes 0.1 s (RFC 7518 section 4.8). */
const ALG = 'PBES2-HS512+A256KW';

const ROUNDS = 210_000;

/** The part of a sealed file that is readable without its passphrase, and authenticated. */
interface SealedHead {
  readonly format: string;
  readonly authUrl: string;
  /** ISO 8601, UTC. */
  readonly savedAt: string;
}

/** A sealed file that cannot be opened. The message completes "got …" and holds no secret. */
export class SealBroken extends Error {
  override readonly name = 'SealBroken';
}

/** Encrypts a value with AES-256-GCM as a JWE (RFC 7516), by a key from the passphrase. */
export async function seal(
  value: unknown,
  { format, ...head }: SealedHead,
  passphrase: string,
): Promise<string> {
  const { CompactEncrypt } = await jose();
  const sealed = await new CompactEncrypt(Buffer.from(JSON.stringify(value)))
    .setProtectedHeader({ alg: ALG, enc: 'A256GCM', typ: format, ...head })
    .setKeyManagementParameters({ p2c: ROUNDS })
    .encrypt(Buffer.from(passphrase));
  return `${sealed}\n`;
}

/** Opens a sealed file of a service; of any, if `authUrl` is undefined. @throws SealBroken */
export async function unseal(
  text: string,
  format: string,
  authUrl: string | undefined,
  passphrase: string,
): Promise<unknown> {
  const { compactDecrypt, decodeProtectedHeader } = await jose();
  const head = orElse(() => decodeProtectedHeader(text.trim()), undefined);
  if (head?.typ !== format) throw new SealBroken('a file of another kind');
  if (authUrl !== undefined && head.authUrl !== authUrl) throw new SealBroken('one of another service');
  const limits = { keyManagementAlgorithms: [ALG], maxPBES2Count: ROUNDS };
  const opened = compactDecrypt(text.trim(), Buffer.from(passphrase), limits);
  return opened.then(
    ({ plaintext }) => JSON.parse(Buffer.from(plaintext).toString('utf8')),
    () => {
      throw new SealBroken('one that the passphrase does not open');
    },
  );
}

/** Loaded only for such files: few configurations name one. */
const jose = () => import('jose');

export type BrowserSession = Awaited<ReturnType<BrowserContext['storageState']>>;

export const SHORTEST_PASSPHRASE = 12;

const FORMAT = 'legacy-conformance-session/1';

export function sealSession(session: BrowserSession, authUrl: string, passphrase: string): Promise<string> {
  return seal(session, { format: FORMAT, authUrl, savedAt: new Date().toISOString() }, passphrase);
}

/** @throws SealBroken */
export async function openSession(text: string, authUrl: string, passphrase: string) {
  return (await unseal(text, FORMAT, authUrl, passphrase)) as BrowserSession;
}
