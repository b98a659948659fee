import type { AspectAnswer, AspectId } from '../aspects.ts';
import { fieldsOf } from '../pointers.ts';
import type { ProfileAnswers, ProfileOperationAnswer } from '../profile.ts';
import { smallestSets } from '../scope-sets.ts';
import { type Shape, shapeOf } from '../shape.ts';
import { JSON_TYPE, TEXT_TYPE } from './bodies.ts';

type Seen = readonly (readonly [AspectId, AspectAnswer])[];

/** Open points 1 to 4 and 20, as they are seen of a service that answers so. */
export function operationsExpected(answers: ProfileAnswers): Seen {
  const { places, schemeCase } = answers['token-presentation'];
  const scopes = answers['scope-per-operation'];
  const header = places.includes('authorization-header');
  return [
    ['token-presentation.bearer-header', header],
    ['token-presentation.scheme-case', header ? schemeCase : null],
    ['token-presentation.query-access-token', places.includes('query-access-token')],
    ['token-presentation.query-bearer-token', places.includes('query-bearer-token')],
    ['token-presentation.form-access-token', places.includes('form-access-token')],
    ['token-presentation.precedence', places.length < 2 ? null : places],
    ['scope-per-operation.assign', smallestSets(scopes.assign)],
    ['scope-per-operation.unassign', smallestSets(scopes.unassign)],
    ['scope-per-operation.list', smallestSets(scopes.list)],
    ...operationAnswers(answers),
    ...listShape(answers),
    ['id-forms.project', answers['id-forms'].project],
    ['id-forms.user', answers['id-forms'].user],
  ];
}

function operationAnswers(answers: ProfileAnswers): Seen {
  const { assign, repeatedAssign, unassign, unassignNotAssigned, list, requestBodies } =
    answers['operation-answers'];
  const success = (answer: ProfileOperationAnswer) => successOf(answer, answers);
  return [
    ...parts('operation-answers.assign', success(assign)),
    ['operation-answers.assign.repeated', success(repeatedAssign)],
    ['operation-answers.assign.request-body', requestBodies],
    ...parts('operation-answers.unassign', success(unassign)),
    [
      'operation-answers.unassign.not-assigned',
      unassignNotAssigned === 'refused' ? 'refused' : success(unassignNotAssigned),
    ],
    ['operation-answers.unassign.request-body', requestBodies],
    ['operation-answers.list.status', list.status],
    ['operation-answers.list.content-type', list.contentType],
  ];
}

interface Success {
  readonly [member: string]: AspectAnswer;
  readonly status: number;
  readonly contentType: string | null;
  readonly body: AspectAnswer;
}

function parts(at: 'operation-answers.assign' | 'operation-answers.unassign', success: Success): Seen {
  return [
    [`${at}.status`, success.status],
    [`${at}.content-type`, success.contentType],
    [`${at}.body`, success.body],
  ];
}

function successOf(answer: ProfileOperationAnswer, answers: ProfileAnswers): Success {
  const { status, body, contentType, pointer, shape } = answer;
  switch (body) {
    case 'none':
      return { status, contentType: contentType ?? null, body: 'none' };
    case 'text':
      return { status, contentType: contentType ?? TEXT_TYPE, body: 'text' };
    case 'user':
      return { status, contentType: contentType ?? JSON_TYPE, body: within(recordShape(answers), pointer) };
    case 'json':
      return {
        status,
        contentType: contentType ?? JSON_TYPE,
        body: (shape as Shape | undefined) ?? { status: 'string' },
      };
  }
}

/** A shape at a pointer within objects, or as it is. */
function within(shape: Shape, pointer: string | undefined): Shape {
  const names = pointer?.split('/').slice(1) ?? [];
  return names.reduceRight<Shape>((inner, name) => ({ [name]: inner }), shape);
}

/** The shape of a record of the list. */
export function recordShape(answers: ProfileAnswers): Shape {
  return shapeOf(sampleRecord(answers['list-shape']));
}

const SAMPLES: Readonly<Record<string, unknown>> = { number: 0, boolean: false, null: null, list: [] };

/** A record with a value of the right type everywhere. */
function sampleRecord({ idPointer, idType, fields }: ProfileAnswers['list-shape']): object {
  const record = {};
  put(record, idPointer, idType === 'number' ? 0 : '');
  for (const field of fields) {
    const [path, type] = field.split(':');
    put(record, `/${path}`, type === undefined ? '' : SAMPLES[type]);
  }
  return record;
}

function put(root: object, pointer: string, value: unknown): void {
  const names = pointer.split('/').slice(1);
  const last = names.pop() ?? '';
  let place = root as Record<string, unknown>;
  for (const name of names) {
    place[name] ??= {};
    place = place[name] as Record<string, unknown>;
  }
  place[last] = value;
}

/** The names that the probe tries. */
export const SIZE_PARAMETERS = ['per_page', 'size', 'limit', 'n', 'page_size', 'pageSize', 'count', 'max'];
export const PAGE_PARAMETERS = ['page', 'p', 'page_number', 'pageNumber'];

function listShape({ 'list-shape': shape }: ProfileAnswers): Seen {
  const { arrayPointer, countPointer, idPointer, idType, order, paging } = shape;
  const bare = arrayPointer === '';
  return [
    ['list-shape.format', 'json'],
    ['list-shape.container', bare ? 'array' : 'envelope'],
    ['list-shape.container-pointer', arrayPointer],
    ['list-shape.count-pointer', bare ? null : (countPointer ?? null)],
    ['list-shape.user-id-pointer', idPointer],
    ['list-shape.user-id-type', idType],
    ['list-shape.fields', fieldsOf(sampleRecord(shape), idPointer)],
    ['list-shape.order', order],
    [
      'list-shape.paging',
      paging !== undefined && SIZE_PARAMETERS.includes(paging.sizeParameter)
        ? {
            pageParameter: PAGE_PARAMETERS.includes(paging.pageParameter) ? paging.pageParameter : null,
            sizeParameter: paging.sizeParameter,
          }
        : null,
    ],
  ];
}
