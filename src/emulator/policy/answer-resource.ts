import { bodyAnswer, emptyTyped, type HeaderLine, type ServiceAnswer } from '../answer.ts';
import { parseForm } from '../parameters.ts';
import type { AnswerPolicy } from '../policy.ts';
import type { Answers, ListShape, OperationAnswer } from '../profile.ts';
import type { User } from '../records.ts';
import { refuse } from '../refusal.ts';
import { challenge } from './challenge.ts';
import { filled, shapedAnswer } from './shapes.ts';

const JSON_TYPE = 'application/json; charset=utf-8';
const TEXT_TYPE = 'text/plain; charset=utf-8';

/** What the three operations answer (clause 4.4), by open points 3, 4 and 5. */
export function resourceAnswers(
  answers: Answers,
): Pick<AnswerPolicy, 'assigned' | 'unassigned' | 'list' | 'resourceFailure'> {
  const operations = answers['operation-answers'];
  const shape = answers['list-shape'];
  const failures = answers['resource-failures'];
  const { order, paging } = shape;
  if (shape.idType === 'number' && answers['id-forms'].user === 'opaque') {
    throw new TypeError(
      'Profile, answers.list-shape.idType: opaque ids (answers.id-forms.user) are no numbers; expected string.',
    );
  }

  const recordOf = recorder(shape);
  const envelope = enveloper(shape);

  function operationAnswer(
    { status, body, contentType, pointer, shape: other }: OperationAnswer,
    line: string,
    user: User,
  ): ServiceAnswer {
    switch (body) {
      case 'none':
        return emptyTyped(status, contentType);
      case 'text':
        return bodyAnswer(status, contentType ?? TEXT_TYPE, `${line}\n`);
      case 'user':
        return bodyAnswer(
          status,
          contentType ?? JSON_TYPE,
          JSON.stringify(standing(recordOf(user), pointer)),
        );
      case 'json':
        return bodyAnswer(
          status,
          contentType ?? JSON_TYPE,
          filled(other ?? { status: 'string' }, line, status),
        );
    }
  }

  const answerPolicy: Pick<AnswerPolicy, 'assigned' | 'unassigned' | 'list' | 'resourceFailure'> = {
    assigned: (outcome, _project, user) =>
      operationAnswer(outcome === 'assigned' ? operations.assign : operations.repeatedAssign, outcome, user),

    unassigned(outcome, project, user) {
      if (outcome === 'unassigned') return operationAnswer(operations.unassign, outcome, user);
      if (operations.unassignNotAssigned !== 'refused') {
        return operationAnswer(operations.unassignNotAssigned, outcome, user);
      }
      return answerPolicy.resourceFailure(
        refuse('user-not-assigned', `user ${user.id} is not assigned to project ${project.id}`),
      );
    },

    list(_project, users, query) {
      const ordered = inOrder(users, order);
      const page = paging === undefined || query === '' ? ordered : pageOf(ordered, query, paging);
      const records = page.map(recordOf);
      const { status, contentType } = operations.list;
      return bodyAnswer(status, contentType, JSON.stringify(envelope(records, users.length)));
    },

    resourceFailure(refusal) {
      const told = failures.cases[refusal.refused];
      const { status, challenge: error, description } = told;
      const headers: readonly HeaderLine[] =
        error === undefined
          ? []
          : [['WWW-Authenticate', challenge('Bearer', failures.realm, error, description)]];
      // A case with a body of its own has its content type and shape with it.
      const { body, contentType, shape } = told.body === undefined ? { ...failures, ...told } : told;
      const choice = {
        body: body ?? failures.body,
        ...(contentType && { contentType }),
        ...(shape && { shape }),
      };
      return { ...shapedAnswer(status, choice, description, headers), refusal };
    },
  };
  return answerPolicy;
}

function inOrder(users: readonly User[], order: ListShape['order']): readonly User[] {
  if (order === 'assigned-first') return users;
  if (order === 'assigned-last') return users.toReversed();
  return users.toSorted((a, b) => a.id.length - b.id.length || (a.id < b.id ? -1 : 1));
}

function pageOf(
  users: readonly User[],
  query: string,
  { pageParameter, sizeParameter }: { readonly pageParameter: string; readonly sizeParameter: string },
): readonly User[] {
  const parameters = parseForm(query);
  const page = wholeNumber(parameters.get(pageParameter));
  const size = wholeNumber(parameters.get(sizeParameter));
  if (page === undefined && size === undefined) return users;
  const length = size ?? 25;
  const from = ((page ?? 1) - 1) * length;
  return users.slice(from, from + length);
}

function wholeNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^[1-9]\d{0,5}$/.test(text) ? Number(text) : undefined;
}

/** Makes a user's record, by where the shape has its members. */
function recorder({ idPointer, idType, fields }: ListShape): (user: User) => object {
  const setId = setter(idPointer);
  const setters = fields.map((field) => {
    const [path = '', type = 'string'] = field.split(':');
    const set = setter(`/${path}`);
    return (record: Record<string, unknown>, user: User) =>
      set(record, path === 'name' || path === 'email' ? user[path] : madeUp(path, type));
  });
  return (user) => {
    const record: Record<string, unknown> = {};
    setId(record, idType === 'number' ? Number(user.id) : user.id);
    for (const set of setters) set(record, user);
    return record;
  };
}

/** A value of a type, for a member that the seed knows nothing of. */
function madeUp(path: string, type: string): unknown {
  switch (type) {
    case 'number':
      return 0;
    case 'boolean':
      return false;
    case 'null':
      return null;
    case 'list':
      return [];
    default:
      return path.slice(path.lastIndexOf('/') + 1);
  }
}

/** A record at a pointer within an object, or as it is. */
function standing(record: object, pointer: string | undefined): object {
  if (pointer === undefined) return record;
  const whole: Record<string, unknown> = {};
  setter(pointer)(whole, record);
  return whole;
}

/** Puts the records where the shape has its array. */
function enveloper({
  arrayPointer,
  countPointer,
}: ListShape): (records: readonly object[], count: number) => object {
  if (arrayPointer === '') return (records) => records;
  const setRecords = setter(arrayPointer);
  const setCount = countPointer === undefined ? undefined : setter(countPointer);
  return (records, count) => {
    const whole: Record<string, unknown> = {};
    setCount?.(whole, count);
    setRecords(whole, records);
    return whole;
  };
}

/** Reads a JSON Pointer (RFC 6901) of member names once; what it returns sets the member that the pointer leads to. */
function setter(pointer: string): (root: Record<string, unknown>, value: unknown) => void {
  const names = pointer.slice(1).split('/');
  const last = names.pop() ?? '';
  return (root, value) => {
    let place = root;
    for (const name of names) {
      const next = (place[name] as Record<string, unknown> | undefined) ?? {};
      place[name] = next;
      place = next;
    }
    place[last] = value;
  };
}
