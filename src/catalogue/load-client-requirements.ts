/** Loads `spec/client-requirements/*.yaml`: what is demanded of a client, parsed once into frozen entries. */
import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ClientRequirementId } from '../../generated/ids.ts';
import type { ClientRequirementsFile, ClientRequirementsSituation } from '../../generated/schemas.d.ts';
import { validateClientRequirements } from '../../generated/validators.js';
import { type LocatedYaml, loadLocatedYaml, SpecFileError } from './load-yaml.ts';

/** Id of a situation that is brought about. */
export type SituationId = ClientRequirementsSituation;

/** One demand on a client. */
export interface ClientRequirement {
  readonly id: ClientRequirementId;
  /** What must hold, in the project's own words. */
  readonly statement: string;
  readonly level: 'documented' | 'standard' | 'observed';
  /** The clause it is listed under. */
  readonly clause: string;
  /** Every clause that it follows from, the one it is listed under first. */
  readonly clauses: readonly string[];
  /** Level `standard` alone: `RFC 6749 section 10.12`. */
  readonly rfc?: string;
  /** What a user suffers when it is broken. */
  readonly suffers: string;
  /** How to fix it: one or two lines. */
  readonly fix: readonly string[];
  /** The situations that show it. */
  readonly situations: readonly SituationId[];
  /** What a test of the integrator's own would do to show it. */
  readonly bringAbout: string;
}

/** One clause with what it demands of a client. */
export interface ClientClause {
  readonly clause: string;
  readonly title: string;
  readonly requirements: readonly ClientRequirement[];
}

/** Everything that `spec/client-requirements/` holds. */
export interface ClientCatalogue {
  /** In the order of the document. */
  readonly clauses: readonly ClientClause[];
  readonly requirements: readonly ClientRequirement[];
  /** SHA-256, hexadecimal: two runs with the same digest were evaluated by the same demands. */
  readonly digest: string;
  /** The requirement with this id. @throws Error when there is none. */
  requirement(id: ClientRequirementId): ClientRequirement;
}

const ownFolder = fileURLToPath(new URL('../../spec/client-requirements/', import.meta.url));

let own: ClientCatalogue | undefined;

/**
 * The catalogue of clients. The package's own is read once.
 * @throws SpecFileError naming file, line, key and what was expected.
 */
export function loadClientCatalogue(folder?: string): ClientCatalogue {
  if (folder !== undefined) return readCatalogue(folder);
  own ??= readCatalogue(ownFolder);
  return own;
}

function readCatalogue(folder: string): ClientCatalogue {
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => loadLocatedYaml(join(folder, name), validateClientRequirements))
    .sort((one, other) => one.value.clause.localeCompare(other.value.clause, 'en', { numeric: true }));
  refuseTwins(files);
  const clauses = files.map(
    ({ value: { clause, title, requirements } }): ClientClause => ({
      clause,
      title,
      requirements: requirements.map((one) => ({ ...one, clause }) as ClientRequirement),
    }),
  );
  const requirements = clauses.flatMap((clause) => clause.requirements);
  const byId = new Map(requirements.map((one) => [one.id, one]));
  return {
    clauses,
    requirements,
    digest: createHash('sha256').update(JSON.stringify(clauses)).digest('hex'),
    requirement(id) {
      const found = byId.get(id);
      if (found === undefined) throw new Error(`the catalogue of clients has no ${id}: run npm run generate`);
      return found;
    },
  };
}

/** Ids are unique, and each requirement lists its file's clause first. */
function refuseTwins(files: readonly LocatedYaml<ClientRequirementsFile>[]): void {
  const seen = new Set<string>();
  for (const { file, value, lineOf } of files) {
    for (const [index, { id, clauses }] of value.requirements.entries()) {
      const refuse = (key: string, expected: string, came: string) => {
        const path = ['requirements', index, key];
        throw new SpecFileError(file, [{ path, expected, came, line: lineOf(path) }]);
      };
      if (seen.has(id)) refuse('id', 'an id that no other requirement has', id);
      seen.add(id);
      if (clauses[0] !== value.clause)
        refuse('clauses', `the file's clause ${value.clause} first`, String(clauses[0]));
    }
  }
}
