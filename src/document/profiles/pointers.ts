/** Returns the member names of a JSON Pointer (RFC 6901). */
export function namesIn(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
}

export function valueAt(root: unknown, pointer: string): unknown {
  let value = root;
  for (const name of namesIn(pointer)) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}

export function numbersOf(root: unknown, outside: string): readonly string[] {
  const found: string[] = [];
  const visit = (value: unknown, at: string): void => {
    if (typeof value === 'number' && at !== '') found.push(at);
    if (typeof value !== 'object' || value === null || Array.isArray(value) || at === `${outside}/`) return;
    for (const [name, inner] of Object.entries(value)) visit(inner, `${at}/${name}`);
  };
  visit(root, '');
  return found;
}

/**
 * Lists a record's members except its id, in order: name or path, and the type after a colon unless it is a string.
 * Names that are not identifiers may be data and are omitted.
 */
export function fieldsOf(record: unknown, idPointer: string): readonly string[] {
  const found: string[] = [];
  const visit = (value: unknown, at: string): void => {
    if (at === idPointer) return;
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      for (const [name, inner] of Object.entries(value)) {
        if (/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) visit(inner, `${at}/${name}`);
      }
      return;
    }
    found.push(`${at.slice(1)}${suffixOf(value)}`);
  };
  visit(record, '');
  return found;
}

function suffixOf(value: unknown): string {
  if (typeof value === 'string') return '';
  if (value === null) return ':null';
  return Array.isArray(value) ? ':list' : `:${typeof value}`;
}
