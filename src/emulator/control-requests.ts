import { FAULT_KINDS, FAULT_ROUTES, type Fault } from './faults.ts';
import type { Seed } from './seed.ts';

/** Reads `{ "seconds": 7200 }`; throws a TypeError that says what was expected. */
export function readSeconds(body: unknown): number {
  const { seconds } = members(body);
  if (typeof seconds === 'number') return seconds;
  throw expected('seconds', 'a number', seconds);
}

/** Reads `{ "active": ["id"] }`. */
export function readDefects(body: unknown): readonly string[] {
  const { active } = members(body);
  if (isTexts(active)) return active;
  throw expected('active', 'a list of defect ids', active);
}

/** Reads `{ "email": "ada@example.test" }`, or nothing for everybody. */
export function readEmail(body: unknown): string | undefined {
  const { email } = members(body);
  if (email === undefined || typeof email === 'string') return email;
  throw expected('email', 'the email of an owner, or nothing', email);
}

/** Reads a fault: `{ "route": "token", "count": 2, "kind": "status", "status": 503 }`. */
export function readFault(body: unknown): Fault {
  const { route, count, kind, status, retryAfter, afterEffect } = members(body);
  const knownRoute = FAULT_ROUTES.find((candidate) => candidate === route);
  if (knownRoute === undefined) throw expected('route', `one of ${FAULT_ROUTES.join(', ')}`, route);
  const knownKind = FAULT_KINDS.find((candidate) => candidate === kind);
  if (knownKind === undefined) throw expected('kind', `one of ${FAULT_KINDS.join(', ')}`, kind);
  if (typeof count !== 'number') throw expected('count', 'a whole number from 1', count);
  return {
    route: knownRoute,
    count,
    kind: knownKind,
    ...optional('status', status, 'number'),
    ...optional('retryAfter', retryAfter, 'number'),
    ...optional('afterEffect', afterEffect, 'boolean'),
  };
}

/** Reads a seed (`spec/seed.schema.json`). */
export function readSeed(body: unknown): Seed {
  const { owners, applications, projects, users } = members(body);
  return {
    owners: list(owners, 'owners').map((item, i) => ({
      ...texts(item, `owners[${i}]`, ['name', 'email']),
      ...optionalTexts(item, `owners[${i}]`, ['password']),
    })),
    applications: list(applications, 'applications').map((item, i) => ({
      ...texts(item, `applications[${i}]`, ['name']),
      redirectUris: textList(members(item).redirectUris, `applications[${i}].redirectUris`),
      ...optionalTexts(item, `applications[${i}]`, ['clientId', 'clientSecret', 'owner']),
    })),
    projects: list(projects, 'projects').map((item, i) => ({
      ...texts(item, `projects[${i}]`, ['id', 'name']),
      assignedUsers: textList(members(item).assignedUsers ?? [], `projects[${i}].assignedUsers`),
    })),
    users: list(users, 'users').map((item, i) => texts(item, `users[${i}]`, ['id', 'name', 'email'])),
  };
}

function members(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  throw new TypeError(`Expected a JSON object, got ${JSON.stringify(value)}.`);
}

function list(value: unknown, key: string): unknown[] {
  if (Array.isArray(value)) return value;
  throw expected(key, 'a list', value);
}

function textList(value: unknown, key: string): string[] {
  if (isTexts(value)) return [...value];
  throw expected(key, 'a list of texts', value);
}

function texts<K extends string>(value: unknown, key: string, names: readonly K[]): Record<K, string> {
  const object = members(value);
  const found: Partial<Record<K, string>> = {};
  for (const name of names) {
    const text = object[name];
    if (typeof text !== 'string' || text === '') throw expected(`${key}.${name}`, 'a text', text);
    found[name] = text;
  }
  return found as Record<K, string>;
}

function optionalTexts<K extends string>(
  value: unknown,
  key: string,
  names: readonly K[],
): Partial<Record<K, string>> {
  const object = members(value);
  return texts(
    value,
    key,
    names.filter((name) => object[name] !== undefined),
  );
}

function optional<K extends string, T extends 'number' | 'boolean'>(
  key: K,
  value: unknown,
  type: T,
): Partial<Record<K, T extends 'number' ? number : boolean>> {
  if (value === undefined) return {};
  if (typeof value !== type) throw expected(key, `a ${type}`, value);
  return { [key]: value } as Partial<Record<K, T extends 'number' ? number : boolean>>;
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function expected(key: string, what: string, got: unknown): TypeError {
  return new TypeError(`${key}: expected ${what}, got ${JSON.stringify(got) ?? 'nothing'}.`);
}
