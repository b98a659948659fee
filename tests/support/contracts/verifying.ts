import { fileURLToPath } from 'node:url';
import { findPacts, type Pact, readPact } from '../../../src/contracts/pact/read-pact.ts';
import { type NativeVerifier, startNativeVerifier } from '../../../src/contracts/verify/native-verifier.ts';
import type { Verification } from '../../../src/contracts/verify/outcome.ts';
import { refusedInteractions, refusePacts } from '../../../src/contracts/verify/refuse-pacts.ts';
import { type VerifyOptions, verifyPacts } from '../../../src/contracts/verify/verify-pacts.ts';
import { SecretRegistry } from '../../../src/http/secrets/registry.ts';
import { emulatorTarget } from '../../../src/service/emulator.ts';
import { connectWithoutBrowser } from '../../../src/service/flow/connect.ts';
import { endOfRun } from '../../../src/service/flow/end-of-run.ts';
import type { Target } from '../../../src/service/target.ts';
import { anyDefectsById } from '../../proof/second-order/index.ts';
import { PACTS } from './consumer.ts';

/** Folder of the pacts that were written by hand, as consumers in other languages write them. */
export const FOREIGN = fileURLToPath(new URL('../../contracts/foreign/', import.meta.url));

export const BEARER = {
  header: { Authorization: { type: 'ProviderState', expression: `Bearer \${access_token}` } },
  path: { type: 'ProviderState', expression: `/v2/projects/\${project_id}/assigned_users` },
};

export const ownPacts = async () => findPacts([PACTS]);

/** Only some of the interactions of some pacts. */
export function only(pacts: readonly Pact[], ...descriptions: readonly string[]): readonly Pact[] {
  return pacts
    .map((pact) => ({
      ...pact,
      interactions: pact.interactions.filter(({ description }) => descriptions.includes(description)),
    }))
    .filter(({ interactions }) => interactions.length > 0);
}

export function pactOf(
  interaction: Readonly<Record<string, unknown>>,
  provider = 'legacy-resource-api',
): Pact {
  const request = { method: 'GET', path: '/v2/projects/1/assigned_users' };
  const usual = { description: 'an interaction', request, response: { status: 200 } };
  const document = {
    consumer: { name: 'somebody' },
    provider: { name: provider },
    interactions: [{ ...usual, ...interaction }],
    metadata: { pactSpecification: { version: '3.0.0' } },
  };
  return readPact(JSON.stringify(document), 'made.json');
}

/** A verification on an emulator of its own, with what came of it at hand. */
export interface Verified {
  readonly verification: Verification;
  readonly verified: readonly string[];
  readonly others: Readonly<Record<string, string>>;
  readonly secrets: SecretRegistry;
}

/** Verifies pacts on an emulator, without a browser: its pages are known to work without script. */
export async function verifyOnEmulator(
  pacts: readonly Pact[],
  { profile = 'doorkeeper-5', defects = [] as readonly string[] } = {},
  options: VerifyOptions = {},
): Promise<Verified> {
  const target = await emulatorTarget({ profile, defects: anyDefectsById(defects), sockets: true });
  try {
    return await verifyOn(target, pacts, options);
  } finally {
    await target.close();
  }
}

let running: Promise<NativeVerifier> | undefined;

/** One native verifier for all tests of a process; it ends with it. */
function verifier(): Promise<NativeVerifier> {
  running ??= startNativeVerifier();
  return running;
}

/** Verifies pacts on a target, without a browser. */
export async function verifyOn(
  target: Target,
  pacts: readonly Pact[],
  options: VerifyOptions = {},
): Promise<Verified> {
  const secrets = new SecretRegistry();
  refusePacts(pacts, target, secrets);
  const refused = refusedInteractions(pacts, target, secrets);
  const wanted = pacts.map((pact) => ({ pact, standing: 'counts', why: [] }) as const);
  const session = connectWithoutBrowser(target, secrets);
  const verification = await verifyPacts(wanted, session, {
    refused,
    verifier: await verifier(),
    ...options,
  });
  await endOfRun(session);
  const all = verification.pacts.flatMap(({ interactions }) => interactions);
  return {
    verification,
    verified: all.filter(({ result }) => result === 'verified').map(({ description }) => description),
    others: Object.fromEntries(
      all
        .filter(({ result }) => result !== 'verified')
        .map(({ description, result, reasons }) => [description, [result, ...reasons].join('; ')]),
    ),
    secrets,
  };
}
