/**
 * `node scripts/generate.ts` writes `generated/` from `spec/`. With `--check` it writes nothing, names each file that differs,
 * and exits 1 if there is one. Wrong usage exits 2.
 */
import { parseArgs } from 'node:util';
import { computeOutputs, findDrift, generatedFolder, REMEDY, writeOutputs } from './generate/outputs.ts';

/** Returns the exit code: 0, or 1 if `check` found a difference. */
async function generate(check: boolean): Promise<number> {
  const outputs = await computeOutputs();
  if (!check) {
    const changed = writeOutputs(outputs, generatedFolder);
    console.log(changed.length === 0 ? 'generated/ is up to date' : `wrote ${changed.join(', ')}`);
    return 0;
  }
  const drifts = findDrift(outputs, generatedFolder);
  for (const { file, why } of drifts) console.error(`generated/${file}: ${REMEDY[why]}`);
  if (drifts.length === 0) console.log(`generated/ is up to date (${outputs.size} files)`);
  return drifts.length === 0 ? 0 : 1;
}

try {
  const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
  process.exitCode = await generate(values.check);
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 2;
}
