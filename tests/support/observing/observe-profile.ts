import { profileFrom } from '../../../src/commands/observe/profile.ts';
import { loadCatalogue } from '../../../src/document/load-catalogue.ts';
import type { Risk } from '../../../src/document/types.ts';
import { wholeProfile } from '../../../src/emulator/policy/load-profile.ts';
import type { Profile, WholeProfile } from '../../../src/emulator/policy/profile.ts';
import { nodeTransport } from '../../../src/http/node-transport.ts';
import { SecretRegistry } from '../../../src/http/secrets/registry.ts';
import { type Observed, type ObserveRequest, observe } from '../../../src/record/observe/observe.ts';
import { emulatorTarget } from '../../../src/service/emulator.ts';
import { connectWithoutBrowser } from '../../../src/service/flow/connect.ts';
import type { Session } from '../../../src/service/flow/session.ts';
import { runSmokeFlow } from '../../../src/service/flow/smoke-flow.ts';
import type { Target } from '../../../src/service/target.ts';

/** Everything may be asked of what costs nothing. */
export const ALL_RISKS: ReadonlySet<Risk> = new Set(['none', 'refusals', 'revokes', 'slow']);

/** Connects without a browser, walks the smoke flow, and speaks the requestStyle that it found. */
export async function walked(target: Target, secrets = new SecretRegistry()) {
  const session = connectWithoutBrowser(target, secrets);
  const walk = await runSmokeFlow(session);
  const speaking: Session = { ...session, requestStyle: walk.requestStyle };
  return { session: speaking, walk };
}

export async function observeTarget(
  target: Target,
  request: ObserveRequest = { risks: ALL_RISKS },
): Promise<Observed> {
  const { session, walk } = await walked(target);
  return observe(session, walk, loadCatalogue(), request);
}

/** Observes a fresh emulator, with `sockets` so that the letter case of header names shows. */
export async function observeProfile(profile: Profile, sockets = false): Promise<Observed> {
  const target = await emulatorTarget({ profile, defects: [], sockets });
  const raw = sockets ? nodeTransport() : undefined;
  try {
    return await observeTarget(raw === undefined ? target : { ...target, transport: raw.transport });
  } finally {
    raw?.close();
    await target.close();
  }
}

/** The observations, in the format of `observe`. */
export async function frozenFrom(observed: Observed, name = 'observed'): Promise<WholeProfile> {
  const target = { name, kind: 'emulator' } as Target;
  return wholeProfile(await profileFrom(observed, target, new Date('2026-11-02T08:00:00.000Z'), ALL_RISKS));
}
