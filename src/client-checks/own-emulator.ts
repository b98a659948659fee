import type { EmulatorOptions } from '../emulator/emulator-options.ts';
import { type Emulator, startEmulator } from '../emulator/start-emulator.ts';
import type { Ports } from './drive/ports.ts';

const MOST_TRIES = 5;

/** Starts an emulator on ports that nothing else of the run has, or had. */
export async function emulatorOn(ports: Ports, options: EmulatorOptions): Promise<Emulator> {
  for (let tries = 1; ; tries += 1) {
    const [port, apiPort, controlPort] = await Promise.all([ports.take(), ports.take(), ports.take()]);
    const control = options.control ? { ...options.control, port: controlPort } : false;
    try {
      return await startEmulator({ ...options, port, apiPort, control });
    } catch (error) {
      // Another program was faster.
      const taken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
      if (!taken || tries === MOST_TRIES) throw error;
    }
  }
}
