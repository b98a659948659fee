import { aspectsOfPoint } from '../../../document/profiles/aspects.ts';
import { fieldsOf, numbersOf, valueAt } from '../../../document/profiles/pointers.ts';
import { isSuccess, jsonOf, type WireResponse, withHeader } from '../../../http/exchange.ts';
import { contentTypeOf, failureShape, successOf } from '../../../service/flow/answer-shape.ts';
import { pointersTo } from '../../../service/flow/assigned-list.ts';
import { type Operation, type Parameters, withQuery } from '../../../service/flow/requests.ts';
import { NotObservable, type Probe, type ProbeContext } from '../probe-context.ts';

export const operations: Probe = {
  aspects: [...aspectsOfPoint('operation-answers'), 'resource-failures.user-not-assigned'],
  async run(context) {
    await context.accessToken();
    const list = await honoured(context, 'list');
    context.see('operation-answers.list.status', list.status);
    context.see('operation-answers.list.content-type', contentTypeOf(list));
    for (const operation of ['assign', 'unassign'] as const) {
      const { status, contentType, body } = successOf(await honoured(context, operation));
      context.see(`operation-answers.${operation}.status`, status);
      context.see(`operation-answers.${operation}.content-type`, contentType);
      context.see(`operation-answers.${operation}.body`, body);
      if (operation === 'assign')
        context.see('operation-answers.assign.repeated', repeated(await context.operate('assign')));
    }
    if (context.wants('operation-answers.unassign.not-assigned', 'resource-failures.user-not-assigned')) {
      const again = await context.operate('unassign');
      context.see('operation-answers.unassign.not-assigned', repeated(again));
      const failure = isSuccess(again) ? null : failureShape(again);
      context.see('resource-failures.user-not-assigned', failure);
    }
    for (const operation of ['assign', 'unassign'] as const) {
      const response = await withBody(context, operation);
      context.see(`operation-answers.${operation}.request-body`, isSuccess(response) ? 'ignored' : 'refused');
      if (operation === 'unassign' && !isSuccess(response)) await context.operate('unassign');
    }
  },
};

function repeated(response: WireResponse) {
  return isSuccess(response) ? successOf(response) : 'refused';
}

async function honoured(context: ProbeContext, operation: Operation, user?: string): Promise<WireResponse> {
  const response = await context.operate(operation, { user });
  if (isSuccess(response)) return response;
  throw new NotObservable(`${operation} is not honoured: status ${response.status}`);
}

async function withBody(context: ProbeContext, operation: 'assign' | 'unassign'): Promise<WireResponse> {
  if (context.requestStyle.presentation.in === 'form') {
    throw new NotObservable('the token fills the body of the request');
  }
  if (operation === 'unassign') await context.operate('assign');
  const request = context.operationRequest(operation, await context.accessToken());
  return context.send(`${operation} with a JSON body`, {
    ...withHeader(request, 'Content-Type', 'application/json'),
    body: '{"unasked":"for"}',
  });
}

interface ListPointers {
  readonly array: string;
  readonly id: string;
}

const SIZE_PARAMETERS = ['per_page', 'size', 'limit', 'n', 'page_size', 'pageSize', 'count', 'max'];
const PAGE_PARAMETERS = ['page', 'p', 'page_number', 'pageNumber'];

export const listShape: Probe = {
  aspects: aspectsOfPoint('list-shape'),
  async run(context) {
    const [user, ...others] = context.target.users;
    await honoured(context, 'assign', user);
    const first = await honoured(context, 'list');
    const json = jsonOf(first);
    context.see('list-shape.format', json === undefined ? 'other' : 'json');
    const place = placeIn(first, user, context.requestStyle.userIdPointer);
    if (place === undefined) {
      await context.operate('unassign', { user });
      throw new NotObservable('the id of a user who was assigned is not found in the list');
    }
    context.see('list-shape.container', place.array === '' ? 'array' : 'envelope');
    context.see('list-shape.container-pointer', place.array);
    context.see('list-shape.user-id-pointer', place.id);
    const record = recordOf(json, place, user);
    context.see(
      'list-shape.user-id-type',
      typeof valueAt(record, place.id) === 'number' ? 'number' : 'string',
    );
    context.see('list-shape.fields', fieldsOf(record, place.id));
    for (const other of others) await honoured(context, 'assign', other);
    const whole = await honoured(context, 'list');
    context.see('list-shape.count-pointer', countPointer(json, jsonOf(whole), place));
    if (others.length > 0) await seePaging(context, place);
    else context.cannot('list-shape.paging', 'it takes two users (configure more `users`)');
    for (const each of context.target.users) await context.operate('unassign', { user: each });
    await seeOrder(context, place);
  },
};

