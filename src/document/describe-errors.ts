import type { ValidationError } from '../../generated/validators.js';
import { orElse } from '../http/or-else.ts';
import { nearest } from './input/usage-error.ts';
import { namesIn } from './profiles/pointers.ts';

export type KeyPath = readonly (string | number)[];

export interface Problem {
  readonly path: KeyPath;
  /** Completes "expected …". */
  readonly expected: string;
  /** Completes "got …". */
  readonly actual: string;
  readonly advice?: string;
  readonly example?: string;
}

/** A key, as its schema describes it. */
export interface SchemaNote {
  /** Completes "expected …". */
  readonly description: string | undefined;
  readonly example: string | undefined;
  /** True if a secret, or its variable's name, belongs here: the value is never shown. */
  readonly secret: boolean;
}

/**
 * Describes a validator's errors: at least one problem for at least one error, each once.
 *
 * @param noteOf for a file in which people may put secrets: the notes word what is expected, and no value is shown
 * @param placesOf of a known key, for one that stands elsewhere
 */
export function describeErrors(
  errors: readonly ValidationError[],
  noteOf?: (path: KeyPath) => SchemaNote,
  placesOf: (key: string) => readonly string[] = () => [],
): readonly Problem[] {
  // An invalid key name is reported twice: by the pattern, and by the object that has the key.
  const reported = errors.filter((error) => error.propertyName === undefined);
  const problems = withoutBranches(reported).map((error) => describe(error, noteOf, placesOf));
  // A misspelt key is not missing, too.
  const meant = problems.map(({ path, advice = '' }) =>
    formatKey([...path.slice(0, -1), advice.split('"')[1] ?? '']),
  );
  const kept = problems.filter(
    ({ path, actual }) => actual !== 'nothing' || !meant.includes(formatKey(path)),
  );
  return [...new Map(kept.map((problem) => [JSON.stringify(problem), problem])).values()];
}

export function problemText(
  { path, expected, actual, advice, example }: Problem,
  key = `${formatKey(path)}: `,
): string {
  const more = [advice ?? [], example === undefined ? [] : `for example ${example}`].flat();
  return [`${key}expected ${expected}, got ${actual}`, ...more].join('; ');
}

export function formatKey(path: KeyPath): string {
  const text = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`)).join('');
  return text === '' ? '(whole file)' : text.replace(/^\./, '');
}

export function shortJson(value: unknown): string {
  const text = orElse(() => JSON.stringify(value) ?? 'nothing', 'a value that JSON cannot say');
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}

const FORKS = new Set(['oneOf', 'anyOf']);
const CONDITIONS = new Set(['if', 'allOf']);

/**
 * For a value with several possible shapes, keeps the errors further down: only the shape that was meant has them. Without
 * any, reports that no shape matches.
 */
function withoutBranches(errors: readonly ValidationError[]): readonly ValidationError[] {
  const forks = errors.filter(({ keyword }) => FORKS.has(keyword));
  const isBelow = (error: ValidationError, fork: ValidationError) =>
    error.instancePath.startsWith(`${fork.instancePath}/`) || strays(fork).includes(error);
  // An unknown key is meant for the one shape that has keys.
  const strays = (fork: ValidationError) => {
    const here = errors.filter(({ instancePath }) => instancePath === fork.instancePath);
    const unknown = here.filter(({ keyword }) => keyword === 'additionalProperties');
    const isOneShape = unknown.every(({ schemaPath }) => schemaPath === unknown[0]?.schemaPath);
    return isOneShape && !here.some(({ keyword }) => keyword === 'required') ? unknown : [];
  };
  const telling = errors.filter(
    (error) =>
      !CONDITIONS.has(error.keyword) &&
      forks.every((fork) =>
        error === fork
          ? !errors.some((other) => isBelow(other, fork))
          : error.instancePath !== fork.instancePath || strays(fork).includes(error),
      ),
  );
  return telling.length > 0 ? telling : errors;
}

function describe(
  error: ValidationError,
  noteOf: ((path: KeyPath) => SchemaNote) | undefined,
  placesOf: (key: string) => readonly string[],
): Problem {
  const path = pathOf(error.instancePath);
  const { keyword, params, data } = error;
  if (keyword === 'required') {
    const key = [...path, params.missingProperty as string];
    const wanted = noteOf?.(key);
    const expected = wanted === undefined ? 'this key to be there' : `this key (${summaryOf(wanted)})`;
    return { path: key, expected, actual: 'nothing', example: wanted?.example };
  }
  if (keyword === 'additionalProperties' || keyword === 'unevaluatedProperties') {
    const key = (params.additionalProperty ?? params.unevaluatedProperty) as string;
    const known = Object.keys((error.parentSchema as { properties?: object } | undefined)?.properties ?? {});
    const meant = didYouMean(key, known) ?? belongsAt(placesOf(key));
    const keys =
      noteOf === undefined || known.length <= MOST_LISTED
        ? `one of the keys ${known.join(', ')}`
        : 'a known key (docs/reference/configuration.md)';
    return {
      path: [...path, printableKey(key)],
      expected: known.length === 0 ? 'no further key' : keys,
      actual: `the key "${printableKey(key)}"`,
      advice: meant,
    };
  }
  const note = noteOf?.(path);
  if (note === undefined) return { path, expected: expectationOf(error), actual: shortJson(data) };
  if (keyword === 'propertyNames')
    return {
      path: [...path, printableKey(params.propertyName as string)],
      expected: 'the name of a header',
      actual: 'another text',
    };
  if (keyword === 'uniqueItems') {
    const [one, other] = [params.i, params.j] as [number, number];
    const id = (data as unknown[])[one];
    const twice = /^\d{1,12}$/.test(String(id)) ? `${id} twice` : `entries ${one} and ${other} alike`;
    return { path, expected: `${summaryOf(note)}, each once`, actual: twice, advice: 'remove one of them' };
  }
  const { example } = note;
  const described = { path, expected: summaryOf(note), example };
  if (note.secret && keyword === 'type' && typeof data === 'string')
    return { path, ...LITERAL_SECRET, actual: 'a text', example };
  if (keyword === 'pattern' && /^https?:\/\/[^/]*@/i.test(String(data)))
    return { ...described, ...USER_IN_ADDRESS };
  const isAddress = keyword === 'pattern' && String(params.pattern).startsWith('^https?:');
  if (isAddress && HOST.test(String(data)))
    return {
      ...described,
      actual: `"${data}", which has no scheme`,
      advice: 'write `https://` or `http://` before it',
    };
  const scheme = isAddress && OTHER_SCHEME.exec(String(data))?.[0];
  if (scheme)
    return {
      ...described,
      actual: `one that begins with ${scheme}`,
      advice: 'write `https://` or `http://` in its place',
    };
  const shapes = FORKS.has(keyword) && note.description;
  return {
    ...described,
    expected: shapes || `${described.expected}${constraint(error)}`,
    actual: wordsFor(error, note.secret),
    advice: keyword === 'enum' ? didYouMean(String(data), params.allowedValues as string[]) : undefined,
  };
}

