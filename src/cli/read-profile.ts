import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { didYouMean, UsageError } from '../document/input/usage-error.ts';
import type { WholeProfile } from '../document/profiles/profile.ts';
import { loadProfile, profileIds } from '../emulator/load-profile.ts';

function namesFile(idOrFile: string): boolean {
  return /\.ya?ml$/.test(idOrFile);
}

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

export async function frozenProfile(option: string, idOrFile: string): Promise<WholeProfile> {
  const { profile } = await knownProfile(option, idOrFile);
  const { digestProblem } = await import('../document/profiles/answers-of.ts');
  const problem = digestProblem(profile);
  if (problem !== undefined) throw new UsageError(`${option}: ${idOrFile}: ${problem}`);
  return profile;
}
