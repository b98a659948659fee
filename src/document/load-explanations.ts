import { fileURLToPath } from 'node:url';
import type { RequirementId } from '../../generated/ids.ts';
import { validateExplanations } from '../../generated/validators.js';
import { loadYaml } from './load-yaml.ts';

export interface Explanation {
  readonly why: string;
  readonly how: string;
}

const FILE = fileURLToPath(new URL('../../spec/explanations.yaml', import.meta.url));

let own: Readonly<Record<string, Explanation>> | undefined;

/**
 * Returns the explanation of a requirement. Reads the file at the first call.
 *
 * @returns undefined for requirements of level `frozen`
 * @throws SpecFileError naming file, line, key and the expectation
 */
export function explanationOf(id: RequirementId | string): Explanation | undefined {
  own ??= loadYaml<Readonly<Record<string, Explanation>>>(FILE, validateExplanations);
  return own[id];
}
