import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { loadProfile, profileIds } from '../emulator/load-profile.ts';
import { didYouMean } from '../input/nearest.ts';
import { UsageError } from '../input/usage-error.ts';
import type { WholeProfile } from '../profiles/profile.ts';

/** Any other text is the id of a profile of ours. */
export function namesFile(idOrFile: string): boolean {
  return /\.ya?ml$/.test(idOrFile);
}

/**
 * What to hand on for a profile: its id, or the absolute path of its file, once it is known to be there and to be valid.
 *
 * @param option the option that it was given to, for the message
 * @throws UsageError naming what there is; SpecFileError naming file, line and key
 */
export async function knownProfile(
  option: string,
  idOrFile: string,
): Promise<{ readonly reference: string; readonly profile: WholeProfile }> {
  if (namesFile(idOrFile)) {
    if (!existsSync(idOrFile)) throw new UsageError(`${option}: there is no file ${idOrFile}`);
    const reference = resolve(idOrFile);
    return { reference, profile: await loadProfile(reference) };
  }
  const ids = profileIds();
  if (ids.includes(idOrFile)) return { reference: idOrFile, profile: await loadProfile(idOrFile) };
  throw new UsageError(
    `${option}: expected one of ${ids.join(', ')}, or a file that ends in .yaml; got ${JSON.stringify(idOrFile)}.${didYouMean(idOrFile, ids)}`,
  );
}

/**
 * A profile whose answers are to count: one that was frozen must be as it was.
 *
 * @throws UsageError when it was changed by hand since
 */
export async function frozenProfile(option: string, idOrFile: string): Promise<WholeProfile> {
  const { profile } = await knownProfile(option, idOrFile);
  const { digestProblem } = await import('../profiles/digest.ts');
  const problem = digestProblem(profile);
  if (problem !== undefined) throw new UsageError(`${option}: ${idOrFile}: ${problem}`);
  return profile;
}
