import type { StatedDefect } from '../../../src/emulator/defects/define-defect.ts';
import type { DefectFacts } from '../../../src/emulator/defects/index.ts';

/** The dependency of a defect of second order. */
export type DefectClass = 'state' | 'data' | 'reader' | 'order' | 'concurrency' | 'rarity';

/** Defects of second order by their ids; `breaks` is a reading of the document, which no check need confirm. */
export type SecondOrderDefects = Readonly<Record<string, Omit<StatedDefect, 'severity'>>>;

/** The facts of a defect of either order; those of second order have a class. */
export type ProvenDefect = Omit<DefectFacts, 'slug'> & { readonly class?: DefectClass };
