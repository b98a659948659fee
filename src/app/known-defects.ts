import { DEFECTS } from '../emulator/defects/index.ts';
import { programName } from '../input/program-name.ts';
import { didYouMean, UsageError } from '../input/usage-error.ts';

export function refuseUnknownDefects(ids: readonly string[]): void {
  const known = DEFECTS.map(({ id }) => id);
  const unknown = ids.find((id) => !known.some((one) => one === id));
  if (unknown === undefined) return;
  throw new UsageError(
    `--defect: expected ids that \`${programName()} defects\` lists, got ${JSON.stringify(unknown)}.${didYouMean(unknown, known)}`,
  );
}
