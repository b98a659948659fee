import type { Requirement } from './types.ts';

/** What of a requirement tells its present id from its former ones. */
type Named = Pick<Requirement, 'formerly'> & { readonly id: string };

/** The present id of a requirement that was renamed; any other id as it is. */
export function presentId(requirements: readonly Named[], id: string): string {
  return requirements.find(({ formerly }) => formerly?.includes(id))?.id ?? id;
}