function placeIn(response: WireResponse, user: string, known: string | undefined): ListPointers | undefined {
  const pointers = pointersTo(response, user);
  const pointer = known !== undefined && pointers.includes(known) ? known : pointers[0];
  const star = pointer?.indexOf('/*') ?? -1;
  if (pointer === undefined || star < 0) return undefined;
  return { array: pointer.slice(0, star), id: pointer.slice(star + 2) };
}

function recordOf(json: unknown, { array, id }: ListPointers, user: string): unknown {
  const records = valueAt(json, array);
  return Array.isArray(records) ? records.find((record) => String(valueAt(record, id)) === user) : undefined;
}

/** Finds a number beside the array that equals its length both times. */
function countPointer(one: unknown, other: unknown, { array }: ListPointers): string | null {
  const lengthIn = (json: unknown) => (valueAt(json, array) as readonly unknown[] | undefined)?.length;
  const candidates = numbersOf(one, array).filter((pointer) =>
    [one, other].every((json) => valueAt(json, pointer) === lengthIn(json)),
  );
  return candidates[0] ?? null;
}

/** Tries all usual parameter names together, and one by one only if that has an effect. */
async function seePaging(context: ProbeContext, place: ListPointers): Promise<void> {
  const whole = await idsWith(context, place, []);
  const shortened = (ids: readonly string[] | undefined) => ids?.length === 1 && (whole?.length ?? 0) > 1;
  const first = (names: readonly string[], value: string, also: Parameters) =>
    idsWith(context, place, [...also, ...names.map((name) => [name, value] as const)]);
  const isSize = async (names: readonly string[]) => shortened(await first(names, '1', []));
  const sizeParameter = (await isSize(SIZE_PARAMETERS))
    ? await firstOf(SIZE_PARAMETERS, (name) => isSize([name]))
    : undefined;
  if (sizeParameter === undefined) return context.see('list-shape.paging', null);
  const pageParameter = await firstOf(PAGE_PARAMETERS, async (name) => {
    const second = await first([name], '2', [[sizeParameter, '1']]);
    return second?.length === 1 && second[0] === whole?.[1];
  });
  context.see('list-shape.paging', { pageParameter: pageParameter ?? null, sizeParameter });
}

async function firstOf(names: readonly string[], fits: (name: string) => Promise<boolean>) {
  for (const name of names) if (await fits(name)) return name;
  return undefined;
}

async function idsWith(
  context: ProbeContext,
  { array, id }: ListPointers,
  query: Parameters,
): Promise<readonly string[] | undefined> {
  const request = context.operationRequest('list', await context.accessToken());
  const part = query.length === 0 ? request : withQuery(request, query);
  const records = valueAt(jsonOf(await context.send('list, a part of it', part)), array);
  return Array.isArray(records) ? records.map((record) => String(valueAt(record, id))) : undefined;
}

/** Distinguishes assignment order, its reverse and id order with three users. */
async function seeOrder(context: ProbeContext, { array, id }: ListPointers): Promise<void> {
  const byId = context.target.users.toSorted(
    (one, other) => one.length - other.length || (one < other ? -1 : 1),
  );
  const [low, middle, high] = byId;
  if (low === undefined || middle === undefined || high === undefined) {
    return context.cannot('list-shape.order', 'it takes three users (configure more `users`)');
  }
  const assigned = [middle, high, low];
  for (const user of assigned) await honoured(context, 'assign', user);
  const records = valueAt(jsonOf(await honoured(context, 'list')), array) as readonly unknown[];
  const ids = records.map((record) => String(valueAt(record, id))).filter((each) => assigned.includes(each));
  for (const user of assigned) await context.operate('unassign', { user });
  const is = (order: readonly string[]) => order.join() === ids.join();
  if (is(assigned)) context.see('list-shape.order', 'assigned-first');
  else if (is(assigned.toReversed())) context.see('list-shape.order', 'assigned-last');
  else context.see('list-shape.order', is([low, middle, high]) ? 'by-id' : 'other');
}
