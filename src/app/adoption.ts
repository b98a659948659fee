import type { RequirementId } from '../../generated/ids.ts';
import type { Catalogue } from '../catalogue/types.ts';
import { isNewer, newest } from '../catalogue/versions.ts';
import { UsageError } from '../input/usage-error.ts';
import type { Ages } from '../report/adoption.ts';

/** The requirements that decide a verdict, and those that are newer than what a configuration has adopted. */
export interface Adoption {
  /** The configuration's `adopted`; absent where every requirement decides. */
  readonly version: string | undefined;
  isNew(id: string): boolean;
}

/**
 * What a configuration has adopted.
 *
 * @param file the configuration, for messages
 * @param adopted its key `adopted`
 * @param suite version of this suite
 * @throws UsageError for a version that this suite does not know, or that is older than every requirement: nothing would decide
 */
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

/** The same for a report. */
export function agesIn({ requirements }: Pick<Catalogue, 'requirements'>, adoption: Adoption): Ages {
  const since = new Map<string, string>(
    requirements.map((requirement) => [requirement.id, requirement.since]),
  );
  return { adopted: adoption.version, sinceOf: (id) => since.get(id), isNew: adoption.isNew };
}
