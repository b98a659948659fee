import { isJsonObject } from '../../document/input/plain-data.ts';
import { readFrom } from '../../http/bodies.ts';
import { jsonOf, type WireResponse } from '../../http/exchange.ts';
import type { ConfigurationFinding, Target } from '../target.ts';

/** Reads the answer of the list operation. The document defines no format (clauses 2.3, 4.4): the suite searches a known id. */

export type AssignedIds = readonly string[];

/** Returns the suite's own users: those that it assigns, and the lock's. */
export function ownUsersOf({ users, lock }: Target): readonly string[] {
  return lock === undefined ? users : [...users, lock.user];
}

/** The list's form: a configured or discovered pointer, or a configured reader. */
interface ListForm {
  readonly pointer?: string;
  readonly reader?: ListReader;
  readonly known: readonly string[];
}

/** A configured reader of lists (`list.reader`). Returns undefined for an unreadable list. */
export type ListReader = (response: WireResponse) => AssignedIds | undefined;

/** Returns why the suite finds no ids in a list, and what to do. */
export function unreadableList(response: WireResponse): ConfigurationFinding {
  return isBrokenJson(response)
    ? {
        observed: 'the list begins as JSON and is none',
        remedy: 'look at its end and its Content-Length, or configure a module that reads it (`list.reader`)',
      }
    : {
        observed: 'the list came in a form that the suite cannot read',
        remedy: 'say in `list.userId` where the ids are, or configure a module that reads it (`list.reader`)',
      };
}

