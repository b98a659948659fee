import { validateSeed } from '../../generated/validators.js';
import { loadYaml } from '../catalogue/load-yaml.ts';
import type { Seed } from './seed.ts';

/**
 * Reads a seed from a YAML or JSON file (`spec/seed.schema.json`).
 *
 * @throws SpecFileError naming file, line, key and the expectation
 */
export function loadSeed(file: string): Seed {
  return loadYaml(file, validateSeed);
}
