import type { Placeholders } from './placeholders.ts';

/** Members whose value may be kept where it is short and plain: they are the protocol's, not a person's. */
const KEPT = new Set(['token_type', 'expires_in', 'scope', 'error']);

/** Members that hold a token (clause 2.1), and its kind. */
const TOKENS = { access_token: 'access-token', refresh_token: 'refresh-token' } as const;

/** A name that a programmer gave. Others may be data: a list keyed by mail addresses. */
const PLAIN_KEY = /^[A-Za-z_][\w-]{0,40}$/;

/**
 * A JSON value of the same shape without its content: strings become `string`, numbers 0, truth values true, and items of a
 * list that are then alike become one. Tokens and the suite's own ids get placeholders.
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

/** While a number elsewhere in a record must not be taken for an id, a bare list may be one of ids. */
function namesAnId(key: string): boolean {
  return key === '' || /ids?$/i.test(key) || /users?$/i.test(key);
}

function distinct(items: readonly unknown[]): readonly unknown[] {
  const texts = items.map((item) => JSON.stringify(item));
  return items.filter((_, index) => texts.indexOf(texts[index] ?? '') === index);
}
