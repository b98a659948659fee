import { isTokenRequest, jsonOf, type Transport } from '../http/exchange.ts';
import type { SecretRegistry } from '../http/secrets/registry.ts';
import type { Configuration } from './configuration/configuration.ts';
import { emulatorTarget } from './emulator.ts';
import type { Target } from './target.ts';

export interface TargetChoice {
  readonly target: 'emulator' | Configuration;
  readonly profile: string;
  readonly defects: readonly string[];
  readonly report?: string;
  /** Alters the answers, so that a requirement fails. */
  readonly drill?: boolean;
}

export async function openTarget(
  { target, profile, defects, report, drill }: TargetChoice,
  secrets: SecretRegistry,
): Promise<Target> {
  const opened =
    target === 'emulator'
      ? await emulatorTarget({ profile, defects, sockets: true })
      : await openConfigured(target, secrets, report);
  return drill ? withDrill(opened) : opened;
}

export const DRILL_VARIABLE = 'LEGACY_CONFORMANCE_DRILL';

/** Adds a second to the `expires_in` that the suite receives: `exchange.expires-in-7200` fails, and the service is not involved. */
function withDrill(target: Target): Target {
  const transport: Transport = async (request, signal) => {
    const response = await target.transport(request, signal);
    const json = isTokenRequest(request) ? jsonOf(response) : undefined;
    if (typeof json !== 'object' || json === null || !('expires_in' in json)) return response;
    const body = JSON.stringify({ ...json, expires_in: Number(json.expires_in) + 1 });
    return { ...response, body, bytes: Buffer.byteLength(body) };
  };
  return { ...target, name: `DRILL: ${target.name}`, transport };
}

export async function openConfigured(
  configuration: Configuration,
  secrets: SecretRegistry,
  report?: string,
): Promise<Target> {
  secrets.registerAll(configuration.secrets);
  // Loaded on demand: a run on the emulator does not need it.
  const { liveTarget } = await import('./live.ts');
  const target = await liveTarget(configuration);
  return report === undefined ? target : { ...target, report };
}

export function registerTargetSecrets(
  {
    application,
    secondApplication,
    owner,
  }: Pick<Configuration, 'application' | 'secondApplication' | 'owner'>,
  secrets: SecretRegistry,
): void {
  for (const own of [application, secondApplication])
    if (own) secrets.register('client_secret', own.clientSecret);
  secrets.register('login', owner.login);
  if (owner.password) secrets.register('password', owner.password);
  if (owner.totpSecret) secrets.register('totp_secret', owner.totpSecret);
}
