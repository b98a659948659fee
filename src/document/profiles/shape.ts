/**
 * The shape of a JSON value: member names and kinds of values, but no values, which may be personal. A list has the
 * shape of its first entry.
 */
type Shape =
  | 'string'
  | 'number'
  | 'boolean'
  | 'null'
  | readonly Shape[]
  | { readonly [member: string]: Shape };

/** Replaces names that are not identifiers, because they may be data such as an email address. */
const ANY_NAME = '*';

export function shapeOf(value: unknown): Shape {
  if (value === null) return 'null';
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf);
  if (typeof value === 'object') {
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [
        /^[A-Za-z_$@][A-Za-z0-9_$:.-]*$/.test(name) && !/@.*\./.test(name) ? name : ANY_NAME,
        shapeOf(inner),
      ]),
    );
  }
  if (typeof value === 'number') return 'number';
  return typeof value === 'boolean' ? 'boolean' : 'string';
}
