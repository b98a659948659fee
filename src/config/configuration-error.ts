import type { ValidationError } from '../../generated/validators.js';
import { describeErrors, formatKey, type KeyPath } from '../catalogue/describe-errors.ts';
import { nearest, UsageError } from '../input/usage-error.ts';
import { type SchemaNote, schemaNote } from './schema-notes.ts';

export interface ConfigurationProblem {
  readonly path: KeyPath;
  /** Completes "expected …". */
  readonly expected: string;
  /** Completes "got …". */
  readonly actual: string;
  readonly advice?: string;
  readonly example?: string;
}

export class ConfigurationError extends UsageError {
  override readonly name = 'ConfigurationError';
  readonly file: string;
  readonly problems: readonly ConfigurationProblem[];

  constructor(file: string, problems: readonly ConfigurationProblem[]) {
    super(
      [
        `${file}: the configuration cannot be used; the suite sent nothing`,
        ...problems.map((p) => `  ${sentence(p)}`),
      ].join('\n'),
    );
    this.file = file;
    this.problems = problems;
  }
}

function sentence({ path, expected, actual, advice, example }: ConfigurationProblem): string {
  const where = path.length === 0 ? '' : `${formatKey(path)}: `;
  return [
    `${where}expected ${expected}, got ${actual}`,
    ...(advice === undefined ? [] : [advice]),
    ...(example === undefined ? [] : [`for example ${example}`]),
  ].join('; ');
}

export function describeProblems(errors: readonly ValidationError[]): readonly ConfigurationProblem[] {
  // An invalid key name is reported twice: by the pattern, and by the object that has the key.
  const reported = errors.filter((error) => error.propertyName === undefined);
  const problems = withoutBranches(reported).map(describe);
  const seen = new Set<string>();
  return problems.filter((problem) => {
    const text = JSON.stringify(problem);
    return seen.has(text) ? false : seen.add(text);
  });
}

/**
 * For a value with several possible shapes, keeps only the errors of the shape that the keys indicate. Otherwise
 * reports that no shape matches.
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

/** Returns true for the intended shape's own error about an unknown key. */
function isStrayKey(error: ValidationError, keys: readonly string[]): boolean {
  return error.keyword === 'additionalProperties' && knownKeys(error).join() === keys.join();
}

function knownKeys(error: ValidationError): readonly string[] {
  return Object.keys((error.parentSchema as { properties?: object }).properties ?? {});
}

function describe(error: ValidationError): ConfigurationProblem {
  const path = pathOf(error.instancePath);
  const note = schemaNote(path);
  if (error.keyword === 'required') {
    const key = [...path, error.params.missingProperty as string];
    const wanted = schemaNote(key);
    return problem(key, { ...wanted, description: `this key (${summaryOf(wanted)})` }, 'nothing');
  }
  if (error.keyword === 'additionalProperties') return strayKey(path, error);
  if (error.keyword === 'propertyNames') {
    const name = error.params.propertyName as string;
    return { path: [...path, printableKey(name)], expected: 'the name of a header', actual: 'another text' };
  }
  const actual = wordsFor(error, note.secret);
  if (error.keyword === 'oneOf' || error.keyword === 'anyOf') return noShape(path, note, error.data, actual);
  if (note.secret && error.keyword === 'type' && typeof error.data === 'string')
    return literalSecret(path, note);
  const meant = error.keyword === 'enum' ? nearestOf(error) : undefined;
  if (error.keyword === 'pattern' && /^https?:\/\/[^/]*@/i.test(String(error.data)))
    return { ...problem(path, note, 'one with a user in it (not shown)'), advice: USER_IN_ADDRESS };
  const reported = problem(path, { ...note, description: `${summaryOf(note)}${constraint(error)}` }, actual);
  return meant === undefined ? reported : { ...reported, advice: `did you mean "${meant}"?` };
}

const USER_IN_ADDRESS =
  'take the user and password out: for a gateway that asks for HTTP Basic, `edge.basic` sends them';

function nearestOf({ data, params }: ValidationError): string | undefined {
  const allowed = (params.allowedValues as unknown[]).filter((value) => typeof value === 'string');
  return typeof data === 'string' ? nearest(data, allowed) : undefined;
}

