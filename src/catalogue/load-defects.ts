/** Loads what defects break: `spec/defects/`. Their behaviour is the emulator's. */
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ClauseId, DefectId, RequirementId } from '../../generated/ids.ts';
import { validateDefects } from '../../generated/validators.js';
import { loadYaml } from './load-yaml.ts';

/** What is known of a defect beside its behaviour. */
export interface DefectFacts {
  readonly id: DefectId;
  readonly clause: ClauseId;
  /** File name without ending: `4-2-exchange`, that of the clause's requirements. */
  readonly slug: string;
  /** What real providers do wrong that way, in one sentence. */
  readonly summary: string;
  /** Whether any look at the service shows it, or only a thorough check. */
  readonly severity: 'blunt' | 'subtle';
  /** Where it was seen in public: `kanidm/kanidm#2775`. */
  readonly reference?: string;
  /** The requirements whose own check it makes fail, and no others. */
  readonly breaks: readonly RequirementId[];
}

const ownFolder = fileURLToPath(new URL('../../spec/defects/', import.meta.url));

// The ids are text to the schemas; that they are those of `generated/ids.ts` is what `generate --check` holds.

/**
 * The facts of every defect, in the order of the clauses.
 * @throws SpecFileError naming file, line, key and what was expected.
 */
export function loadDefects(folder: string = ownFolder): readonly DefectFacts[] {
  return yamlFiles(folder).flatMap((name) => {
    const { clause, defects } = loadYaml(join(folder, name), validateDefects);
    const slug = basename(name, '.yaml');
    return defects.map((defect) => ({ ...defect, clause, slug }) as DefectFacts);
  });
}

function yamlFiles(folder: string): readonly string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.yaml'))
    .sort((one, other) => one.localeCompare(other, 'en', { numeric: true }));
}