/** True for a body that begins as JSON does and cannot be parsed, such as one that was cut off. */
export function isBrokenJson(response: WireResponse): boolean {
  return /^\ufeff?\s*[[{]/.test(response.body) && jsonOf(response) === undefined;
}

/**
 * Returns the ids in a successful answer of the list operation; undefined for an unreadable form. An empty answer (no content,
 * `null`, `{}`, `[]`, an empty array at the known place) is an empty list. An unknown place is found by a known id, otherwise by
 * values that look like record ids.
 */
export function readList(response: WireResponse, form: ListForm): AssignedIds | undefined {
  if (form.reader !== undefined) return form.reader(response);
  if (isEmptyList(response)) return [];
  if (form.pointer !== undefined) {
    const ids = idsAt(response, form.pointer);
    // The last part of an address or a URN is no id for a pointer.
    const areParts = form.known.some((id) =>
      ids?.some((one) => one !== id && one.split(/[/:]/).at(-1) === id),
    );
    return areParts ? undefined : ids;
  }
  for (const id of form.known) {
    const [place] = pointersTo(response, id);
    if (place !== undefined) return idsAt(response, place);
  }
  if (mentionedIds(response.body, form.known).length > 0) return undefined;
  const found = new Set<string>();
  collectRecords(jsonOf(response), '', found);
  const [place] = likeliestFirst(found);
  return place === undefined ? undefined : idsAt(response, place);
}

function isEmptyList(response: WireResponse): boolean {
  if (response.body.trim() === '') return true;
  const json = jsonOf(response);
  return json === null || (isJsonObject(json) && Object.keys(json).length === 0);
}

function collectRecords(value: unknown, at: string, found: Set<string>): void {
  // Inside a record such a value does not concern the list.
  const isNothing = value === null || (Array.isArray(value) && value.length === 0);
  if (isNothing && !at.includes('*')) found.add(`${at}/*`);
  if (Array.isArray(value)) {
    const place = `${at}/*`;
    for (const item of value) collectRecords(item, place, found);
  } else if (isJsonObject(value)) {
    for (const [key, item] of Object.entries(value)) collectRecords(item, `${at}/${escapeKey(key)}`, found);
  } else if (at.includes('*') && /(?:^|\/)(?:\*|[^/]*id)$/i.test(at) && isId(value)) {
    found.add(at);
  }
}

function isId(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number';
}

/**
 * Returns the pointers to a known id in the answer, with `*` for positions, the most likely place first: fewest steps, then a
 * name that ends in `id`. Empty if the answer is no JSON.
 */
export function pointersTo(response: WireResponse, userId: string): readonly string[] {
  const found = readFrom(response.body, `places of ${userId}`, () => idPointers(response, new Set([userId])));
  return likeliestFirst(found);
}

/** Counts the arrays of an answer that stand in no other array. */
export function arraysIn(response: WireResponse): number {
  const count = (value: unknown): number => {
    if (Array.isArray(value)) return 1;
    return isJsonObject(value) ? Object.values(value).reduce<number>((sum, one) => sum + count(one), 0) : 0;
  };
  return count(jsonOf(response));
}

/** Returns {@link pointersTo} any of the ids, in one walk and in no order. */
export function idPointers(response: WireResponse, ids: ReadonlySet<string>): ReadonlySet<string> {
  const places = new Set<string>();
  collect(jsonOf(response), [], ids, places);
  return places;
}

function likeliestFirst(pointers: ReadonlySet<string>): readonly string[] {
  return [...pointers].sort((a, b) => rank(a) - rank(b) || a.localeCompare(b));
}

function rank(pointer: string): number {
  const steps = pointer.split('/');
  const name = steps.at(-1) ?? '';
  const named = [/^(?:id|\*)$/, /^user_id$/, /id$/i, /^/].findIndex((names) => names.test(name));
  return steps.length * 10 + named;
}

/** @param at the steps so far: a pointer is written only for a found id, because a list may have many records */
function collect(value: unknown, at: string[], ids: ReadonlySet<string>, places: Set<string>): void {
  if (Array.isArray(value)) {
    at.push('*');
    for (const item of value) collect(item, at, ids, places);
    at.pop();
  } else if (isJsonObject(value)) {
    for (const key in value) {
      at.push(escapeKey(key));
      collect(value[key], at, ids, places);
      at.pop();
    }
  } else if (isId(value) && ids.has(String(value)) && at.includes('*')) places.add(`/${at.join('/')}`);
}

function escapeKey(key: string): string {
  return !key.includes('~') && !key.includes('/') ? key : key.replaceAll('~', '~0').replaceAll('/', '~1');
}

export function idsAt(response: WireResponse, pointer: string): AssignedIds | undefined {
  const found = readFrom(response.body, `ids at ${pointer}`, () => {
    const json = jsonOf(response);
    const ids: string[] = [];
    return json !== undefined && collectIds(json, pointer.split('/').slice(1), ids) ? ids : NO_IDS;
  });
  return found === NO_IDS ? undefined : found;
}

const NO_IDS: AssignedIds = [];

const SETS = new WeakMap<AssignedIds, ReadonlySet<string>>();

export function setOf(ids: AssignedIds): ReadonlySet<string> {
  const known = SETS.get(ids) ?? new Set(ids);
  SETS.set(ids, known);
  return known;
}

function collectIds(value: unknown, steps: readonly string[], ids: string[], depth = 0): boolean {
  const step = steps[depth];
  if (step === undefined) {
    if (typeof value !== 'string' && typeof value !== 'number') return false;
    ids.push(String(value));
    return true;
  }
  if (step === '*') {
    // Some serialisers write an empty array as `null` or `{}`.
    if (value === null || (isJsonObject(value) && Object.keys(value).length === 0)) return true;
    return Array.isArray(value) && value.every((item) => collectIds(item, steps, ids, depth + 1));
  }
  const key = step.includes('~') ? step.replaceAll('~1', '/').replaceAll('~0', '~') : step;
  if (typeof value !== 'object' || value === null || !(key in value)) return false;
  return collectIds((value as Record<string, unknown>)[key], steps, ids, depth + 1);
}

/** Returns the known ids that occur as whole words in any format: for answers that are no JSON, and lists to be empty. */
function mentionedIds(body: string, ids: readonly string[]): readonly string[] {
  return ids.filter((id) => {
    const escaped = id.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    return new RegExp(`(?<![\\w-])${escaped}(?![\\w-])`).test(body);
  });
}

/** Returns the known ids in an answer whose place of ids is unknown: any member that is named like an id counts. */
export function namedIn(response: WireResponse, ids: readonly string[]): readonly string[] {
  if (jsonOf(response) === undefined) return mentionedIds(response.body, ids);
  // Other numbers in a record may equal an id.
  const namesAnId = /(?:^|\/)(?:\*|[^/]*id)$/i;
  return ids.filter((id) => pointersTo(response, id).some((pointer) => namesAnId.test(pointer)));
}
