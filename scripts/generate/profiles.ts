/** `generated/profiles.json`: the profiles of `spec/` by id, so that starting the emulator parses no YAML. */
import { join } from 'node:path';
import { namesIn, readYaml, specFolder } from './spec-files.ts';

/** The text of `generated/profiles.json`. */
export function generateProfiles(): string {
  const folder = join(specFolder, 'profiles');
  const profiles = namesIn(folder, '.yaml').map((id) => [id, readYaml(join(folder, `${id}.yaml`))]);
  return `${JSON.stringify(Object.fromEntries(profiles), null, 2)}\n`;
}
