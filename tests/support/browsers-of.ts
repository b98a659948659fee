import { readdirSync, readFileSync } from 'node:fs';
import type { RunningCommand } from './command.ts';

/** Processes whose command line names the temporary folder of a command: its browser. */
export function browsersOf(command: RunningCommand): readonly string[] {
  return readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      return readFileSync(`/proc/${name}/cmdline`, 'utf8').includes(`legacy-conformance-${command.pid}-`);
    } catch {
      return false;
    }
  });
}
