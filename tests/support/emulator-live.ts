import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ConfigurationFile } from '../../generated/schemas.d.ts';
import { type Emulator, startEmulator } from '../../src/emulator/start/start-emulator.ts';
import { anyDefectsById } from '../proof/second-order/index.ts';
import { emulatorSecrets, emulatorSettings } from './emulator-settings.ts';

/** An emulator that listens, and a configuration file that makes a live target of it. */
export interface LiveEmulator {
  readonly emulator: Emulator;
  readonly file: string;
  readonly env: Readonly<Record<string, string>>;
}

/** The emulator's own clock as that of the target, with which nothing waits in real time. */
export const clockOf = ({ controlUrl }: Emulator): Partial<ConfigurationFile> => ({
  clock: { advanceUrl: `${controlUrl}/clock/advance`, token: { env: 'CLOCK_TOKEN' } },
});

/** Starts an emulator and writes the configuration of its user; `change` replaces top-level keys of it. */
export async function startLiveEmulator(
  directory: string,
  defects: readonly string[] = [],
  change: Partial<ConfigurationFile> | ((emulator: Emulator) => Partial<ConfigurationFile>) = {},
): Promise<LiveEmulator> {
  const emulator = await startEmulator({
    defects: anyDefectsById(defects),
    control: {},
  });
  const file = join(directory, 'conformance.config.json');
  const changes = typeof change === 'function' ? change(emulator) : change;
  const configuration = { ...emulatorSettings(emulator), name: 'emulated staging', ...changes };
  writeFileSync(file, JSON.stringify(configuration, null, 2));
  const env = { ...emulatorSecrets(emulator), CLOCK_TOKEN: emulator.controlToken ?? '' };
  return { emulator, file, env };
}
