/** Puts what the validator found in a configuration into words. Nothing that may be a secret is repeated. */
import type { ValidationError } from '../../generated/validators.js';
import { describeErrors, type KeyPath, shortJson } from '../catalogue/describe-errors.ts';
import type { ConfigurationProblem } from './configuration-error.ts';
import { nearest } from './nearest.ts';
import { type SchemaNote, schemaNote } from './schema-notes.ts';

/** Words for every error of `validateConfiguration`; at least one for at least one. */
export function describeProblems(errors: readonly ValidationError[]): readonly ConfigurationProblem[] {
  const problems = withoutBranches(errors).map(describe);
  const seen = new Set<string>();
  return problems.filter((problem) => {
    const text = JSON.stringify(problem);
    return seen.has(text) ? false : seen.add(text);
  });
}

/**
 * Where a value may have one of several shapes, the validator complains of each. If the value's keys say which was
 * meant, only what is wrong inside that one is told; otherwise only that it has none of the shapes.
 */
function withoutBranches(errors: readonly ValidationError[]): readonly ValidationError[] {
  const forks = errors.filter((error) => error.keyword === 'oneOf' || error.keyword === 'anyOf');
  return errors.filter((error) => {
    for (const fork of forks) {
      const meant = meantShape(fork);
      const below = error.instancePath.startsWith(`${fork.instancePath}/`);
      const at = error.instancePath === fork.instancePath;
      if (meant === undefined && (below || (at && error !== fork))) return false;
      if (meant !== undefined && at && !isStrayKey(error, meant.keys)) return false;
    }
    return true;
  });
}

function meantShape(fork: ValidationError): SchemaNote['shapes'][number] | undefined {
  const value: unknown = fork.data;
  if (typeof value !== 'object' || value === null) return undefined;
  const fitting = schemaNote(pathOf(fork.instancePath)).shapes.filter((shape) =>
    shape.required.every((key) => key in value),
  );
  return fitting.length === 1 ? fitting[0] : undefined;
}

function isStrayKey(error: ValidationError, keys: readonly string[]): boolean {
  const key: unknown = error.params.additionalProperty;
  return typeof key === 'string' && !keys.includes(key);
}

function describe(error: ValidationError): ConfigurationProblem {
  const path = pathOf(error.instancePath);
  const note = schemaNote(path);
  if (error.keyword === 'required') {
    const key = [...path, error.params.missingProperty as string];
    return problem(key, schemaNote(key), 'nothing');
  }
  if (error.keyword === 'additionalProperties')
    return strayKey(path, note, error.params.additionalProperty as string);
  if (error.keyword === 'propertyNames') {
    return {
      path: [...path, error.params.propertyName as string],
      expected: 'the name of a header that carries no secret (not Authorization, not Cookie)',
      came: `the name "${error.params.propertyName}"`,
    };
  }
  const came = wordsFor(error.data, note.secret);
  if (error.keyword === 'oneOf' || error.keyword === 'anyOf') return noShape(path, note, error.data, came);
  if (note.secret && error.keyword === 'type' && typeof error.data === 'string')
    return literalSecret(path, note);
  const [general] = describeErrors([error]);
  const expected = [note.description, general?.expected].filter((words) => words !== undefined).join(': ');
  return problem(path, { ...note, description: expected }, came);
}

function problem(path: KeyPath, note: SchemaNote, came: string): ConfigurationProblem {
  return {
    path,
    expected: note.description ?? 'a value here',
    came,
    ...(note.example === undefined ? {} : { example: note.example }),
  };
}

function literalSecret(path: KeyPath, note: SchemaNote): ConfigurationProblem {
  return {
    ...problem(path, note, 'a text (not shown)'),
    expected: 'an object that names an environment variable',
    advice: 'secrets are not kept in this file: put the value into a variable and name that',
  };
}

function strayKey(path: KeyPath, note: SchemaNote, key: string): ConfigurationProblem {
  const meant = nearest(key, note.keys);
  return {
    path: [...path, key],
    expected: note.keys.length === 0 ? 'no key' : `one of the keys ${note.keys.join(', ')}`,
    came: `the key "${key}"`,
    ...(meant === undefined ? {} : { advice: `did you mean "${meant}"?` }),
  };
}

function noShape(path: KeyPath, note: SchemaNote, value: unknown, came: string): ConfigurationProblem {
  const keys = typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value) : [];
  const stray = keys.find((key) => !note.keys.includes(key));
  const meant = stray === undefined ? undefined : nearest(stray, note.keys);
  return {
    ...problem(path, note, came),
    ...(meant === undefined ? {} : { advice: `did you mean "${meant}" where it says "${stray}"?` }),
  };
}

/**
 * What came, in words. Objects and lists are told by their outline alone, and texts not at all where a secret may stand:
 * messages end up in the logs of build servers.
 */
function wordsFor(value: unknown, secret: boolean): string {
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : `a list of ${value.length}`;
  if (typeof value === 'object' && value !== null) {
    const keys = Object.keys(value);
    return keys.length === 0 ? 'an empty object' : `an object with ${keys.join(', ')}`;
  }
  if (typeof value !== 'string') return value === undefined ? 'nothing' : String(value);
  if (value === '') return 'an empty text';
  return secret ? 'a text (not shown)' : shortJson(withoutUserinfo(value));
}

/** An address without the name and password that it may hold. */
export function withoutUserinfo(address: string): string {
  return address.replace(/\/\/[^/]*@/, '//<hidden>@');
}

/** A JSON pointer as a path; digits alone are positions, which no object of a configuration has as keys. */
function pathOf(pointer: string): KeyPath {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part));
}
