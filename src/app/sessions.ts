import { endBrowser } from '../agent/browser/end-browser.ts';
import type { Configuration } from '../config/configuration.ts';
import { connectThrough } from '../flow/connect.ts';
import type { Session } from '../flow/session.ts';
import { UsageError } from '../input/usage-error.ts';
import { SecretRegistry } from '../secrets/registry.ts';
import { openConfigured } from '../targets/open-target.ts';
import type { Target } from '../targets/target.ts';
import { browserFor } from './prepare.ts';

export function requireLive(verb: string, target: string): void {
  if (target !== 'emulator') return;
  throw new UsageError(
    `${verb}: expected the configuration file of a live target as --target, got \`emulator\`, which starts afresh every time`,
  );
}

export async function withSession<T>(
  target: Target,
  secrets: SecretRegistry,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const browser = await browserFor(target);
  try {
    const { session } = await connectThrough(browser, target, secrets);
    return await work(session);
  } finally {
    await endBrowser(browser);
  }
}

export async function withTarget<T>(
  opening: Promise<Target>,
  work: (target: Target) => Promise<T>,
): Promise<T> {
  const target = await opening;
  try {
    return await work(target);
  } finally {
    await target.close();
  }
}

export function withLiveSession<T>(
  configuration: Configuration,
  work: (session: Session) => Promise<T>,
  report?: string,
): Promise<T> {
  const secrets = new SecretRegistry();
  return withTarget(openConfigured(configuration, secrets, report), (target) =>
    withSession(target, secrets, work),
  );
}
