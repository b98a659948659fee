import type { RequirementId } from '../../generated/ids.ts';
import type { Catalogue } from '../catalogue/types.ts';
import { isNewer, newest } from '../catalogue/versions.ts';
import { UsageError } from '../input/usage-error.ts';
import type { Ages } from '../report/policy.ts';

export interface Adoption {
  /** The configuration's `adopted`; absent if every requirement decides. */
  readonly version: string | undefined;
  isNew(id: string): boolean;
}

export function adoptionOf(
  catalogue: Pick<Catalogue, 'requirements'>,
  file: string,
  adopted: string | undefined,
  suite: string,
): Adoption {
  if (adopted === undefined) return { version: undefined, isNew: () => false };
  const versions = catalogue.requirements.map(({ since }) => since);
  const last = newest([suite, ...versions]) ?? suite;
  const refused = (why: string) =>
    new UsageError(
      `${file}: adopted: expected a version of the suite, ${last} at most; got ${adopted}: ${why}`,
    );
  if (isNewer(adopted, last)) throw refused('this suite is older; update it, or name what it has');
  if (versions.every((since) => isNewer(since, adopted)))
    throw refused('every requirement is newer, so none would decide the verdict');
  const fresh = new Set<RequirementId>(
    catalogue.requirements.filter(({ since }) => isNewer(since, adopted)).map(({ id }) => id),
  );
  return { version: adopted, isNew: (id) => fresh.has(id as RequirementId) };
}

export function agesIn({ requirements }: Pick<Catalogue, 'requirements'>, adoption: Adoption): Ages {
  const since = new Map<string, string>(
    requirements.map((requirement) => [requirement.id, requirement.since]),
  );
  return { adopted: adoption.version, sinceOf: (id) => since.get(id), isNew: adoption.isNew };
}
