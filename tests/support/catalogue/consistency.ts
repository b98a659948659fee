/** Rules across the catalogue's files that no schema can express. Violations are refused like schema errors. */
import type { OpenPointsFile, RequirementsFile } from '../../../generated/schemas.d.ts';
import { type KeyPath, shortJson } from '../../../src/catalogue/describe-errors.ts';
import { type LocatedYaml, SpecFileError } from '../../../src/catalogue/load-yaml.ts';

/**
 * Holds the requirement files against each other: one clause each, ids unique, one owner per step, clauses that exist.
 * @throws SpecFileError on the first that does not fit.
 */
export function checkRequirementFiles(files: readonly LocatedYaml<RequirementsFile>[]): void {
  const clauses = firstTime('a clause that no other file has');
  const ids = firstTime('an id that no other entry has');
  const former = firstTime('an id that no requirement has, or had');
  const present = new Set(files.flatMap(({ value }) => value.requirements.map(({ id }) => id)));
  const steps = firstTime('a step that no other requirement owns');
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
      for (const [position, id] of (requirement.formerly ?? []).entries()) {
        const where: KeyPath = [...at, 'formerly', position];
        former(file, where, id);
        expectThat(file, where, !present.has(id), { expected: 'an id that no requirement has', actual: id });
      }
      if (requirement.step !== undefined) steps(file, [...at, 'step'], requirement.step);
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

/**
 * Holds the open points: numbered from 1 without gaps, ids and aspects unique, clauses that exist.
 * @throws SpecFileError on the first that does not fit.
 */
export function checkOpenPoints(
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
