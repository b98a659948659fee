import { type AspectAnswer, canonical, type SeenAnswers } from '../aspects.ts';
import { recordShape } from '../expected/operations.ts';
import type { ProfileAnswers, ProfileOperationAnswer } from '../profile.ts';

/** Tells the emulator where tokens may stand, and which scopes the operations want (open points 1 and 2). */
export function expressAccess(answers: ProfileAnswers, seen: SeenAnswers): void {
  const presentation = answers['token-presentation'];
  const places = placesOf(seen);
  if (places !== undefined) presentation.places = places;
  const schemeCase = seen.get('token-presentation.scheme-case');
  if (schemeCase === 'any' || schemeCase === 'exact') presentation.schemeCase = schemeCase;
  for (const operation of ['assign', 'unassign', 'list'] as const) {
    const sets = seen.get(`scope-per-operation.${operation}`);
    if (Array.isArray(sets) && sets.length > 0)
      answers['scope-per-operation'][operation] = [...(sets as string[])];
  }
}

type Places = ProfileAnswers['token-presentation']['places'];

const PLACES = [
  ['authorization-header', 'token-presentation.bearer-header'],
  ['query-access-token', 'token-presentation.query-access-token'],
  ['query-bearer-token', 'token-presentation.query-bearer-token'],
  ['form-access-token', 'token-presentation.form-access-token'],
] as const;

function placesOf(seen: SeenAnswers): Places | undefined {
  const order = seen.get('token-presentation.precedence');
  if (Array.isArray(order)) return [...order] as Places;
  const accepted = PLACES.filter(([, aspect]) => seen.get(aspect) === true).map(([place]) => place);
  return accepted.length === 0 ? undefined : (accepted as Places);
}

/** Tells the emulator what the list and the operations look like (open points 3, 4 and 20). */
export function expressOperations(answers: ProfileAnswers, seen: SeenAnswers): void {
  for (const what of ['project', 'user'] as const) {
    const form = seen.get(`id-forms.${what}`);
    if (form === 'numeric' || form === 'opaque') answers['id-forms'][what] = form;
  }
  expressList(answers, seen);
  const operations = answers['operation-answers'];
  for (const operation of ['assign', 'unassign'] as const) {
    const status = seen.get(`operation-answers.${operation}.status`);
    const contentType = seen.get(`operation-answers.${operation}.content-type`);
    const body = seen.get(`operation-answers.${operation}.body`);
    if (status === undefined || contentType === undefined || body === undefined) continue;
    operations[operation] = successFrom({ status, contentType, body }, answers) ?? operations[operation];
  }
  const repeated = seen.get('operation-answers.assign.repeated');
  operations.repeatedAssign = successFrom(repeated, answers) ?? operations.repeatedAssign;
  const again = seen.get('operation-answers.unassign.not-assigned');
  if (again === 'refused') operations.unassignNotAssigned = 'refused';
  else operations.unassignNotAssigned = successFrom(again, answers) ?? operations.unassignNotAssigned;
  const status = seen.get('operation-answers.list.status');
  if (typeof status === 'number') operations.list.status = status;
  const type = seen.get('operation-answers.list.content-type');
  if (typeof type === 'string') operations.list.contentType = type;
}

function expressList(answers: ProfileAnswers, seen: SeenAnswers): void {
  const shape = answers['list-shape'];
  const text = (aspect: 'container-pointer' | 'user-id-pointer' | 'count-pointer') => {
    const value = seen.get(`list-shape.${aspect}`);
    return typeof value === 'string' && /^(\/[A-Za-z_][A-Za-z0-9_]*)*$/.test(value) ? value : undefined;
  };
  shape.arrayPointer = text('container-pointer') ?? shape.arrayPointer;
  shape.idPointer = text('user-id-pointer') || shape.idPointer;
  if (seen.has('list-shape.count-pointer')) {
    delete shape.countPointer;
    const count = text('count-pointer');
    if (count) shape.countPointer = count;
  }
  const type = seen.get('list-shape.user-id-type');
  if (type === 'number' || type === 'string') shape.idType = type;
  if (answers['id-forms'].user === 'opaque') shape.idType = 'string';
  const fields = seen.get('list-shape.fields');
  if (Array.isArray(fields)) shape.fields = [...(fields as string[])];
  const order = seen.get('list-shape.order');
  if (order === 'assigned-first' || order === 'assigned-last' || order === 'by-id') shape.order = order;
  const paging = seen.get('list-shape.paging');
  if (paging === undefined) return;
  delete shape.paging;
  const { pageParameter, sizeParameter } = (paging ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof pageParameter === 'string' && typeof sizeParameter === 'string') {
    shape.paging = { pageParameter, sizeParameter };
  }
}

/** How the emulator is told to answer as was seen; undefined where nothing was, or it cannot be told. */
function successFrom(
  seen: AspectAnswer | undefined,
  answers: ProfileAnswers,
): ProfileOperationAnswer | undefined {
  if (typeof seen !== 'object' || seen === null || Array.isArray(seen)) return undefined;
  const { status, contentType, body } = seen as {
    status: number;
    contentType: string | null;
    body: AspectAnswer;
  };
  const type = contentType === null ? {} : { contentType };
  if (body === 'none') return { status, body: 'none', ...type };
  if (body === 'text') return { status, body: 'text', ...type };
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return undefined;
  const pointer = pointerTo(recordShape(answers) as AspectAnswer, body);
  if (pointer === undefined) return { status, body: 'json', shape: { ...body }, ...type };
  return { status, body: 'user', ...type, ...(pointer === '' ? {} : { pointer }) };
}

/** Where a record stands in a body, when there is nothing else in it. */
function pointerTo(record: AspectAnswer, body: AspectAnswer): string | undefined {
  let pointer = '';
  for (let inner: AspectAnswer = body; ; ) {
    if (canonical(inner) === canonical(record)) return pointer;
    const [only, ...others] = typeof inner === 'object' && inner !== null ? Object.entries(inner) : [];
    if (only === undefined || others.length > 0 || !/^[A-Za-z_][A-Za-z0-9_]*$/.test(only[0]))
      return undefined;
    pointer += `/${only[0]}`;
    inner = only[1] as AspectAnswer;
  }
}
