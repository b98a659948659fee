/** `generated/ids.ts`: every id of `spec/` as a const array and a union type, so that a typo does not compile. */
import { join } from 'node:path';
import { asList, asRecord, asString, namesIn, readSchemaFiles, readYaml, specFolder } from './spec-files.ts';

export function generateIds(): string {
  const requirementFiles = requirementFilesInOrder();
  const points = openPoints();
  return [
    list(
      'clauseIds',
      'ClauseId',
      'Clauses of the document, in its order.',
      requirementFiles.map((f) => f.clause),
    ),
    list(
      'requirementIds',
      'RequirementId',
      'Requirements, in the order of the clauses.',
      requirementFiles.flatMap((f) => f.ids),
    ),
    list(
      'noteIds',
      'NoteId',
      'Notes, in the order of the clauses.',
      requirementFiles.flatMap((f) => f.notes),
    ),
    list(
      'clientRequirementIds',
      'ClientRequirementId',
      'Requirements on clients, in the order of the clauses.',
      clientRequirementIds(),
    ),
    list(
      'situationIds',
      'SituationId',
      'Situations that a client can meet, which are marks of the journal too.',
      situationIds(),
    ),
    list('levels', 'Level', 'Severity of a broken requirement.', vocabulary('level')),
    list('bases', 'Basis', 'The basis of a requirement.', vocabulary('basis')),
    list('abilityIds', 'AbilityId', 'Abilities of a target that checks may need.', vocabulary('ability')),
    list(
      'openPointIds',
      'OpenPointId',
      'Open points, by number.',
      points.map((point) => point.id),
    ),
    aspectTable(points),
    list(
      'profileIds',
      'ProfileId',
      'Profiles: file names of `spec/profiles/`.',
      namesIn(join(specFolder, 'profiles'), '.yaml'),
    ),
  ].join('\n');
}

interface OpenPointNames {
  readonly id: string;
  readonly aspects: readonly string[];
}

function requirementFilesInOrder() {
  const folder = join(specFolder, 'requirements');
  return namesIn(folder, '.yaml')
    .map((name) => {
      const where = `spec/requirements/${name}.yaml`;
      const file = asRecord(readYaml(join(folder, `${name}.yaml`)), where);
      const clause = asString(file.clause, `${where}: clause`);
      return { clause, ids: idsOf(file.requirements, where), notes: idsOf(file.notes, where) };
    })
    .sort((one, other) => one.clause.localeCompare(other.clause, 'en', { numeric: true }));
}

function clientRequirementIds(): readonly string[] {
  return clientRequirementFiles()
    .sort((one, other) => one.clause.localeCompare(other.clause, 'en', { numeric: true }))
    .flatMap(({ requirements, where }) => idsOf(requirements, where));
}

function situationIds(): readonly string[] {
  const shown = clientRequirementFiles().flatMap(({ requirements, where }) =>
    asList(requirements, where).flatMap((one) =>
      asList(asRecord(one, where).situations, `${where}: situations`),
    ),
  );
  return [...new Set(shown.map((id) => asString(id, 'a situation of spec/client-requirements/')))].sort();
}

function clientRequirementFiles() {
  const folder = join(specFolder, 'client-requirements');
  return namesIn(folder, '.yaml').map((name) => {
    const where = `spec/client-requirements/${name}.yaml`;
    const { clause, requirements } = asRecord(readYaml(join(folder, `${name}.yaml`)), where);
    return { clause: asString(clause, `${where}: clause`), requirements, where };
  });
}

function openPoints(): readonly OpenPointNames[] {
  const where = 'spec/open-points.yaml';
  const file = asRecord(readYaml(join(specFolder, 'open-points.yaml')), where);
  return asList(file.openPoints, where).map((entry) => {
    const point = asRecord(entry, where);
    const id = asString(point.id, `${where}: id`);
    const aspects = asList(point.aspects, `${where}: ${id}: aspects`);
    return {
      id,
      aspects: aspects.map((aspect) => asString(asRecord(aspect, where).name, `${where}: ${id}: name`)),
    };
  });
}

function vocabulary(definition: string): readonly string[] {
  const where = `spec/requirements.schema.json: $defs.${definition}`;
  const schema = readSchemaFiles().find(({ name }) => name === 'requirements')?.schema;
  const definitions = asRecord(schema?.$defs, 'spec/requirements.schema.json: $defs');
  return asList(asRecord(definitions[definition], where).enum, `${where}.enum`).map((value) =>
    asString(value, where),
  );
}

function idsOf(entries: unknown, where: string): readonly string[] {
  return asList(entries ?? [], where).map((entry) => asString(asRecord(entry, where).id, `${where}: id`));
}

function list(constant: string, type: string, comment: string, values: readonly string[]): string {
  const items = values.map((value) => `  ${quote(value)},\n`).join('');
  const array = items === '' ? '[]' : `[\n${items}]`;
  return `/** ${comment} */\nexport const ${constant} = ${array} as const;\nexport type ${type} = (typeof ${constant})[number];\n`;
}

function aspectTable(points: readonly OpenPointNames[]): string {
  const rows = points
    .map(({ id, aspects }) => `  ${quote(id)}: [${aspects.map(quote).join(', ')}],\n`)
    .join('');
  return (
    `/** Aspects of each open point. */\nexport const openPointAspects = {\n${rows}} as const;\n` +
    'export type AspectOf<P extends OpenPointId> = (typeof openPointAspects)[P][number];\n'
  );
}

function quote(value: string): string {
  return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
