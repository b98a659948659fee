import type { BrowserContext } from 'playwright-core';
import { SealBroken, seal, unseal } from './sealed-file.ts';

export type BrowserSession = Awaited<ReturnType<BrowserContext['storageState']>>;

export const SHORTEST_PASSPHRASE = 12;

const FORMAT = 'legacy-conformance-session/1';

export class SessionUnreadable extends Error {
  override readonly name = 'SessionUnreadable';
}

export function sealSession(
  session: BrowserSession,
  authUrl: string,
  passphrase: string,
  now: Date = new Date(),
): string {
  return seal(session, { format: FORMAT, authUrl, savedAt: now.toISOString() }, passphrase);
}

export function openSession(text: string, authUrl: string, passphrase: string): BrowserSession {
  try {
    return unseal(text, FORMAT, authUrl, passphrase) as BrowserSession;
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error;
    throw new SessionUnreadable(error.message);
  }
}
