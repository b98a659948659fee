/** Loads the catalogue: `spec/requirements/*.yaml` and `spec/open-points.yaml`, parsed once into frozen entries. */
import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ClauseId } from '../../generated/ids.ts';
import type { RequirementsFile } from '../../generated/schemas.d.ts';
import { validateOpenPoints, validateRequirements } from '../../generated/validators.js';
import { checkOpenPoints, checkRequirementFiles } from './consistency.ts';
import { type LocatedYaml, loadLocatedYaml } from './load-yaml.ts';
import type { Catalogue, Clause, OpenPoint, Requirement, StepId } from './types.ts';

/** The package's own `spec/`, absolute. */
const ownSpec = fileURLToPath(new URL('../../spec/', import.meta.url));

let own: Catalogue | undefined;

/**
 * The catalogue. That of the package is read once and kept, being frozen; another `spec/` folder is read anew each time.
 * @throws SpecFileError naming file, line, key and what was expected.
 */
export function loadCatalogue(specFolder?: string): Catalogue {
  if (specFolder !== undefined) return readCatalogue(specFolder);
  own ??= readCatalogue(ownSpec);
  return own;
}

function readCatalogue(specFolder: string): Catalogue {
  const folder = join(specFolder, 'requirements');
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => loadLocatedYaml(join(folder, name), validateRequirements))
    .sort((one, other) => one.value.clause.localeCompare(other.value.clause, 'en', { numeric: true }));
  const points = loadLocatedYaml(join(specFolder, 'open-points.yaml'), validateOpenPoints);
  checkRequirementFiles(files);
  checkOpenPoints(points, files);
  const openPoints = points.value.openPoints as unknown as readonly OpenPoint[];
  return deepFreeze(catalogueOf(files.map(clauseOf), openPoints));
}

/** The ids are text to the schema; that they are those of `generated/ids.ts` is what `generate --check` holds. */
function clauseOf({ file, value }: LocatedYaml<RequirementsFile>): Clause {
  const clause = value.clause as ClauseId;
  return {
    clause,
    slug: basename(file, '.yaml'),
    title: value.title,
    requirements: value.requirements.map((requirement) => ({ ...requirement, clause }) as Requirement),
    notes: value.notes.map((note) => ({ ...note, clause }) as Clause['notes'][number]),
    reading: value.reading,
  };
}

function catalogueOf(clauses: readonly Clause[], openPoints: readonly OpenPoint[]): Catalogue {
  const requirements = clauses.flatMap((clause) => clause.requirements);
  const byId = new Map(requirements.map((requirement) => [requirement.id, requirement]));
  const pointById = new Map(openPoints.map((point) => [point.id, point]));
  const owners = new Map<StepId | undefined, Requirement>(
    requirements.map((requirement) => [requirement.step, requirement]),
  );
  return {
    clauses,
    requirements,
    notes: clauses.flatMap((clause) => clause.notes),
    openPoints,
    digest: createHash('sha256').update(canonicalJson(requirements)).digest('hex'),
    requirement: (id) => found(byId.get(id), `requirement ${id}`),
    openPoint: (id) => found(pointById.get(id), `open point ${id}`),
    ownerOf: (step) => owners.get(step),
  };
}

function found<T>(entry: T | undefined, what: string): T {
  if (entry !== undefined) return entry;
  throw new Error(
    `expected the ${what} in the catalogue, found none; run \`npm run generate\` and use an id of generated/ids.ts`,
  );
}

/** JSON with the keys of every object sorted, so that the order they were written in does not count. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1)))
      : inner,
  );
}

function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const inner of Object.values(value)) deepFreeze(inner);
  return Object.freeze(value);
}
