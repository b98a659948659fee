import type { ValidationError } from '../../generated/validators.js';

export type KeyPath = readonly (string | number)[];

export interface Problem {
  readonly path: KeyPath;
  readonly expected: string;
  readonly actual: string;
}

/**
 * Describes a validator's errors: at least one problem for at least one error. Omits errors of a schema branch when the
 * branch itself says more.
 */
export function describeErrors(errors: readonly ValidationError[]): readonly Problem[] {
  const telling = errors.filter((error) => !branching.has(error.keyword));
  return (telling.length > 0 ? telling : errors).map(describe);
}

export function formatKey(path: KeyPath): string {
  const text = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`)).join('');
  return text === '' ? '(whole file)' : text.replace(/^\./, '');
}

export function shortJson(value: unknown): string {
  const text = jsonOf(value);
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}

function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'nothing';
  } catch {
    return 'a value that JSON cannot say';
  }
}

const branching = new Set(['if', 'anyOf', 'oneOf', 'allOf']);

function describe(error: ValidationError): Problem {
  const path = pathOf(error.instancePath);
  const { params } = error;
  switch (error.keyword) {
    case 'required':
      return {
        path: [...path, params.missingProperty as string],
        expected: 'this key to be there',
        actual: 'nothing',
      };
    case 'additionalProperties':
    case 'unevaluatedProperties': {
      const key = (params.additionalProperty ?? params.unevaluatedProperty) as string;
      return { path: [...path, key], expected: knownKeys(error), actual: `the key "${key}"` };
    }
    default:
      return { path, expected: expectationOf(error), actual: shortJson(error.data) };
  }
}

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

function knownKeys(error: ValidationError): string {
  const properties = (error.parentSchema as { properties?: object } | undefined)?.properties ?? {};
  const names = Object.keys(properties);
  return names.length === 0 ? 'no further key' : `one of the keys ${names.join(', ')}`;
}

/** Converts a JSON pointer to a path. Digits are indexes, because no file has numeric keys. */
export function pathOf(pointer: string): KeyPath {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part));
}
