import { loadCatalogue } from '../../src/document/load-catalogue.ts';
import type { RequirementId } from '../../src/document/types.ts';

/** Requirements evaluated on every exchange. A test ensures that a full run on the emulator has examples of each. */
export const INVARIANTS: readonly RequirementId[] = loadCatalogue().requirements.flatMap((one) =>
  one.monitored === false ? [] : one.id,
);
