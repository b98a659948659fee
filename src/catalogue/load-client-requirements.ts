import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ClientRequirementId } from '../../generated/ids.ts';
import type { ClientRequirementsFile, ClientRequirementsSituation } from '../../generated/schemas.d.ts';
import { validateClientRequirements } from '../../generated/validators.js';
import { type LocatedYaml, loadLocatedYaml, SpecFileError } from './load-yaml.ts';

export type SituationId = ClientRequirementsSituation;

export interface ClientRequirement {
  readonly id: ClientRequirementId;
  readonly statement: string;
  readonly level: 'documented' | 'standard' | 'observed';
  readonly clause: string;
  readonly clauses: readonly string[];
  /** Only at level `standard`: `RFC 6749 section 10.12`. */
  readonly rfc?: string;
  readonly suffers: string;
  readonly fix: readonly string[];
  readonly situations: readonly SituationId[];
  readonly inTests: string;
}

export interface ClientClause {
  readonly clause: string;
  readonly title: string;
  readonly requirements: readonly ClientRequirement[];
}

export interface ClientCatalogue {
  readonly clauses: readonly ClientClause[];
  readonly requirements: readonly ClientRequirement[];
  /** SHA-256, hexadecimal. Equal digests mean equal requirements. */
  readonly digest: string;
  requirement(id: ClientRequirementId): ClientRequirement;
}

const ownFolder = fileURLToPath(new URL('../../spec/client-requirements/', import.meta.url));

let own: ClientCatalogue | undefined;

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

function refuseTwins(files: readonly LocatedYaml<ClientRequirementsFile>[]): void {
  const seen = new Set<string>();
  for (const { file, value, lineOf } of files) {
    for (const [index, { id, clauses }] of value.requirements.entries()) {
      const refuse = (key: string, expected: string, actual: string) => {
        const path = ['requirements', index, key];
        throw new SpecFileError(file, [{ path, expected, actual, line: lineOf(path) }]);
      };
      if (seen.has(id)) refuse('id', 'an id that no other requirement has', id);
      seen.add(id);
      if (clauses[0] !== value.clause)
        refuse('clauses', `the file's clause ${value.clause} first`, String(clauses[0]));
    }
  }
}
