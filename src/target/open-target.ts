import { emulatorTargetWithDefects } from './emulator.ts';
import type { Target } from './target.ts';

/** Which target to open. */
export interface TargetChoice {
  /** `emulator`, or the path of a configuration file of a live target. */
  readonly target: 'emulator' | { readonly file: string };
  /** Profile of the emulator. */
  readonly profile: string;
  /** Ids of the emulator's defects. */
  readonly defects: readonly string[];
}

/**
 * Opens the chosen target: starts an emulator, or reads a configuration.
 *
 * @throws ConfigurationError when the configuration is not valid; nothing has been sent then
 */
export async function openTarget(choice: TargetChoice): Promise<Target> {
  if (choice.target !== 'emulator') {
    // Loaded when needed: a run on the emulator has no use for it.
    const { loadConfiguration } = await import('../config/load-configuration.ts');
    const { liveTarget } = await import('./live.ts');
    return liveTarget(await loadConfiguration(choice.target.file, process.env));
  }
  return emulatorTargetWithDefects(choice.profile, choice.defects);
}
