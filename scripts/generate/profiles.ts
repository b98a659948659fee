/** `generated/profiles.json`: the profiles of `spec/` by id, each with all its answers, so that starting the emulator parses no YAML. */
import { join } from 'node:path';
import { asRecord, asString, namesIn, readYaml, type SchemaObject, specFolder } from './spec-files.ts';

export function generateProfiles(): string {
  const folder = join(specFolder, 'profiles');
  const profiles = namesIn(folder, '.yaml').map((id) => [id, whole(folder, id)]);
  return `${JSON.stringify(Object.fromEntries(profiles), null, 1)}\n`;
}

/** Completes a profile with its base's answers. */
function whole(folder: string, id: string): SchemaObject {
  const where = `spec/profiles/${id}.yaml`;
  const profile = asRecord(readYaml(join(folder, `${id}.yaml`)), where);
  if (profile.base === undefined) return profile;
  const base = whole(folder, asString(profile.base, `${where}: base`));
  return { ...profile, answers: { ...asRecord(base.answers, where), ...asRecord(profile.answers, where) } };
}
