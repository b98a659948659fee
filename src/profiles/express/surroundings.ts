import { type AspectAnswer, canonical, type SeenAnswers } from '../aspects.ts';
import { bodyOfChoice, JSON_TYPE, TEXT_TYPE } from '../expected/bodies.ts';
import { METHOD_PATHS, OTHER_METHODS } from '../expected/other-methods.ts';
import { HEADER_ASPECTS } from '../header-kinds.ts';
import type { ProfileAnswers, ProfileOtherMethod } from '../profile.ts';

/** Tells the emulator what surrounds the document: headers, other methods, neighbours, loopback (open points 16 to 19). */
export function expressSurroundings(answers: ProfileAnswers, seen: SeenAnswers): void {
  expressHeaders(answers['response-headers'], seen);
  expressMethods(answers, seen);
  const { neighbours } = answers;
  for (const [key, aspect] of [
    ['revoke', 'neighbours.revoke'],
    ['introspect', 'neighbours.introspect'],
    ['tokenInfo', 'neighbours.token-info'],
    ['metadata', 'neighbours.authorization-server-metadata'],
    ['openidConfiguration', 'neighbours.openid-configuration'],
  ] as const) {
    const status = seen.get(aspect);
    if (typeof status !== 'number') continue;
    neighbours[key] = status === 404 || status === 410 ? 'absent' : 'served';
  }
  if (neighbours.openidConfiguration === 'absent') delete neighbours.openidConfiguration;
  const ports = seen.get('loopback-ports.other-port');
  if (typeof ports === 'boolean') answers['loopback-ports'].ports = ports ? 'any' : 'exact';
}

/** Names that are not merely written with a capital after each hyphen. */
const SPELLED: Readonly<Record<string, string>> = { etag: 'ETag', 'content-md5': 'Content-MD5', dnt: 'DNT' };

function spelled(name: string): string {
  const known =
    SPELLED[name] ??
    name.replace(/(^|-)([a-z])/g, (_, before: string, c: string) => before + c.toUpperCase());
  return known.replace(/^(X-)?Ratelimit/, (_, x: string | undefined) => `${x ?? ''}RateLimit`);
}

function expressHeaders(headers: ProfileAnswers['response-headers'], seen: SeenAnswers): void {
  const answered = HEADER_ASPECTS.filter((aspect) => seen.has(aspect));
  if (answered.length > 0) for (const family of ['pages', 'token', 'resource'] as const) headers[family] = {};
  for (const aspect of answered) {
    const families = seen.get(aspect) as Readonly<Record<string, Readonly<Record<string, string>>>>;
    for (const family of ['pages', 'token', 'resource'] as const) {
      for (const [name, value] of Object.entries(families[family] ?? {}))
        headers[family][spelled(name)] = value;
    }
  }
  const names = seen.get('response-headers.letter-case');
  if (names === 'title-case' || names === 'lower-case' || names === 'upper-case') headers.names = names;
}

type Exceptions = NonNullable<ProfileAnswers['other-methods']['exceptions']>;

interface SeenMethod {
  readonly status: number;
  readonly allow: boolean;
  readonly contentType: string | null;
  readonly body: AspectAnswer;
}

/** One answer for each family, the one that most have; where a path or a method has another, it is an exception. */
function expressMethods(answers: ProfileAnswers, seen: SeenAnswers): void {
  const methods = answers['other-methods'];
  const at = METHOD_PATHS.flatMap((path) => {
    const answer = seen.get(`other-methods.${path}`) as Readonly<Record<string, SeenMethod>> | undefined;
    return answer === undefined
      ? []
      : OTHER_METHODS[path].flatMap((method) => {
          const told = answer[method];
          return told === undefined || !canBeTold(told)
            ? []
            : [{ path, method, told, choice: choiceOf(told) }];
        });
  });
  if (at.length === 0) return;
  delete methods.exceptions;
  const most = (of: typeof at) =>
    mode(of.filter(({ method }) => method !== 'HEAD').map(({ choice }) => choice));
  const plain = at.filter(({ method }) => method !== 'OPTIONS');
  methods.options = most(at.filter(({ method }) => method === 'OPTIONS')) ?? methods.options;
  methods.authorize =
    most(plain.filter(({ path }) => path === 'authorize' || path === 'account-area')) ?? methods.authorize;
  methods.token = most(plain.filter(({ path }) => path === 'token')) ?? methods.token;
  methods.resource = most(plain.filter(({ path }) => path.startsWith('assigned'))) ?? methods.resource;
  const list = answers['operation-answers'].list;
  const head = at.find(({ path, method }) => path === 'assigned-users' && method === 'HEAD');
  if (head !== undefined) methods.head = isLike(head.told, list) ? 'as-get' : 'other';
  const exceptions: Exceptions = {};
  for (const { path, method, told, choice: shown } of at) {
    const family = {
      authorize: methods.authorize,
      'account-area': methods.authorize,
      token: methods.token,
      'assigned-users': methods.resource,
      'assigned-user': methods.resource,
    }[path];
    const usual = method === 'OPTIONS' ? methods.options : family;
    // HEAD follows GET, or has the family's answer; its body never shows, its content type may.
    if (method === 'HEAD' && methods.head === 'as-get') continue;
    const choice = method === 'HEAD' ? headChoice(told, usual) : shown;
    if (canonical(choice) === canonical(usual)) continue;
    exceptions[path] = { ...exceptions[path], [method]: choice };
  }
  if (Object.keys(exceptions).length > 0) methods.exceptions = exceptions;
}

/** A service that fails at a method does no more than that: the emulator does not. */
function canBeTold({ status }: SeenMethod): boolean {
  return status >= 200 && status <= 499;
}

/** Whether HEAD was answered as GET of the list would be. */
function isLike(
  { status, allow, contentType }: SeenMethod,
  list: ProfileAnswers['operation-answers']['list'],
): boolean {
  return !allow && status === list.status && contentType === list.contentType;
}

/** The usual answer where it shows as this one did, else one with as much of a body as its content type tells. */
function headChoice(
  { status, allow, contentType }: SeenMethod,
  usual: ProfileOtherMethod,
): ProfileOtherMethod {
  const as = bodyOfChoice(usual);
  if (usual.status === status && usual.allow === allow && as.contentType === contentType) return usual;
  return choiceOf({ status, allow, contentType, body: contentType === null ? 'none' : 'text' });
}

function choiceOf({ status, allow, contentType, body }: SeenMethod): ProfileOtherMethod {
  const plain = { status, allow };
  if (body === 'none') return contentType === null ? plain : { ...plain, body: 'none', contentType };
  const usual = body === 'text' ? TEXT_TYPE : JSON_TYPE;
  const type = contentType === null || contentType === usual ? {} : { contentType };
  if (body === 'text') return { ...plain, body: 'text', ...type };
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return plain;
  const shape = canonical(body) === canonical({ error: 'string' }) ? {} : { shape: { ...body } };
  return { ...plain, body: 'json', ...type, ...shape };
}

function mode<T>(values: readonly T[]): T | undefined {
  const count = (value: T) => values.filter((other) => canonical(other) === canonical(value)).length;
  return values.reduce<T | undefined>(
    (best, value) => (best === undefined || count(value) > count(best) ? value : best),
    undefined,
  );
}
