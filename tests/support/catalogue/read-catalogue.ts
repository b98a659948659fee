import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { validateOpenPoints, validateRequirements } from '../../../generated/validators.js';
import { buildCatalogue } from '../../../src/document/load-catalogue.ts';
import { loadLocatedYaml } from '../../../src/document/load-yaml.ts';
import type { Catalogue } from '../../../src/document/types.ts';
import { checkOpenPoints, checkReading, checkRequirementFiles } from './consistency.ts';

export function readCatalogue(specFolder: string): Catalogue {
  const folder = join(specFolder, 'requirements');
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => loadLocatedYaml(join(folder, name), validateRequirements));
  const points = loadLocatedYaml(join(specFolder, 'open-points.yaml'), validateOpenPoints);
  checkRequirementFiles(files);
  checkOpenPoints(points, files);
  checkReading(files, points);
  const requirements = files.map(({ file, value }) => [basename(file, '.yaml'), value]);
  return buildCatalogue({
    requirements: Object.fromEntries(requirements),
    openPoints: points.value.openPoints,
  });
}
