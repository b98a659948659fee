import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { ClientRequirementId, SituationId } from '../../generated/ids.ts';
import type { ClientRequirementsFile, ClientRequirementsRequirement } from '../../generated/schemas.d.ts';
import type { Fixed } from './types.ts';

export interface ClientRequirement extends Fixed<ClientRequirementsRequirement> {
  readonly id: ClientRequirementId;
  readonly situations: readonly SituationId[];
  readonly explainsIn?: readonly SituationId[];
  readonly clause: string;
}

interface ClientClause {
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

/** Generated from `spec/client-requirements/` by `npm run generate`. */
const OWN = new URL('../../generated/client-requirements.json', import.meta.url);

let own: ClientCatalogue | undefined;

export function loadClientCatalogue(): ClientCatalogue {
  own ??= clientCatalogueOf(JSON.parse(readFileSync(OWN, 'utf8')));
  return own;
}

function clientCatalogueOf(files: readonly ClientRequirementsFile[]): ClientCatalogue {
  const clauses = files.map(
    ({ clause, title, requirements }): ClientClause => ({
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
