import { join } from 'node:path';
import { asRecord, asString, namesIn, readYaml, type SchemaObject, specFolder } from './spec-files.ts';

/** `generated/catalogue.json`: requirements and open points of `spec/`, so that no verb parses YAML to start. */
export function generateCatalogue(): string {
  const folder = join(specFolder, 'requirements');
  const requirements = namesIn(folder, '.yaml').map((name) => [name, readYaml(join(folder, `${name}.yaml`))]);
  const where = 'spec/open-points.yaml';
  const { openPoints } = asRecord(readYaml(join(specFolder, 'open-points.yaml')), where);
  return `${JSON.stringify({ requirements: Object.fromEntries(requirements), openPoints }, null, 1)}\n`;
}

/** `generated/client-requirements.json`: the files of `spec/client-requirements/`, in the order of their clauses. */
export function generateClientRequirements(): string {
  const folder = join(specFolder, 'client-requirements');
  const files = namesIn(folder, '.yaml').map((name) =>
    asRecord(readYaml(join(folder, `${name}.yaml`)), name),
  );
  files.sort((one, other) => String(one.clause).localeCompare(String(other.clause), 'en', { numeric: true }));
  return `${JSON.stringify(files, null, 1)}\n`;
}

/** `generated/profiles.json`: the profiles of `spec/` by id, each with all its answers, so that starting the emulator parses no YAML. */
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
