import { readFileSync } from 'node:fs';
import type { Profile, WholeProfile } from './profile.ts';

export const DEFAULT_PROFILE = 'doorkeeper-5';

const ENDING = '.yaml';

/** Built from `spec/profiles` by `npm run generate`, because parsing YAML would dominate the start time. */
const PROFILES = new URL('../../../generated/profiles.json', import.meta.url);

export function profileIds(): readonly string[] {
  return Object.keys(ownProfiles());
}

/**
 * Reads a profile: one of `spec/profiles` by its id, or any by the path of its `.yaml` file.
 * @throws TypeError for an unknown id; SpecFileError for a file that violates `spec/profile.schema.json`
 */
export async function loadProfile(idOrFile: string): Promise<WholeProfile> {
  return idOrFile.endsWith(ENDING) ? wholeProfile(await loadForeign(idOrFile)) : ownProfile(idOrFile);
}

/** Completes a profile with its base's answers. @throws TypeError for an unknown base */
export async function wholeProfile(profile: Profile): Promise<WholeProfile> {
  const { withBase } = await import('../../document/profiles/answers-of.ts');
  return withBase(profile, ownProfile(profile.base ?? DEFAULT_PROFILE));
}

function ownProfile(id: string): WholeProfile {
  const profiles = ownProfiles();
  const profile = Object.hasOwn(profiles, id) ? profiles[id] : undefined;
  if (profile !== undefined) return profile;
  throw new TypeError(
    `Profile: expected one of ${Object.keys(profiles).join(', ')}, or a file that ends in ${ENDING}; got ${JSON.stringify(id)}.`,
  );
}

/** Tests validate the built-in profiles; validating them here would double the start time. */
function ownProfiles(): Readonly<Record<string, WholeProfile>> {
  return JSON.parse(readFileSync(PROFILES, 'utf8'));
}

async function loadForeign(file: string): Promise<Profile> {
  const [{ loadYaml }, { validateProfile }] = await Promise.all([
    import('../../document/load-yaml.ts'),
    import('../../../generated/validators.js'),
  ]);
  return loadYaml(file, validateProfile);
}
