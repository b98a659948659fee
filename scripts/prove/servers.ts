/** Runs the whole default `check --target` on real servers, in settings that conform and in settings that do not. */
import { join } from 'node:path';
import { recordAsShipped } from '../../tests/support/servers/as-shipped.ts';
import {
  type NamedSetting,
  type ProvenSetting,
  provenText,
  proveSetting,
} from '../../tests/support/servers/prove-setting.ts';
import { loadServers } from '../../tests/support/servers/server.ts';
import { missingPackages } from '../../tests/support/servers/start.ts';

const REPORTS = 'report/servers';

/** Choice of settings; everything when empty. */
export interface ServerChoice {
  readonly server?: string;
  readonly setting?: string;
  /** Only the settings that must conform. */
  readonly conforming: boolean;
}

/** @throws {RangeError} when nothing fits */
export function chooseSettings({ server, setting, conforming }: ServerChoice): readonly NamedSetting[] {
  const all = loadServers().flatMap((one) =>
    Object.entries(one.settings).map(([name, each]) => ({ server: one, name, setting: each })),
  );
  const chosen = all
    .filter((one) => server === undefined || one.server.name === server)
    .filter((one) => setting === undefined || one.name === setting)
    .filter((one) => !conforming || one.setting.verdict === 'conforms');
  if (chosen.length > 0) return chosen;
  const names = all.map((one) => `${one.server.name}/${one.name}`).join(', ');
  throw new RangeError(`--server, --setting: expected one of ${names}`);
}

/**
 * Proves settings, two at a time: a run waits for its server about half of its time. Prints a line for each.
 *
 * @returns the problems, a sentence each
 */
export async function proveServers(chosen: readonly NamedSetting[], workers = 2): Promise<readonly string[]> {
  const missing = new Map(chosen.map(({ server }) => [server.name, missingPackages(server)]));
  const problems = [...missing]
    .filter(([, names]) => names.length > 0)
    .map(([name, names]) => `${name}: install the Debian packages ${names.join(' ')}`);
  const queue = chosen.filter(({ server }) => missing.get(server.name)?.length === 0);
  const proven: ProvenSetting[] = [];
  const drain = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const name = `${next.server.name}/${next.name}`;
      try {
        const one = await proveSetting(next, join(REPORTS, name));
        proven.push(one);
        console.log(provenText(one));
        if (!one.right) problems.push(`${name}: see ${REPORTS}/${name}`);
      } catch (error) {
        console.log(`WRONG ${name}: ${(error as Error).message}`);
        problems.push(`${name}: ${(error as Error).message}`);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(2, workers) }, drain));
  const right = proven.filter((one) => one.right).length;
  console.log(`${right} of ${chosen.length} settings of real servers are right`);
  recordAsShipped(proven);
  return problems;
}
