import { validateSeed } from '../../generated/validators.js';
import { loadYaml } from '../catalogue/load-yaml.ts';
import type { Seed } from './seed.ts';

/**
 * Reads a seed from a YAML or JSON file of the shape that `spec/seed.schema.json` describes.
 *
 * @throws SpecFileError naming file, line, key and what was expected
 */
export function loadSeed(file: string): Seed {
  return loadYaml(file, validateSeed);
}
