import { existsSync } from 'node:fs';
import { didYouMean, UsageError } from '../../document/input/usage-error.ts';
import type { WholeProfile } from '../../document/profiles/profile.ts';
import { loadProfile, profileIds } from '../../emulator/policy/load-profile.ts';
import { printError } from './print.ts';

/** Reads a profile of the suite, or from a file. @throws UsageError naming the option */
export async function readProfile(option: string, idOrFile: string): Promise<WholeProfile> {
  const ids = profileIds();
  const isFile = idOrFile.endsWith('.yaml');
  if (isFile && !existsSync(idOrFile)) throw new UsageError(`${option}: there is no file ${idOrFile}`);
  if (isFile || ids.includes(idOrFile)) return loadProfile(idOrFile);
  throw new UsageError(
    `${option}: expected one of ${ids.join(', ')}, or a file that ends in .yaml; got ${JSON.stringify(idOrFile)}.${didYouMean(idOrFile, ids)}`,
  );
}

/** Like {@link readProfile}; prints the day of a recorded profile. */
export async function readProfileWithNote(option: string, idOrFile: string): Promise<WholeProfile> {
  const known = await readProfile(option, idOrFile);
  const { observed } = known;
  if (observed !== undefined)
    printError(`note: ${idOrFile} records ${observed.target} on ${observed.at.slice(0, 10)}\n`);
  return known;
}

const DAY_MS = 24 * 60 * 60 * 1_000;

/** Returns a notice for a recorded profile that is older than `maxAgeDays` of the configuration; else nothing. */
export function ageNotice({ observed }: WholeProfile, maxAgeDays: number, now: Date): readonly string[] {
  const days = observed === undefined ? 0 : Math.floor((now.getTime() - Date.parse(observed.at)) / DAY_MS);
  if (days <= maxAgeDays) return [];
  return [
    `the recorded profile is ${days} days old, more than ${maxAgeDays} (\`maxAgeDays\`): observe the service again`,
  ];
}

/** Reads a profile to compare with. @throws UsageError if its answers were changed by hand */
export async function frozenProfile(option: string, idOrFile: string): Promise<WholeProfile> {
  const profile = await readProfileWithNote(option, idOrFile);
  const { digestProblem } = await import('../../document/profiles/answers-of.ts');
  const problem = digestProblem(profile);
  if (problem !== undefined) throw new UsageError(`${option}: ${idOrFile}: ${problem}`);
  return profile;
}
