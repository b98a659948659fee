import type { Configuration } from '../config/configuration.ts';
import { connect } from '../flow/connect.ts';
import type { Session } from '../flow/session.ts';
import { UsageError } from '../input/usage-error.ts';
import { SecretRegistry } from '../secrets/registry.ts';
import { openConfigured } from '../targets/open-target.ts';
import { requireBrowserForLive } from './prepare.ts';

/** Refuses the emulator, which starts afresh every time, where only a live target makes sense. */
export function requireLive(verb: string, target: string): void {
  if (target !== 'emulator') return;
  throw new UsageError(
    `${verb}: expected the configuration file of a live target as --target, got \`emulator\`, which starts afresh every time`,
  );
}

/** Connects to the target of a configuration in a browser of its own, for the length of one piece of work. */
export async function withLiveSession<T>(
  configuration: Configuration,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const { executablePath } = await requireBrowserForLive();
  const secrets = new SecretRegistry();
  const target = await openConfigured(configuration, secrets);
  try {
    const { session, close } = await connect(target, secrets, executablePath);
    try {
      return await work(session);
    } finally {
      await close();
    }
  } finally {
    await target.close();
  }
}
