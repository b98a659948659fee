import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ProvenSetting } from './prove-setting.ts';
import { SERVERS_FOLDER } from './server.ts';

/** The setting with a library's defaults. */
export const AS_SHIPPED = 'as-is';

const FILE = join(SERVERS_FOLDER, 'as-shipped.json');

/** A requirement that a library does not meet as it ships. */
export interface Departure {
  readonly id: string;
  readonly result: 'fail' | 'warning';
  readonly reason: string;
}

/** The departures of each server, by name. */
export type AsShipped = Readonly<Record<string, readonly Departure[]>>;

export function loadAsShipped(): AsShipped {
  return existsSync(FILE) ? JSON.parse(readFileSync(FILE, 'utf8')) : {};
}

/** Writes what the runs of the setting `as-is` found, if each was right; the rows of other servers stay. */
export function recordAsShipped(proven: readonly ProvenSetting[]): void {
  const shipped = proven.filter(({ of, right }) => of.name === AS_SHIPPED && right);
  if (shipped.length === 0) return;
  const rows = {
    ...loadAsShipped(),
    ...Object.fromEntries(shipped.map((one) => [one.of.server.name, departuresOf(one)])),
  };
  const sorted = Object.fromEntries(Object.entries(rows).sort(([one], [other]) => one.localeCompare(other)));
  writeFileSync(FILE, `${JSON.stringify(sorted, null, 2)}\n`);
}

function departuresOf({ results }: ProvenSetting): readonly Departure[] {
  return results.requirements.flatMap(({ id, result, reason }) =>
    result === 'fail' || result === 'warning' ? [{ id, result, reason: stable(reason ?? '') }] : [],
  );
}

/** Leaves out what differs from run to run: ports, the number of examples, and the comparison with other requests. */
function stable(reason: string): string {
  return reason
    .replace(/\n\d+ requests like it .*/s, '')
    .replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1')
    .replaceAll(/in \d+ of \d+ examples of this run(, \w+ during [\w.-]+)?/g, 'in some examples of this run');
}
