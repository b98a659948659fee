import { jsonOf, type WireResponse } from '../exchange/exchange.ts';

/**
 * Reads the answer of the list operation. The document shows neither its format nor its records (clauses 2.3 and 4.4),
 * so the place of the ids is found by looking for an id that is known to be in it.
 */

/** The ids in a list, in its order, repetitions included. */
export type AssignedIds = readonly string[];

/**
 * The pointers under which a known id stands in the answer, positions replaced by `*`, the most likely place first:
 * fewest steps, then a name that ends in `id`.
 *
 * @returns empty when the answer is no JSON or does not hold the id
 */
export function pointersTo(response: WireResponse, userId: string): readonly string[] {
  const found = new Set<string>();
  collect(jsonOf(response), '', userId, found);
  return [...found].sort((a, b) => rank(a) - rank(b) || a.localeCompare(b));
}

function rank(pointer: string): number {
  const steps = pointer.split('/');
  const name = steps.at(-1) ?? '';
  const named = name === 'id' || name === '*' ? 0 : name === 'user_id' ? 1 : /id$/i.test(name) ? 2 : 3;
  return steps.length * 10 + named;
}

function collect(value: unknown, at: string, userId: string, found: Set<string>): void {
  if (Array.isArray(value)) {
    for (const item of value) collect(item, `${at}/*`, userId, found);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) collect(item, `${at}/${escapeKey(key)}`, userId, found);
  } else if (at.includes('*') && sameId(value, userId)) {
    found.add(at);
  }
}

/** Ids compare as text: a service may send numbers where paths hold digits. */
function sameId(value: unknown, userId: string): boolean {
  return (typeof value === 'string' || typeof value === 'number') && String(value) === userId;
}

function escapeKey(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}

/**
 * The ids that stand under a pointer.
 *
 * @returns undefined when the answer is no JSON, or is built otherwise than the pointer says
 */
export function idsAt(response: WireResponse, pointer: string): AssignedIds | undefined {
  const json = jsonOf(response);
  if (json === undefined) return undefined;
  const ids: string[] = [];
  return walk(json, pointer.split('/').slice(1), ids) ? ids : undefined;
}

function walk(value: unknown, steps: readonly string[], ids: string[]): boolean {
  const [step, ...rest] = steps;
  if (step === undefined) {
    if (typeof value !== 'string' && typeof value !== 'number') return false;
    ids.push(String(value));
    return true;
  }
  if (step === '*') return Array.isArray(value) && value.every((item) => walk(item, rest, ids));
  const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
  if (typeof value !== 'object' || value === null || !(key in value)) return false;
  return walk((value as Record<string, unknown>)[key], rest, ids);
}

/**
 * Which of some known ids occur in an answer of any format, as whole words. For answers that are no JSON, and for
 * answers to requests that should have listed nobody.
 */
export function mentionedIds(body: string, ids: readonly string[]): readonly string[] {
  return ids.filter((id) => {
    const escaped = id.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    return new RegExp(`(?<![\\w-])${escaped}(?![\\w-])`).test(body);
  });
}
