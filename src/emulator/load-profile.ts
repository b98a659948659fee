import { readdir, readFile } from 'node:fs/promises';
import type { Profile } from './profile.ts';

/** The profile that the emulator runs on unless told. */
export const DEFAULT_PROFILE = 'doorkeeper-5';

const DIRECTORY = new URL('../../spec/profiles/', import.meta.url);

/** Ids of the profiles in `spec/profiles`, sorted. */
export async function profileIds(): Promise<readonly string[]> {
  const files = await readdir(DIRECTORY);
  return files
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => file.slice(0, -'.yaml'.length))
    .sort();
}

/**
 * Reads a profile of `spec/profiles` by its id.
 *
 * @throws TypeError when there is none of that id
 */
export async function loadProfile(id: string): Promise<Profile> {
  const known = await profileIds();
  if (!known.includes(id)) {
    throw new TypeError(`Profile: expected one of ${known.join(', ')}, got ${JSON.stringify(id)}.`);
  }
  const { parse } = await import('yaml');
  return parse(await readFile(new URL(`${id}.yaml`, DIRECTORY), 'utf8')) as Profile;
}
