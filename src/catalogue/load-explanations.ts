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
 * The explanation of a requirement. The file is read at the first call.
 *
 * @returns undefined for an id that has none: one of level `frozen`, which no file of ours knows
 * @throws SpecFileError naming file, line, key and what was expected
 */
export function explanationOf(id: RequirementId | string): Explanation | undefined {
  own ??= loadYaml<Readonly<Record<string, Explanation>>>(FILE, validateExplanations);
  return own[id];
}

export function explainedIds(): readonly string[] {
  own ??= loadYaml<Readonly<Record<string, Explanation>>>(FILE, validateExplanations);
  return Object.keys(own);
}
