import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { ClauseId } from '../../generated/ids.ts';
import type { OpenPointsFile, RequirementsFile } from '../../generated/schemas.d.ts';
import { canonical } from './canonical.ts';
import type { Catalogue, Clause, OpenPoint, Requirement } from './types.ts';

/** Generated from `spec/` by `npm run generate`, because parsing YAML takes 0.2 s at each start. */
const OWN = new URL('../../generated/catalogue.json', import.meta.url);

let own: Catalogue | undefined;

export function loadCatalogue(): Catalogue {
  own ??= buildCatalogue(JSON.parse(readFileSync(OWN, 'utf8')));
  return own;
}

interface CatalogueFiles {
  readonly requirements: Readonly<Record<string, RequirementsFile>>;
  readonly openPoints: OpenPointsFile['openPoints'];
}

export function buildCatalogue(files: CatalogueFiles): Catalogue {
  const clauses = Object.entries(files.requirements)
    .map(([slug, file]) => clauseOf(slug, file))
    .sort((one, other) => one.clause.localeCompare(other.clause, 'en', { numeric: true }));
  return deepFreeze(catalogueOf(clauses, files.openPoints as unknown as readonly OpenPoint[]));
}

/** The schema accepts any text; `generate --check` compares these ids with `generated/ids.ts`. */
function clauseOf(slug: string, value: RequirementsFile): Clause {
  const clause = value.clause as ClauseId;
  return {
    clause,
    slug,
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
  return {
    clauses,
    requirements,
    notes: clauses.flatMap((clause) => clause.notes),
    openPoints,
    digest: createHash('sha256').update(canonical(requirements)).digest('hex'),
    requirement: (id) => found(byId.get(id), `requirement ${id}`),
    openPoint: (id) => found(pointById.get(id), `open point ${id}`),
  };
}

function found<T>(entry: T | undefined, what: string): T {
  if (entry !== undefined) return entry;
  throw new Error(
    `expected the ${what} in the catalogue, found none; run \`npm run generate\` and use an id of generated/ids.ts`,
  );
}

function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const inner of Object.values(value)) deepFreeze(inner);
  return Object.freeze(value);
}
