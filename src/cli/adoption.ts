import { UsageError } from '../document/input/usage-error.ts';
import type { Catalogue } from '../document/types.ts';
import { isNewer, newest } from '../document/versions.ts';
import type { Ages } from '../report/policy.ts';

/** @throws UsageError for an `adopted` that this suite does not have, or that no requirement is as old as */
export function adoptionOf(
  catalogue: Pick<Catalogue, 'requirements'>,
  file: string,
  adopted: string | undefined,
  suite: string,
): Ages {
  const sinceOf = new Map<string, string>(catalogue.requirements.map(({ id, since }) => [id, since]));
  const ages: Ages = { adopted, sinceOf: (id) => sinceOf.get(id), isNew: () => false };
  if (adopted === undefined) return ages;
  const versions = [...sinceOf.values()];
  const last = newest([suite, ...versions]) ?? suite;
  const refused = (why: string) =>
    new UsageError(
      `${file}: adopted: expected a version of the suite, ${last} at most; got ${adopted}: ${why}`,
    );
  if (isNewer(adopted, last)) throw refused('this suite is older; update it, or name what it has');
  if (versions.every((since) => isNewer(since, adopted)))
    throw refused('every requirement is newer, so none would decide the verdict');
  return { ...ages, isNew: (id) => isNewer(sinceOf.get(id) ?? adopted, adopted) };
}
