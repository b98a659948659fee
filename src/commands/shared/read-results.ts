import { validateResults } from '../../../generated/validators.js';
import { UsageError } from '../../document/input/usage-error.ts';
import { loadYaml } from '../../document/load-yaml.ts';
import type { Results } from '../../report/results.ts';

/** Reads the results.json of any run. @throws SpecFileError */
export function readResults(file: string): Results {
  return loadYaml(file, validateResults) as unknown as Results;
}

/** Reads the results.json of a `check`. @throws SpecFileError, UsageError */
export function readCheckResults(file: string): Results {
  const results = readResults(file);
  if (results.subject !== 'client') return results;
  throw new UsageError(`${file}: expected results of \`check\`, got those of a client`);
}
