/**
 * `generated/known-faults.ts`: the requirements that the emulator's defects break, so that a report can count them without the
 * emulator.
 */
import { DEFECT_FACTS } from '../../tests/proof/defects/index.ts';
import { HIDDEN_ON_LIVE } from '../../tests/proof/kill-matrix/hidden-on-live.ts';

/** The text of `generated/known-faults.ts`: one row for the defects that break the same requirements. */
export function generateKnownFaults(): string {
  const rows = Map.groupBy(DEFECT_FACTS, ({ id, breaks }) =>
    JSON.stringify(hiddenOnLive(id, breaks) ? { breaks, emulatorOnly: true } : { breaks }),
  );
  const sorted = [...rows].map(([row, { length: count }]) => ({ count, ...JSON.parse(row) }));
  return [
    `/** Known faults by the requirements that they break. \`emulatorOnly\`: no check of a live target shows them. */`,
    `export const knownFaults: readonly {`,
    `  readonly count: number;`,
    `  readonly breaks: readonly string[];`,
    `  readonly emulatorOnly?: boolean;`,
    '}[] = [',
    ...sorted.map((row) => `  ${JSON.stringify(row)},`),
    '];',
    '',
  ].join('\n');
}

/** True for a defect with which a live run still conforms. */
function hiddenOnLive(id: string, breaks: readonly string[]): boolean {
  const live = HIDDEN_ON_LIVE[id];
  if (live === undefined || 'stopsTheRun' in live) return false;
  return live.instead.length === 0 && breaks.every((one) => live.hidden.some((hidden) => hidden === one));
}
