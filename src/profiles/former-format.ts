import { digestOf, sha256 } from './answers-of.ts';
import { type AspectAnswer, type AspectId, aspectIds } from './aspects.ts';
import type { Profile, ProfileObserved } from './profile.ts';
import { smallestSets } from './scope-sets.ts';

/** A recorded profile of version 0.1: options of the emulator by open point, and other observations by aspect. */
interface FormerProfile extends Omit<Profile, 'answers' | 'observed'> {
  readonly answers: Readonly<Record<string, Options>>;
  readonly observed?: Omit<ProfileObserved, 'notExpressed'> & {
    readonly notExpressed?: Readonly<Record<string, AspectAnswer>>;
  };
}

type Options = Readonly<Record<string, AspectAnswer>>;

type Reading = (options: Options) => AspectAnswer;

const option =
  (name: string): Reading =>
  (options) =>
    options[name] ?? null;
const accepted =
  (name: string): Reading =>
  (options) =>
    options[name] === 'accepted';
const place =
  (name: string): Reading =>
  ({ places }) =>
    (places as readonly string[]).includes(name);
const scopes =
  (name: string): Reading =>
  (options) =>
    smallestSets(options[name] as readonly string[]);
const statusOf =
  (name: string): Reading =>
  (options) =>
    (options[name] as { readonly status: number }).status;
const served =
  (name: string): Reading =>
  (options) =>
    options[name] === 'served' ? 200 : 404;

/** The options that determine an answer alone. The others depend on each other, and are not read. */
const READINGS: Partial<Record<AspectId, Reading>> = {
  'token-presentation.bearer-header': place('authorization-header'),
  'token-presentation.query-access-token': place('query-access-token'),
  'token-presentation.query-bearer-token': place('query-bearer-token'),
  'token-presentation.form-access-token': place('form-access-token'),
  'scope-per-operation.assign': scopes('assign'),
  'scope-per-operation.unassign': scopes('unassign'),
  'scope-per-operation.list': scopes('list'),
  'operation-answers.assign.status': statusOf('assign'),
  'operation-answers.unassign.status': statusOf('unassign'),
  'operation-answers.list.status': statusOf('list'),
  'operation-answers.assign.request-body': option('requestBodies'),
  'operation-answers.unassign.request-body': option('requestBodies'),
  'list-shape.format': () => 'json',
  'list-shape.container': ({ arrayPointer }) => (arrayPointer === '' ? 'array' : 'envelope'),
  'list-shape.container-pointer': option('arrayPointer'),
  'list-shape.count-pointer': option('countPointer'),
  'list-shape.user-id-pointer': option('idPointer'),
  'list-shape.user-id-type': option('idType'),
  'list-shape.fields': option('fields'),
  'list-shape.order': option('order'),
  'list-shape.paging': option('paging'),
  'id-forms.project': option('project'),
  'id-forms.user': option('user'),
  'client-authentication.query-string': accepted('queryString'),
  'client-authentication.json-body': accepted('jsonBody'),
  'client-authentication.multipart': accepted('multipartBody'),
  'refresh-fate.before-expiry': ({ beforeExpiry }) => beforeExpiry === 'allowed',
  'refresh-fate.old-refresh-token': option('oldRefreshToken'),
  'lifetimes.code': option('code'),
  'lifetimes.refresh-token': option('refreshToken'),
  'failed-exchange.burns-code': option('burnsCode'),
  'failed-exchange.replay-revokes': option('replayRevokes'),
  'scope-requests.on-exchange': option('onExchange'),
  'token-response-fields.extra-fields': option('extra'),
  'token-response-fields.order': option('order'),
  'token-response-fields.content-type': option('contentType'),
  'token-response-fields.cache-control': option('cacheControl'),
  'token-response-fields.pragma': option('pragma'),
  'token-response-fields.distinct-tokens': option('distinctTokens'),
  'response-headers.letter-case': option('names'),
  'neighbours.revoke': served('revoke'),
  'neighbours.introspect': served('introspect'),
  'neighbours.token-info': served('tokenInfo'),
  'neighbours.authorization-server-metadata': served('metadata'),
  'neighbours.openid-configuration': served('openidConfiguration'),
  'loopback-ports.other-port': ({ ports }) => ports === 'any',
};

const NOT_READ = 'recorded by version 0.1 in a form that is not read any more: observe again';

/**
 * Converts a document to the present format. Of a recorded file of version 0.1 it reads {@link READINGS}.
 *
 * @throws TypeError for a hand-written profile of version 0.1, or one that lacks answers
 */
export function todays(document: unknown): unknown {
  if (!isFormer(document)) return document;
  const { answers: options, observed, digest, ...rest } = document;
  if (observed === undefined)
    throw new TypeError('a profile of version 0.1: write its answers by aspect, as spec/profiles has them');
  const { notExpressed = {}, notObserved } = observed;
  const answers: Record<string, AspectAnswer> = {};
  const unread: Record<string, string> = {};
  for (const aspect of aspectIds) {
    const [point = ''] = aspect.split('.');
    const own = options[point];
    if (own === undefined) throw new TypeError(`a profile of version 0.1 that lacks answers to ${point}`);
    const reading = READINGS[aspect];
    if (aspect in notExpressed) answers[aspect] = notExpressed[aspect] ?? null;
    else if (!(aspect in notObserved) && reading !== undefined) answers[aspect] = reading(own);
    else unread[aspect] = notObserved[aspect] ?? NOT_READ;
  }
  const seen = { ...observed, notExpressed: [], notObserved: unread };
  const profile = { ...rest, answers, observed: seen } as unknown as Profile;
  if (digest === undefined) return profile;
  return { ...profile, digest: digest === formerDigest(document) ? digestOf(profile) : digest };
}

function isFormer(document: unknown): document is FormerProfile {
  const { answers } = (document ?? {}) as { answers?: unknown };
  return typeof answers === 'object' && answers !== null && 'lifetimes' in answers;
}

function formerDigest({ answers, departures = {}, observed }: FormerProfile): string {
  const { notObserved = {}, notExpressed = {} } = observed ?? {};
  return sha256({ answers, departures, notObserved: Object.keys(notObserved).sort(), notExpressed });
}
