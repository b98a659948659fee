import type { Fault, Hold, RequestFilter, Revocation, TokenForm } from './control-types.ts';
import type { Seed } from './seed.ts';
import { FAULT_KINDS } from './situations/check-fault.ts';
import { ROUTES } from './situations/question.ts';

export function readSeconds(body: unknown): number {
  const { seconds } = members(body);
  if (typeof seconds === 'number') return seconds;
  throw expected('seconds', 'a number', seconds);
}

export function readDefects(body: unknown): readonly string[] {
  const { active } = members(body);
  if (isTexts(active)) return active;
  throw expected('active', 'a list of defect ids', active);
}

export function readEmail(body: unknown): string | undefined {
  const { email } = members(body);
  if (email === undefined || typeof email === 'string') return email;
  throw expected('email', 'the email of an owner, or nothing', email);
}

export function readExpiresIn(body: unknown): number | undefined {
  const { expiresIn } = members(body, ['expiresIn']);
  if (expiresIn === null) return undefined;
  if (typeof expiresIn === 'number') return expiresIn;
  throw expected('expiresIn', 'whole seconds, or null', expiresIn);
}

export function readMark(body: unknown): string | undefined {
  const { mark } = members(body, ['mark']);
  if (mark === null) return undefined;
  if (typeof mark === 'string' && mark.length <= 200) return mark;
  throw expected('mark', 'a text of at most 200 characters, or null', mark);
}

export function readTokenForm(body: unknown): TokenForm {
  const { form } = members(body, ['form']);
  return oneOf('form', ['profile', 'every-character'], form);
}

export function readAutoConsent(body: unknown): {
  readonly user: string | undefined;
  readonly decision: 'grant' | 'deny' | undefined;
} {
  const { user, decision } = members(body, ['user', 'decision']);
  if (user !== null && typeof user !== 'string')
    throw expected('user', 'the email of an owner, or null', user);
  return {
    user: user ?? undefined,
    decision: decision === undefined ? undefined : oneOf('decision', ['grant', 'deny'], decision),
  };
}

export function readRevocation(body: unknown): Revocation {
  const { token, grant } = members(body, ['token', 'grant']);
  return { ...optional('token', token, 'string'), ...optional('grant', grant, 'string') };
}

export function readHoldId(body: unknown): string | undefined {
  return optional('id', members(body, ['id']).id, 'string').id;
}

const FILTER = ['route', 'grantType', 'user', 'clientId'] as const;

export function readHold(body: unknown): Hold {
  const { until, limitMs, phase, ...filter } = members(body, [...FILTER, 'until', 'limitMs', 'phase']);
  return {
    ...readFilter(filter),
    ...optional('until', until, 'number'),
    ...optional('limitMs', limitMs, 'number'),
    ...(phase === undefined ? {} : { phase: oneOf('phase', ['answer', 'request'], phase) }),
  };
}

export function readFault(body: unknown): Fault {
  const sent = members(body, [
    ...FILTER,
    ...['kind', 'count', 'from', 'to', 'status', 'body', 'contentType', 'headers', 'retryAfter'],
    ...['retryAfterForm', 'reason', 'milliseconds', 'fields', 'afterEffect'],
  ]);
  const { count, retryAfterForm, headers, fields } = sent;
  return {
    ...readFilter(sent),
    kind: oneOf('kind', FAULT_KINDS, sent.kind),
    ...(count === 'unlimited' ? { count } : optional('count', count, 'number')),
    ...optional('from', sent.from, 'number'),
    ...optional('to', sent.to, 'number'),
    ...optional('status', sent.status, 'number'),
    ...optional('body', sent.body, 'string'),
    ...optional('contentType', sent.contentType, 'string'),
    ...(headers === undefined ? {} : { headers: texts(headers, 'headers', Object.keys(members(headers))) }),
    ...optional('retryAfter', sent.retryAfter, 'number'),
    ...(retryAfterForm === undefined
      ? {}
      : { retryAfterForm: oneOf('retryAfterForm', ['seconds', 'date'], retryAfterForm) }),
    ...optional('reason', sent.reason, 'string'),
    ...optional('milliseconds', sent.milliseconds, 'number'),
    ...(fields === undefined ? {} : { fields: members(fields) }),
    ...optional('afterEffect', sent.afterEffect, 'boolean'),
  };
}

function readFilter(sent: Readonly<Record<string, unknown>>): RequestFilter {
  const { route, grantType, user, clientId } = sent;
  return {
    route: oneOf('route', ROUTES, route),
    ...(grantType === undefined
      ? {}
      : { grantType: oneOf('grantType', ['authorization_code', 'refresh_token'], grantType) }),
    ...optional('user', user, 'string'),
    ...optional('clientId', clientId, 'string'),
  };
}

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

/** Returns the members of an object; refuses members outside `names` if given. */
function members(value: unknown, names?: readonly string[]): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new TypeError(`Expected a JSON object, got ${JSON.stringify(value)}.`);
  }
  const other = names === undefined ? undefined : Object.keys(value).find((name) => !names.includes(name));
  if (other === undefined) return value as Record<string, unknown>;
  throw new TypeError(`${other}: expected one of the members ${names?.join(', ')}.`);
}

function oneOf<const T extends string>(key: string, choices: readonly T[], value: unknown): T {
  const choice = choices.find((candidate) => candidate === value);
  if (choice !== undefined) return choice;
  throw expected(key, `one of ${choices.join(', ')}`, value);
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

interface Types {
  readonly number: number;
  readonly boolean: boolean;
  readonly string: string;
}

function optional<K extends string, T extends keyof Types>(
  key: K,
  value: unknown,
  type: T,
): Partial<Record<K, Types[T]>> {
  if (value === undefined) return {};
  if (typeof value !== type) throw expected(key, `a ${type === 'string' ? 'text' : type}`, value);
  return { [key]: value } as Partial<Record<K, Types[T]>>;
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function expected(key: string, what: string, got: unknown): TypeError {
  return new TypeError(`${key}: expected ${what}, got ${JSON.stringify(got) ?? 'nothing'}.`);
}
