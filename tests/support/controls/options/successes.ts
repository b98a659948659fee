import type { AspectAnswer } from '../../../../src/profiles/aspects.ts';
import { headersByAspect } from '../../../../src/profiles/header-kinds.ts';
import { fieldsOf } from '../../../../src/profiles/pointers.ts';
import { smallestSets } from '../../../../src/profiles/scope-sets.ts';
import { type Shape, shapeOf } from '../../../../src/profiles/shape.ts';
import { type AnswersByAspect, JSON_TYPE, LONGEST_CODE, scopesShow, TEXT_TYPE } from './failures.ts';
import type { OptionSuccess, Options } from './options.ts';

export function operations(options: Options): AnswersByAspect {
  const { places, schemeCase } = options['token-presentation'];
  const scopes = options['scope-per-operation'];
  const { assign, repeatedAssign, unassign, unassignNotAssigned, list, requestBodies } =
    options['operation-answers'];
  const [assigned, unassigned] = [successOf(assign, options), successOf(unassign, options)];
  const header = places.includes('authorization-header');
  return {
    'token-presentation.bearer-header': header,
    'token-presentation.scheme-case': header ? schemeCase : null,
    'token-presentation.query-access-token': places.includes('query-access-token'),
    'token-presentation.query-bearer-token': places.includes('query-bearer-token'),
    'token-presentation.form-access-token': places.includes('form-access-token'),
    'token-presentation.precedence': places.length < 2 ? null : places,
    'scope-per-operation.assign': smallestSets(scopes.assign),
    'scope-per-operation.unassign': smallestSets(scopes.unassign),
    'scope-per-operation.list': smallestSets(scopes.list),
    'operation-answers.assign.status': assigned.status,
    'operation-answers.assign.content-type': assigned.contentType,
    'operation-answers.assign.body': assigned.body,
    'operation-answers.assign.request-body': requestBodies,
    'operation-answers.assign.repeated': successOf(repeatedAssign, options),
    'operation-answers.unassign.status': unassigned.status,
    'operation-answers.unassign.content-type': unassigned.contentType,
    'operation-answers.unassign.body': unassigned.body,
    'operation-answers.unassign.request-body': requestBodies,
    'operation-answers.unassign.not-assigned':
      unassignNotAssigned === 'refused' ? 'refused' : successOf(unassignNotAssigned, options),
    'operation-answers.list.status': list.status,
    'operation-answers.list.content-type': list.contentType,
    ...listShape(options),
    'id-forms.project': options['id-forms'].project,
    'id-forms.user': options['id-forms'].user,
  };
}

function successOf({ status, body, contentType, pointer, shape }: OptionSuccess, options: Options) {
  if (body === 'none') return { status, contentType: contentType ?? null, body };
  if (body === 'text') return { status, contentType: contentType ?? TEXT_TYPE, body };
  const seen = body === 'json' ? (shape ?? { status: 'string' }) : within(recordShape(options), pointer);
  return { status, contentType: contentType ?? JSON_TYPE, body: seen as AspectAnswer };
}

function within(shape: Shape, pointer: string | undefined): Shape {
  const names = pointer?.split('/').slice(1) ?? [];
  return names.reduceRight<Shape>((inner, name) => ({ [name]: inner }), shape);
}

function recordShape(options: Options): Shape {
  return shapeOf(sampleRecord(options['list-shape']));
}

const SAMPLES: Readonly<Record<string, unknown>> = { number: 0, boolean: false, null: null, list: [] };

function sampleRecord({ idPointer, idType, fields }: Options['list-shape']): object {
  const record: Record<string, unknown> = {};
  const put = (pointer: string, value: unknown) => {
    const names = pointer.split('/').slice(1);
    const last = names.pop() ?? '';
    let place = record;
    for (const name of names) {
      place[name] ??= {};
      place = place[name] as Record<string, unknown>;
    }
    place[last] = value;
  };
  put(idPointer, idType === 'number' ? 0 : '');
  for (const field of fields) {
    const [path, type] = field.split(':');
    put(`/${path}`, type === undefined ? '' : SAMPLES[type]);
  }
  return record;
}

function listShape({ 'list-shape': shape }: Options): AnswersByAspect {
  const { arrayPointer, countPointer, idPointer, idType, order, paging } = shape;
  const bare = arrayPointer === '';
  return {
    'list-shape.format': 'json',
    'list-shape.container': bare ? 'array' : 'envelope',
    'list-shape.container-pointer': arrayPointer,
    'list-shape.count-pointer': bare ? null : (countPointer ?? null),
    'list-shape.user-id-pointer': idPointer,
    'list-shape.user-id-type': idType,
    'list-shape.fields': fieldsOf(sampleRecord(shape), idPointer),
    'list-shape.order': order,
    'list-shape.paging': paging === undefined ? null : { ...paging },
  };
}

