import type { SecretRegistry } from '../http/secrets/registry.ts';
import type { Configuration } from './configuration/configuration.ts';
import { emulatorTargetWithDefects, emulatorToExplore } from './emulator.ts';
import type { Target } from './target.ts';

export interface TargetChoice {
  readonly target: 'emulator' | Configuration;
  readonly profile: string;
  readonly defects: readonly string[];
  readonly report?: string;
}

export function openTargetToExplore({ profile, defects }: TargetChoice): Promise<Target> {
  return emulatorToExplore(profile, defects);
}

export function openTarget(
  { target, profile, defects, report }: TargetChoice,
  secrets: SecretRegistry,
): Promise<Target> {
  return target === 'emulator'
    ? emulatorTargetWithDefects(profile, defects)
    : openConfigured(target, secrets, report);
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
  secrets.register('client_secret', application.clientSecret);
  if (secondApplication) secrets.register('client_secret', secondApplication.clientSecret);
  secrets.register('login', owner.login);
  if (owner.password) secrets.register('password', owner.password);
  if (owner.totpSecret) secrets.register('totp_secret', owner.totpSecret);
}
