import { isSuccess, jsonOf, type WireResponse } from '../../exchange/exchange.ts';
import { pointersTo } from '../../flow/assigned-list.ts';
import { resourceRequest } from '../../flow/requests.ts';
import { aspectsOfPoint } from '../../profiles/aspects.ts';
import { fieldsOf, numbersOf, valueAt } from '../../profiles/pointers.ts';
import type { Lab } from '../lab.ts';
import { NotObservable, type Probe } from '../probe.ts';

/** Where the ids of a list are: the array, and the id within a record. */
interface Place {
  readonly array: string;
  readonly id: string;
}

/** The names that are tried. */
const SIZE_PARAMETERS = ['per_page', 'size', 'limit', 'n', 'page_size', 'pageSize', 'count', 'max'];
const PAGE_PARAMETERS = ['page', 'p', 'page_number', 'pageNumber'];

/** Open point 4: the list, read with one and with several users of the suite's own assigned. */
export const listShape: Probe = {
  openPoint: 'list-shape',
  aspects: aspectsOfPoint('list-shape'),
  requests: 40,
  async run(lab) {
    const [user, ...others] = lab.target.users;
    await assign(lab, user);
    const first = await list(lab);
    const json = jsonOf(first);
    lab.see('list-shape.format', json === undefined ? 'other' : 'json');
    const place = placeIn(first, user, lab.conversation.dialect.userIdPointer);
    if (place === undefined) {
      await lab.operate('unassign', { user });
      throw new NotObservable('the id of a user who was assigned is not found in the list');
    }
    lab.see('list-shape.container', place.array === '' ? 'array' : 'envelope');
    lab.see('list-shape.container-pointer', place.array);
    lab.see('list-shape.user-id-pointer', place.id);
    const record = recordOf(json, place, user);
    lab.see('list-shape.user-id-type', typeof valueAt(record, place.id) === 'number' ? 'number' : 'string');
    lab.see('list-shape.fields', fieldsOf(record, place.id));
    for (const other of others) await assign(lab, other);
    const whole = await list(lab);
    lab.see('list-shape.count-pointer', countPointer(json, jsonOf(whole), place));
    if (others.length > 0) await seePaging(lab, place);
    else lab.cannot('list-shape.paging', 'it takes two users (configure more `users`)');
    for (const each of lab.target.users) await lab.operate('unassign', { user: each });
    await seeOrder(lab, place);
  },
};

async function assign(lab: Lab, user: string): Promise<void> {
  const response = await lab.operate('assign', { user });
  if (!isSuccess(response)) throw new NotObservable(`assign is not honoured: status ${response.status}`);
}

async function list(lab: Lab): Promise<WireResponse> {
  const response = await lab.operate('list');
  if (isSuccess(response)) return response;
  throw new NotObservable(`list is not honoured: status ${response.status}`);
}

function placeIn(response: WireResponse, user: string, known: string | undefined): Place | undefined {
  const pointers = pointersTo(response, user);
  const pointer = known !== undefined && pointers.includes(known) ? known : pointers[0];
  const star = pointer?.indexOf('/*') ?? -1;
  if (pointer === undefined || star < 0) return undefined;
  return { array: pointer.slice(0, star), id: pointer.slice(star + 2) };
}

function recordOf(json: unknown, { array, id }: Place, user: string): unknown {
  const records = valueAt(json, array);
  return Array.isArray(records) ? records.find((record) => String(valueAt(record, id)) === user) : undefined;
}

/** A number beside the array that is the length of the array, both times. */
function countPointer(one: unknown, other: unknown, { array }: Place): string | null {
  const lengthIn = (json: unknown) => (valueAt(json, array) as readonly unknown[] | undefined)?.length;
  const candidates = numbersOf(one, array).filter((pointer) =>
    [one, other].every((json) => valueAt(json, pointer) === lengthIn(json)),
  );
  return candidates[0] ?? null;
}

/** The usual names all at once; only where they do something, one by one. */
async function seePaging(lab: Lab, place: Place): Promise<void> {
  const whole = await idsWith(lab, place, []);
  const shortened = (ids: readonly string[] | undefined) => ids?.length === 1 && (whole?.length ?? 0) > 1;
  const first = (names: readonly string[], value: string, also: readonly (readonly [string, string])[]) =>
    idsWith(lab, place, [...also, ...names.map((name) => [name, value] as const)]);
  let sizeParameter: string | undefined;
  if (shortened(await first(SIZE_PARAMETERS, '1', []))) {
    for (const name of SIZE_PARAMETERS) {
      if (!shortened(await first([name], '1', []))) continue;
      sizeParameter = name;
      break;
    }
  }
  if (sizeParameter === undefined) return lab.see('list-shape.paging', null);
  const size = [[sizeParameter, '1']] as const;
  for (const name of PAGE_PARAMETERS) {
    const second = await first([name], '2', size);
    if (second?.length !== 1 || second[0] !== whole?.[1]) continue;
    return lab.see('list-shape.paging', { pageParameter: name, sizeParameter });
  }
  lab.see('list-shape.paging', { pageParameter: null, sizeParameter });
}

async function idsWith(
  lab: Lab,
  { array, id }: Place,
  query: readonly (readonly [string, string])[],
): Promise<readonly string[] | undefined> {
  const { target, conversation } = lab;
  const token = await lab.accessToken();
  const request = resourceRequest(target, conversation.dialect, {
    operation: 'list',
    project: target.projects[0],
    token,
  });
  const added = new URLSearchParams(query.map(([name, value]) => [name, value])).toString();
  const url = added === '' ? request.url : `${request.url}${request.url.includes('?') ? '&' : '?'}${added}`;
  const records = valueAt(jsonOf(await lab.send('list, a part of it', { ...request, url })), array);
  return Array.isArray(records) ? records.map((record) => String(valueAt(record, id))) : undefined;
}

/** Three users tell assignment, its reverse and ids apart, when they are assigned in an order that is neither. */
async function seeOrder(lab: Lab, { array, id }: Place): Promise<void> {
  const byId = lab.target.users.toSorted((one, other) => one.length - other.length || (one < other ? -1 : 1));
  const [low, middle, high] = byId;
  if (low === undefined || middle === undefined || high === undefined) {
    return lab.cannot('list-shape.order', 'it takes three users (configure more `users`)');
  }
  const assigned = [middle, high, low];
  for (const user of assigned) await assign(lab, user);
  const records = valueAt(jsonOf(await list(lab)), array) as readonly unknown[];
  const ids = records.map((record) => String(valueAt(record, id))).filter((each) => assigned.includes(each));
  for (const user of assigned) await lab.operate('unassign', { user });
  const is = (order: readonly string[]) => order.join() === ids.join();
  if (is(assigned)) lab.see('list-shape.order', 'assigned-first');
  else if (is(assigned.toReversed())) lab.see('list-shape.order', 'assigned-last');
  else lab.see('list-shape.order', is([low, middle, high]) ? 'by-id' : 'other');
}
