import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Profile } from './profile.ts';

/** The profile that the emulator runs on unless told. */
export const DEFAULT_PROFILE = 'doorkeeper-5';

const ENDING = '.yaml';
const FOLDER = fileURLToPath(new URL('../../spec/profiles/', import.meta.url));

/** Ids of the profiles in `spec/profiles`, sorted. */
export function profileIds(): readonly string[] {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith(ENDING))
    .map((file) => file.slice(0, -ENDING.length))
    .sort();
}

/**
 * Reads a profile: one of `spec/profiles` by its id, or any by the path of its file, which ends in `.yaml`.
 *
 * @throws TypeError when there is none of that id; SpecFileError when a file is not what `spec/profile.schema.json` says
 */
export async function loadProfile(idOrFile: string): Promise<Profile> {
  if (idOrFile.endsWith(ENDING)) return loadForeign(idOrFile);
  const known = profileIds();
  if (known.includes(idOrFile)) return loadOwn(idOrFile);
  throw new TypeError(
    `Profile: expected one of ${known.join(', ')}, or a file that ends in ${ENDING}; got ${JSON.stringify(idOrFile)}.`,
  );
}

/** The project's tests hold its own profiles against the schema: doing so at each start would double its time. */
async function loadOwn(id: string): Promise<Profile> {
  const { parse } = await import('yaml');
  return parse(readFileSync(`${FOLDER}${id}${ENDING}`, 'utf8')) as Profile;
}

async function loadForeign(file: string): Promise<Profile> {
  const [{ loadYaml }, { validateProfile }] = await Promise.all([
    import('../catalogue/load-yaml.ts'),
    import('../../generated/validators.js'),
  ]);
  return loadYaml(file, validateProfile);
}
