import { readFileSync } from 'node:fs';
import type { Profile } from './profile.ts';

/** The profile that the emulator runs on unless told. */
export const DEFAULT_PROFILE = 'doorkeeper-5';

const ENDING = '.yaml';

/** Made of `spec/profiles` by `npm run generate`: parsing YAML at each start would take longer than all the rest. */
const PROFILES = new URL('../../generated/profiles.json', import.meta.url);

/** Ids of the profiles in `spec/profiles`, sorted. */
export function profileIds(): readonly string[] {
  return Object.keys(ownProfiles());
}

/**
 * Reads a profile: one of `spec/profiles` by its id, or any by the path of its file, which ends in `.yaml`.
 *
 * @throws TypeError when there is none of that id; SpecFileError when a file is not what `spec/profile.schema.json` says
 */
export async function loadProfile(idOrFile: string): Promise<Profile> {
  if (idOrFile.endsWith(ENDING)) return loadForeign(idOrFile);
  const profiles = ownProfiles();
  const profile = Object.hasOwn(profiles, idOrFile) ? profiles[idOrFile] : undefined;
  if (profile !== undefined) return profile;
  throw new TypeError(
    `Profile: expected one of ${Object.keys(profiles).join(', ')}, or a file that ends in ${ENDING}; got ${JSON.stringify(idOrFile)}.`,
  );
}

/** The project's tests hold its own profiles against the schema: doing so at each start would double its time. */
function ownProfiles(): Readonly<Record<string, Profile>> {
  return JSON.parse(readFileSync(PROFILES, 'utf8'));
}

async function loadForeign(file: string): Promise<Profile> {
  const [{ loadYaml }, { validateProfile }] = await Promise.all([
    import('../catalogue/load-yaml.ts'),
    import('../../generated/validators.js'),
  ]);
  return loadYaml(file, validateProfile);
}