function summaryOf(note: SchemaNote): string {
  return note.description?.split(/[;:]|\. /)[0] ?? 'a value';
}

function constraint(error: ValidationError): string {
  if (error.keyword === 'pattern' || error.keyword === 'minLength') return '';
  const expected = describeErrors([error])[0]?.expected.replace(/^a value that /, '');
  return expected === undefined ? '' : ` (${expected})`;
}

function problem(path: KeyPath, note: SchemaNote, actual: string): ConfigurationProblem {
  return {
    path,
    expected: note.description ?? 'a value',
    actual,
    example: note.example,
  };
}

function literalSecret(path: KeyPath, note: SchemaNote): ConfigurationProblem {
  return {
    ...problem(path, note, 'a text (not shown)'),
    expected: 'an object that names an environment variable',
    advice:
      'this file must not hold a secret: put the value into an environment variable, and write its name here',
  };
}

function strayKey(path: KeyPath, error: ValidationError): ConfigurationProblem {
  const key = error.params.additionalProperty as string;
  const known = knownKeys(error);
  const elsewhere = ELSEWHERE.find(([names]) => names.test(key))?.[1];
  const meant = nearest(key, known);
  return {
    path: [...path, printableKey(key)],
    expected: `one of the keys ${known.join(', ')}`,
    actual: `the key "${printableKey(key)}"`,
    ...(elsewhere === undefined
      ? meant !== undefined && { advice: `did you mean "${meant}"?` }
      : { advice: `\`${formatKey(elsewhere)}\` does this`, example: schemaNote(elsewhere).example }),
  };
}

/** Names in other tools for a key of this configuration. */
const ELSEWHERE: readonly (readonly [names: RegExp, key: KeyPath])[] = [
  [/^(?:(?:extra)?(?:http)?headers)$/i, ['requests', 'headers']],
  [/^(?:basic|auth|basic_?auth|http_?(?:auth|basic|credentials))$/i, ['edge', 'basic']],
  [/^(?:mtls|cert|key|pfx|certFile|keyFile|pfxFile|client_?certificates?)$/i, ['tls', 'client']],
  [/^(?:ca|ca_?file|insecure|rejectUnauthorized|ignoreHTTPSErrors)$/i, ['tls', 'caFile']],
];

function noShape(path: KeyPath, note: SchemaNote, value: unknown, actual: string): ConfigurationProblem {
  const keys = typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value) : [];
  const stray = keys.find((key) => !note.keys.includes(key));
  const meant = stray === undefined ? undefined : nearest(stray, note.keys);
  return {
    ...problem(path, path.length === 0 ? { ...note, description: summaryOf(note) } : note, actual),
    ...(meant === undefined ? {} : { advice: `did you mean "${meant}" where it says "${stray}"?` }),
  };
}

/**
 * Describes a value without quoting it: messages reach build logs, and people put secrets in wrong places. Shows a number only
 * where the schema expects one.
 */
function wordsFor({ data: value, keyword }: ValidationError, secret: boolean): string {
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : `a list of ${value.length}`;
  if (typeof value === 'object' && value !== null) {
    const keys = Object.keys(value);
    return keys.length === 0
      ? 'an empty object'
      : `an object with ${keys.slice(0, 12).map(printableKey).join(', ')}`;
  }
  if (value === '') return 'an empty text';
  if (value === undefined) return 'nothing';
  if (typeof value === 'boolean' || value === null) return String(value);
  if (typeof value === 'number' && !secret && LIMITS.has(keyword)) return String(value);
  return typeof value === 'string' ? 'a text (not shown)' : `a ${typeof value} (not shown)`;
}

const LIMITS = new Set(['minimum', 'exclusiveMinimum', 'maximum', 'exclusiveMaximum']);

function printableKey(key: string): string {
  const [line = ''] = /^[^\p{C}\p{Z}]{0,40}/u.exec(key) ?? [];
  return line === key ? key : `${line}…`;
}

/** Converts a JSON pointer to a path. Digits are indexes, because no configuration object has numeric keys. */
function pathOf(pointer: string): KeyPath {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part));
}
