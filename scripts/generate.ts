/**
 * `node scripts/generate.ts` writes `generated/` from `spec/`. With `--check` it writes nothing, names each file that differs,
 * and exits 1 if there is one. Wrong usage exits 2.
 */
import { parseArgs } from 'node:util';
import {
  bringUpToDate,
  computeOutputs,
  exampleFolder,
  exampleOutputs,
  generatedFolder,
} from './generate/outputs.ts';

try {
  const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
  const outputs = await computeOutputs();
  process.exitCode = Math.max(
    bringUpToDate(outputs, generatedFolder, 'generated/', values.check),
    bringUpToDate(
      exampleOutputs(outputs),
      exampleFolder,
      'examples/reference-client/generated/',
      values.check,
    ),
  );
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 2;
}
