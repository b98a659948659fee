import type { Requirement } from './types.ts';

type Named = Pick<Requirement, 'formerly'> & { readonly id: string };

export function presentId(requirements: readonly Named[], id: string): string {
  return requirements.find(({ formerly }) => formerly?.includes(id))?.id ?? id;
}