/** A key with more places than these, such as `env`, may belong anywhere. */
const MOST_PLACES = 3;

function belongsAt(places: readonly string[]): string | undefined {
  const shown = places.map((one) => `\`${one}\``).join(' or ');
  return places.length > 0 && places.length <= MOST_PLACES ? `it belongs at ${shown}` : undefined;
}

/** More keys of a configuration than these stand on their page alone. */
const MOST_LISTED = 8;

function expectationOf({ keyword, params, message }: ValidationError): string {
  switch (keyword) {
    case 'type':
      return [params.type].flat().join(' or ');
    case 'enum':
      return `one of ${(params.allowedValues as unknown[]).map(shortJson).join(', ')}`;
    case 'const':
      return shortJson(params.allowedValue);
    case 'pattern':
      return `text that matches /${params.pattern}/`;
    case 'minLength':
      return params.limit === 1 ? 'text that is not empty' : `text of at least ${params.limit} characters`;
    case 'minItems':
      return `at least ${params.limit} entr${params.limit === 1 ? 'y' : 'ies'}`;
    case 'uniqueItems':
      return `no entry twice (entries ${params.j} and ${params.i} are alike)`;
    case 'false schema':
      return 'this key not to be here';
    default:
      return `a value that ${message ?? `fits "${keyword}"`}`;
  }
}

const LITERAL_SECRET = {
  expected: 'an object that names an environment variable',
  advice:
    'this file must not hold a secret: put the value into an environment variable, and write its name here',
};

const USER_IN_ADDRESS = {
  actual: 'one with a user in it',
  advice: 'take the user and password out: for a gateway that asks for HTTP Basic, `edge.basic` sends them',
};

/** `localhost`, or a host with a dot or a port, and nothing that a secret would have, such as a capital letter. */
const HOST = /^(?:[a-z0-9-]+(?:\.[a-z0-9-]+)+|localhost|[a-z0-9-]+(?=:\d))(?::\d{1,5})?(?:\/[a-z0-9/._-]*)?$/;

const OTHER_SCHEME = /^(?!https?:)[a-z]{1,8}:\/\//;

function didYouMean(word: string, known: readonly string[]): string | undefined {
  const meant = nearest(word, known);
  return meant && `did you mean "${meant}"?`;
}

function summaryOf({ description }: SchemaNote): string {
  return description?.split(/[;:]|\. /)[0] ?? 'a value';
}

function constraint(error: ValidationError): string {
  if (error.keyword === 'pattern' || error.keyword === 'minLength') return '';
  return ` (${expectationOf(error).replace(/^a value that /, '')})`;
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
  if (keyword === 'enum' && !secret && WORD.test(String(value))) return JSON.stringify(value);
  if (typeof value !== 'string') return `a ${typeof value}`;
  return keyword === 'type' ? 'a text' : 'another text';
}

/** A value that was mistyped, rather than a secret in the wrong place. */
const WORD = /^[a-zA-Z][a-z_-]{0,20}$/;

const LIMITS = new Set(['minimum', 'exclusiveMinimum', 'maximum', 'exclusiveMaximum']);

function printableKey(key: string): string {
  const [line = ''] = /^[^\p{C}\p{Z}]{0,40}/u.exec(key) ?? [];
  return line === key ? key : `${line}…`;
}

/** Converts a JSON pointer to a path. Digits are indexes, because no file has numeric keys. */
function pathOf(pointer: string): KeyPath {
  return namesIn(pointer).map((part) => (/^\d+$/.test(part) ? Number(part) : part));
}
