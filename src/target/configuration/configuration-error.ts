import type { ValidationError } from '../../../generated/validators.js';
import { describeErrors, formatKey, type KeyPath, pathOf } from '../../document/describe-errors.ts';
import { nearest, UsageError } from '../../document/input/usage-error.ts';
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

const FORKS = new Set(['oneOf', 'anyOf']);

/**
 * For a value with several possible shapes, keeps the errors further down: only the shape that was meant has them. Without
 * any, reports that no shape matches.
 */
function withoutBranches(errors: readonly ValidationError[]): readonly ValidationError[] {
  const forks = errors.filter(({ keyword }) => FORKS.has(keyword));
  const isBelow = (error: ValidationError, fork: ValidationError) =>
    error.instancePath.startsWith(`${fork.instancePath}/`);
  return errors.filter((error) =>
    forks.every((fork) =>
      error === fork
        ? !errors.some((other) => isBelow(other, fork))
        : error.instancePath !== fork.instancePath,
    ),
  );
}

function describe(error: ValidationError): ConfigurationProblem {
  const path = pathOf(error.instancePath);
  const { keyword, params, data } = error;
  if (keyword === 'required') {
    const key = [...path, params.missingProperty as string];
    const wanted = schemaNote(key);
    return {
      path: key,
      expected: `this key (${summaryOf(wanted)})`,
      actual: 'nothing',
      example: wanted.example,
    };
  }
  if (keyword === 'additionalProperties') {
    const key = params.additionalProperty as string;
    const known = Object.keys((error.parentSchema as { properties?: object }).properties ?? {});
    return {
      path: [...path, printableKey(key)],
      expected: `one of the keys ${known.join(', ')}`,
      actual: `the key "${printableKey(key)}"`,
      advice: didYouMean(key, known),
    };
  }
  if (keyword === 'propertyNames') {
    const name = params.propertyName as string;
    return { path: [...path, printableKey(name)], expected: 'the name of a header', actual: 'another text' };
  }
  const note = schemaNote(path);
  const { example } = note;
  if (note.secret && keyword === 'type' && typeof data === 'string')
    return { path, ...LITERAL_SECRET, actual: 'a text (not shown)', example };
  if (keyword === 'pattern' && /^https?:\/\/[^/]*@/i.test(String(data)))
    return { path, expected: summaryOf(note), ...USER_IN_ADDRESS, example };
  const shapes = FORKS.has(keyword) && note.description;
  return {
    path,
    expected: shapes || `${summaryOf(note)}${constraint(error)}`,
    actual: wordsFor(error, note.secret),
    advice: keyword === 'enum' ? didYouMean(String(data), params.allowedValues as string[]) : undefined,
    example,
  };
}

const LITERAL_SECRET = {
  expected: 'an object that names an environment variable',
  advice:
    'this file must not hold a secret: put the value into an environment variable, and write its name here',
};

const USER_IN_ADDRESS = {
  actual: 'one with a user in it (not shown)',
  advice: 'take the user and password out: for a gateway that asks for HTTP Basic, `edge.basic` sends them',
};

function didYouMean(word: string, known: readonly string[]): string | undefined {
  const meant = nearest(word, known);
  return meant && `did you mean "${meant}"?`;
}

function summaryOf(note: SchemaNote): string {
  return note.description?.split(/[;:]|\. /)[0] ?? 'a value';
}

function constraint(error: ValidationError): string {
  if (error.keyword === 'pattern' || error.keyword === 'minLength') return '';
  const expected = describeErrors([error])[0]?.expected.replace(/^a value that /, '');
  return expected === undefined ? '' : ` (${expected})`;
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
