/** `generated/catalogue.json`: requirements and open points of `spec/`, so that no verb parses YAML to start. */
import { join } from 'node:path';
import { asRecord, namesIn, readYaml, specFolder } from './spec-files.ts';

export function generateCatalogue(): string {
  const folder = join(specFolder, 'requirements');
  const requirements = namesIn(folder, '.yaml').map((name) => [name, readYaml(join(folder, `${name}.yaml`))]);
  const where = 'spec/open-points.yaml';
  const { openPoints } = asRecord(readYaml(join(specFolder, 'open-points.yaml')), where);
  return `${JSON.stringify({ requirements: Object.fromEntries(requirements), openPoints }, null, 1)}\n`;
}