export function flow(options: Options): AnswersByAspect {
  const { basic, basicEncoding, basicAndForm, queryString, jsonBody, multipartBody } =
    options['client-authentication'];
  const { oldAccessToken, oldRefreshToken, reuse, beforeExpiry } = options['refresh-fate'];
  const { narrowerOnRefresh, widerOnRefresh, onExchange } = options['scope-requests'];
  const { code, refreshToken } = options.lifetimes;
  const { extra, order, contentType, cacheControl, pragma, distinctTokens } =
    options['token-response-fields'];
  const { accessTokenLength, refreshTokenLength } = options['token-response-fields'];
  const { remembered } = options['consent-memory'];
  const { challenge } = options.pkce;
  const shows = scopesShow(options) || extra.includes('scope');
  const ifShown = (answer: string) => (shows || answer === 'refused' ? answer : null);
  const early = beforeExpiry === 'allowed';
  // Profiles that were recorded before it was asked say nothing of the encoding.
  const encoding = basic === 'ignored' ? null : basicEncoding;
  return {
    'client-authentication.basic': basic === 'accepted',
    ...(encoding !== undefined && { 'client-authentication.basic-encoding': encoding }),
    'client-authentication.basic-and-form': basic === 'ignored' || basicAndForm === 'accepted',
    'client-authentication.query-string': queryString === 'accepted',
    'client-authentication.json-body': jsonBody === 'accepted',
    'client-authentication.multipart': multipartBody === 'accepted',
    'refresh-fate.old-access-token': early ? oldAccessToken : null,
    'refresh-fate.old-refresh-token': oldRefreshToken,
    'refresh-fate.reuse': oldRefreshToken === 'never' ? null : reuse,
    'refresh-fate.parallel': oldRefreshToken === 'at-once' ? 'one' : 'all',
    'refresh-fate.before-expiry': early,
    'lifetimes.code': code <= LONGEST_CODE ? code : 'unlimited',
    'lifetimes.refresh-token': refreshToken,
    'failed-exchange.burns-code': options['failed-exchange'].burnsCode,
    'failed-exchange.replay-revokes': options['failed-exchange'].replayRevokes,
    'scope-requests.narrower-on-refresh': ifShown(narrowerOnRefresh),
    'scope-requests.wider-on-refresh': ifShown(widerOnRefresh),
    'scope-requests.on-exchange': onExchange,
    'pkce.support': challenge === 'refused-at-exchange' ? 'refused' : challenge,
    'token-response-fields.extra-fields': order === 'alphabetical' ? extra.toSorted() : extra,
    'token-response-fields.order': order,
    'token-response-fields.content-type': contentType,
    'token-response-fields.cache-control': cacheControl ?? null,
    'token-response-fields.pragma': pragma ?? null,
    'token-response-fields.distinct-tokens': distinctTokens,
    ...(accessTokenLength && { 'token-response-fields.access-token-length': accessTokenLength }),
    ...(refreshTokenLength && { 'token-response-fields.refresh-token-length': refreshTokenLength }),
    'consent-memory.remembered': remembered !== 'never',
    'consent-memory.remembered-for-fewer': remembered === 'for-the-same-or-fewer-scopes',
    'consent-memory.asked-for-wider': true,
  };
}

export function aroundThem(options: Options): AnswersByAspect {
  const { names, pages, token, resource } = options['response-headers'];
  const lowered = (given: Readonly<Record<string, string>>) =>
    new Map(Object.entries(given).map(([name, value]) => [name.toLowerCase(), value]));
  const families = { pages: lowered(pages), token: lowered(token), resource: lowered(resource) };
  const { revoke, introspect, tokenInfo, metadata, openidConfiguration } = options.neighbours;
  const status = (served: string | undefined) => (served === 'served' ? 200 : 404);
  return {
    ...Object.fromEntries(headersByAspect(families)),
    'response-headers.letter-case': names,
    'neighbours.revoke': status(revoke),
    'neighbours.introspect': status(introspect),
    'neighbours.token-info': status(tokenInfo),
    'neighbours.authorization-server-metadata': status(metadata),
    'neighbours.openid-configuration': status(openidConfiguration),
    'loopback-ports.other-port': options['loopback-ports'].ports === 'any',
    'events.channels': [],
  };
}
