import type { Placeholders } from './placeholders.ts';

/** Members of the protocol, not of a person, whose short and plain values are kept. */
const KEPT = new Set(['token_type', 'expires_in', 'scope', 'error']);

const TOKENS = { access_token: 'access-token', refresh_token: 'refresh-token' } as const;

/** Matches names that a programmer chose. Other names may be data, such as mail addresses. */
const PLAIN_KEY = /^[A-Za-z_][\w-]{0,40}$/;

/**
 * Reduces JSON to its shape: strings become `string`, numbers 0, booleans true, and list items that become equal are
 * merged. Tokens and the suite's own ids get placeholders.
 */
export function scrubJson(value: unknown, placeholders: Placeholders, key = ''): unknown {
  if (Array.isArray(value)) return distinct(value.map((item) => scrubJson(item, placeholders, key)));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => {
        const plain = PLAIN_KEY.test(name);
        return [plain ? name : 'key', scrubJson(item, placeholders, plain ? name : '')];
      }),
    );
  }
  if (typeof value === 'number') return scrubNumber(value, placeholders, key);
  if (typeof value === 'string') return scrubString(value, placeholders, key);
  return typeof value === 'boolean' ? true : null;
}

function scrubNumber(value: number, placeholders: Placeholders, key: string): number {
  if (KEPT.has(key)) return value;
  const id = namesAnId(key) ? placeholders.id(String(value)) : undefined;
  return id === undefined ? 0 : Number(id);
}

function scrubString(value: string, placeholders: Placeholders, key: string): string {
  if (value === '') return '';
  const token = TOKENS[key as keyof typeof TOKENS];
  if (token !== undefined) return placeholders.secret(token, value);
  const id = namesAnId(key) ? placeholders.id(value) : undefined;
  if (id !== undefined) return id;
  return KEPT.has(key) && /^[\w .:-]{1,60}$/.test(value) ? value : 'string';
}

/** Returns true for members that hold ids, so that other numbers in a record are not replaced; a bare list may hold ids. */
function namesAnId(key: string): boolean {
  return key === '' || /ids?$/i.test(key) || /users?$/i.test(key);
}

function distinct(items: readonly unknown[]): readonly unknown[] {
  const texts = items.map((item) => JSON.stringify(item));
  return items.filter((_, index) => texts.indexOf(texts[index] ?? '') === index);
}
