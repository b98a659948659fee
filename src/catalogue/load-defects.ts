/** Loads what defects break: `spec/defects/*.yaml`, one file per clause. Their behaviour is the emulator's. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import type { ClauseId, RequirementId } from '../../generated/ids.ts';

/** What is known of a defect beside its behaviour. */
export interface DefectFacts {
  readonly id: string;
  readonly clause: ClauseId;
  /** File name without ending, `4-2-exchange`; that of the clause's requirements. */
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

/**
 * The facts of every defect, in the order of the clauses.
 */
export function loadDefects(folder: string = ownFolder): readonly DefectFacts[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.yaml'))
    .sort((one, other) => one.localeCompare(other, 'en', { numeric: true }))
    .flatMap((name) => {
      const file = parse(readFileSync(join(folder, name), 'utf8')) as {
        clause: ClauseId;
        defects?: readonly Omit<DefectFacts, 'clause' | 'slug'>[];
      };
      return (file.defects ?? []).map((defect) => ({
        ...defect,
        clause: file.clause,
        slug: basename(name, '.yaml'),
      }));
    });
}
