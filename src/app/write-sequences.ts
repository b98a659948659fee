import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { replayText } from '../explore/replay-file.ts';
import type { Step } from '../explore/steps.ts';
import type { Results } from '../report/results.ts';

const FOLDER = 'explored';

/**
 * Writes each found sequence to a file for replaying it. The files hold names and ids, and no secret.
 *
 * @param report folder of the report; removes the sequences of an earlier run
 * @param corpus folder to which new sequences are added
 * @returns the files in the report
 */
export async function writeSequences(
  { exploration }: Results,
  report: string,
  corpus: string | undefined,
): Promise<readonly string[]> {
  const folder = join(report, FOLDER);
  await rm(folder, { recursive: true, force: true });
  const files: string[] = [];
  for (const [index, sequence] of (exploration?.findings ?? []).entries()) {
    if (sequence.replayOf !== undefined) continue;
    const { requirement, expected, got } = sequence;
    const text = replayText({
      replay: 1,
      found: { requirement, expected, got },
      seed: exploration?.seed ?? 0,
      steps: sequence.steps as readonly Step[],
    });
    const name = `${index + 1}-${requirement}.json`;
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, name), text);
    files.push(join(folder, name));
    if (corpus === undefined) continue;
    await mkdir(corpus, { recursive: true });
    await writeFile(join(corpus, `${requirement}-seed-${exploration?.seed}-${index + 1}.json`), text);
  }
  return files;
}
