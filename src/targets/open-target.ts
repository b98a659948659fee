import type { Configuration } from '../config/configuration.ts';
import type { Environment } from '../config/resolve-references.ts';
import type { SecretRegistry } from '../secrets/registry.ts';
import { emulatorTargetWithDefects, emulatorToExplore } from './emulator.ts';
import type { Target } from './target.ts';

/** Which target to open. */
export interface TargetChoice {
  /** `emulator`, or the path of a configuration file of a live target. */
  readonly target: 'emulator' | { readonly file: string };
  /** Profile of the emulator. */
  readonly profile: string;
  /** Ids of the emulator's defects. */
  readonly defects: readonly string[];
  /** Absolute path of the report's folder, for what is no text; absent where none is written. */
  readonly report?: string;
}

/** Opens an emulator to explore, as chosen. */
export function openTargetToExplore({ profile, defects }: TargetChoice): Promise<Target> {
  return emulatorToExplore(profile, defects);
}

/**
 * Opens the chosen target, for every verb alike: starts an emulator, or reads a configuration. Nothing is sent yet.
 *
 * @param secrets gets what the configuration read from variables, before anything else is done with it
 * @param env where the variables are that a configuration names
 * @throws ConfigurationError when the configuration is not valid
 */
export async function openTarget(
  choice: TargetChoice,
  secrets: SecretRegistry,
  env: Environment = process.env,
): Promise<Target> {
  if (choice.target !== 'emulator') {
    // Loaded when needed: a run on the emulator has no use for it.
    const { loadConfiguration } = await import('../config/load-configuration.ts');
    return openConfigured(await loadConfiguration(choice.target.file, env), secrets, choice.report);
  }
  return emulatorTargetWithDefects(choice.profile, choice.defects);
}

/**
 * Opens the live target of a configuration that was read already. Every live target of the suite is opened here.
 *
 * @param secrets gets what the configuration read from variables, before anything else is done with it
 * @param report folder of the run's report
 */
export async function openConfigured(
  configuration: Configuration,
  secrets: SecretRegistry,
  report?: string,
): Promise<Target> {
  secrets.registerAll(configuration.secrets);
  const { liveTarget } = await import('./live.ts');
  const target = await liveTarget(configuration);
  return report === undefined ? target : { ...target, report };
}
