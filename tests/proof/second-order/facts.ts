import { readdirSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { DefectFacts } from '../../../src/catalogue/load-defects.ts';

/** What a defect of second order depends on. */
export type DefectClass = 'state' | 'data' | 'reader' | 'order' | 'concurrency' | 'rarity';

/** A defect of either order; those of second order have a class, and no id in the generated union. */
export interface ProvenDefect extends Omit<DefectFacts, 'id' | 'slug'> {
  readonly id: string;
  readonly class?: DefectClass;
}

const FOLDER = new URL('./', import.meta.url);

/** Reads the facts of every defect of second order from the YAML files of this folder, by class. */
export function loadSecondOrderDefects(): readonly ProvenDefect[] {
  const names = readdirSync(FOLDER).filter((name) => name.endsWith('.yaml'));
  return names.toSorted().flatMap((name) => {
    const file = parse(readFileSync(new URL(name, FOLDER), 'utf8'));
    return file.defects.map((defect: object) => ({ ...defect, class: file.class, severity: 'subtle' }));
  });
}
