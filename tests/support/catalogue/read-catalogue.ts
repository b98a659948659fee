import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { validateOpenPoints, validateRequirements } from '../../../generated/development-validators.js';
/** Rules across the catalogue's files that no schema can express. Violations are refused like schema errors. */
import type { OpenPointsFile, RequirementsFile } from '../../../generated/schemas.d.ts';
import { type KeyPath, shortJson } from '../../../src/document/describe-errors.ts';
import { buildCatalogue } from '../../../src/document/load-catalogue.ts';
import { type LocatedYaml, loadLocatedYaml, SpecFileError } from '../../../src/document/load-yaml.ts';
import type { Catalogue } from '../../../src/document/types.ts';

/** Requirement files: one clause each, ids unique, clauses that exist. @throws SpecFileError */
function checkRequirementFiles(files: readonly LocatedYaml<RequirementsFile>[]): void {
  const clauses = firstTime('a clause that no other file has');
  const ids = firstTime('an id that no other entry has');
  const known = new Set(files.map(({ value }) => value.clause));
  for (const file of files) {
    const { value } = file;
    clauses(file, ['clause'], value.clause);
    expectThat(file, ['clause'], fileNameOf(file).startsWith(`${value.clause.replace('.', '-')}-`), {
      expected: 'the clause that the file name begins with',
      actual: value.clause,
    });
    value.requirements.forEach((requirement, index) => {
      const at: KeyPath = ['requirements', index];
      ids(file, [...at, 'id'], requirement.id);
      checkClauses(file, [...at, 'clauses'], requirement.clauses, known);
      expectThat(file, [...at, 'clauses', 0], requirement.clauses[0] === value.clause, {
        expected: `${value.clause}, the clause of the file, to come first`,
        actual: shortJson(requirement.clauses[0]),
      });
    });
    value.notes.forEach((note, index) => {
      ids(file, ['notes', index, 'id'], note.id);
      const kind = note.id.startsWith('duty.') ? 'client-duty' : 'notice';
      expectThat(file, ['notes', index, 'kind'], note.kind === kind, { expected: kind, actual: note.kind });
    });
  }
}

/** Open points: numbered from 1 without gaps, ids and aspects unique, clauses that exist. @throws SpecFileError */
function checkOpenPoints(
  file: LocatedYaml<OpenPointsFile>,
  requirementFiles: readonly LocatedYaml<RequirementsFile>[],
): void {
  const ids = firstTime('an id that no other open point has');
  const known = new Set(requirementFiles.map(({ value }) => value.clause));
  file.value.openPoints.forEach((point, index) => {
    const at: KeyPath = ['openPoints', index];
    ids(file, [...at, 'id'], point.id);
    expectThat(file, [...at, 'number'], point.number === index + 1, {
      expected: `${index + 1}`,
      actual: `${point.number}`,
    });
    checkClauses(file, [...at, 'clauses'], point.clauses, known);
    const names = firstTime('a name that no other aspect of the open point has');
    point.aspects.forEach((aspect, position) => {
      names(file, [...at, 'aspects', position, 'name'], aspect.name);
    });
  });
}

/** The reading: each sentence leads to an entry, and each entry follows from a sentence. @throws SpecFileError */
function checkReading(
  files: readonly LocatedYaml<RequirementsFile>[],
  points: LocatedYaml<OpenPointsFile>,
): void {
  const landed = new Set(files.flatMap(({ value }) => value.reading.flatMap(({ lands }) => lands)));
  const kinds = ['requirements', 'notes'] as const;
  const lists = files.flatMap((file) => kinds.map((of) => [file, of, file.value[of]] as const));
  const all = [...lists, [points, 'openPoints', points.value.openPoints] as const];
  const known = new Set<string>(all.flatMap(([, , entries]) => entries.map(({ id }) => id)));
  for (const file of files)
    for (const [row, { lands }] of file.value.reading.entries())
      for (const [index, actual] of lands.entries()) {
        const expected = 'the id of a requirement, an open point or a note';
        expectThat(file, ['reading', row, 'lands', index], known.has(actual), { expected, actual });
      }
  for (const [file, of, entries] of all)
    for (const [index, { id: actual }] of entries.entries()) {
      const expected = 'an id that a row under `reading` leads to';
      expectThat(file, [of, index, 'id'], landed.has(actual), { expected, actual });
    }
}

type AnyFile = Pick<LocatedYaml<unknown>, 'file' | 'lineOf'>;

/** Treats `5.3` as an item of clause 5. */
function checkClauses(
  file: AnyFile,
  path: KeyPath,
  clauses: readonly string[],
  known: ReadonlySet<string>,
): void {
  clauses.forEach((clause, index) => {
    expectThat(file, [...path, index], known.has(clause) || known.has(clause.split('.')[0] ?? ''), {
      expected: 'a clause that has a file in requirements/, or a numbered item of one',
      actual: shortJson(clause),
    });
  });
}

function firstTime(expected: string): (file: AnyFile, path: KeyPath, value: string) => void {
  const seen = new Map<string, string>();
  return (file, path, value) => {
    const before = seen.get(value);
    expectThat(file, path, before === undefined, { expected, actual: `"${value}", which ${before} has too` });
    seen.set(value, `${file.file}:${file.lineOf(path)}`);
  };
}

function expectThat(
  file: AnyFile,
  path: KeyPath,
  holds: boolean,
  words: { expected: string; actual: string },
): void {
  if (!holds) throw new SpecFileError(file.file, [{ path, line: file.lineOf(path), ...words }]);
}

function fileNameOf({ file }: AnyFile): string {
  return file.split(/[\\/]/).at(-1) ?? file;
}

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
