import { namesIn } from '../../document/profiles/pointers.ts';
import { shapeOf } from '../../document/profiles/shape.ts';
import { bodyAnswer, type HeaderLine, type ServiceAnswer } from '../answer.ts';
import { parseForm } from '../parameters.ts';
import {
  RESOURCE_REASONS,
  type ResourceReason,
  type ResourceRefusal,
  reasonText,
  refuse,
} from '../refusal.ts';
import type { User } from '../store/records.ts';
import { answerOfLook, challenge, filledBody, pathTo } from './answer-parts.ts';
import type { AnswerPolicy } from './policy.ts';
import type { Answers, Look, Paging } from './profile.ts';

export function resourceAnswers(
  answers: Answers,
): Pick<AnswerPolicy, 'assigned' | 'unassigned' | 'list' | 'resourceFailure'> {
  const recordOf = recorder(answers);
  const envelope = enveloper(answers);
  const order = answers['list-shape.order'];
  const paging = answers['list-shape.paging'];
  const listStatus = answers['operation-answers.list.status'];
  const listType = answers['operation-answers.list.content-type'];
  const lookOf = (operation: 'assign' | 'unassign') => ({
    status: answers[`operation-answers.${operation}.status`],
    contentType: answers[`operation-answers.${operation}.content-type`],
    body: answers[`operation-answers.${operation}.body`],
  });
  const again = answers['operation-answers.assign.repeated'];
  const notAssigned = answers['operation-answers.unassign.not-assigned'];
  const answered = {
    assigned: operationAnswer(lookOf('assign'), recordOf),
    'already-assigned': operationAnswer(again === 'refused' ? lookOf('assign') : again, recordOf),
    unassigned: operationAnswer(lookOf('unassign'), recordOf),
    'not-assigned': notAssigned === 'refused' ? undefined : operationAnswer(notAssigned, recordOf),
  };
  const resourceFailure = failureAnswer(answers);

  return {
    assigned: (outcome, _project, user) => answered[outcome](outcome, user),

    unassigned: (outcome, project, user) =>
      answered[outcome]?.(outcome, user) ??
      resourceFailure(
        refuse('user-not-assigned', `user ${user.id} is not assigned to project ${project.id}`),
      ),

    list(_project, users, query) {
      const ordered = inOrder(users, order);
      const page = paging === null || query === '' ? ordered : pageOf(ordered, query, paging);
      const body = JSON.stringify(envelope(page.map(recordOf), users.length));
      return bodyAnswer(listStatus, listType, body);
    },

    resourceFailure,
  };
}

function operationAnswer(
  look: Look,
  recordOf: (user: User) => unknown,
): (text: string, user: User) => ServiceAnswer {
  const sample = shapeOf(recordOf({ id: '1', name: '', email: '' }));
  const path = typeof look.body === 'object' ? pathTo(sample, look.body) : undefined;
  if (path === undefined) return (text) => answerOfLook(look, { text });
  const answer = (value: unknown) => bodyAnswer(look.status, look.contentType, JSON.stringify(value));
  if (path.length === 0) return (_, user) => answer(recordOf(user));
  const setRecord = setterAt(path);
  return (text, user) => {
    const whole = filledBody(look.body, { text }, look.status) as Record<string, unknown>;
    setRecord(whole, recordOf(user));
    return answer(whole);
  };
}

function failureAnswer(answers: Answers): (refusal: ResourceRefusal) => ServiceAnswer {
  return (refusal) => {
    const { challenge: challenged, ...look } = failureOf(refusal.refused, answers);
    const text = reasonText(refusal.refused);
    const [scheme, error] = challenged?.split(' ') ?? [];
    const headers: readonly HeaderLine[] =
      scheme === undefined ? [] : [['WWW-Authenticate', challenge(scheme, error, text)]];
    return { ...answerOfLook(look, { text }, headers), refusal };
  };
}

function failureOf(reason: ResourceReason, answers: Answers): Look & { readonly challenge: string | null } {
  const [status, ...aspects] = RESOURCE_REASONS[reason];
  for (const aspect of aspects) {
    const answer = answers[`resource-failures.${aspect}`];
    if (typeof answer === 'object' && answer !== null) return answer;
  }
  return { status, contentType: null, body: 'none', challenge: null };
}

function inOrder(users: readonly User[], order: Answers['list-shape.order']): readonly User[] {
  if (order === 'assigned-last') return users.toReversed();
  if (order !== 'by-id') return users;
  return users.toSorted((a, b) => a.id.length - b.id.length || (a.id < b.id ? -1 : 1));
}

function pageOf(
  users: readonly User[],
  query: string,
  { pageParameter, sizeParameter }: Paging,
): readonly User[] {
  const parameters = parseForm(query);
  const page = pageParameter === null ? undefined : wholeNumber(parameters.get(pageParameter));
  const size = wholeNumber(parameters.get(sizeParameter));
  if (page === undefined && size === undefined) return users;
  const length = size ?? 25;
  const from = ((page ?? 1) - 1) * length;
  return users.slice(from, from + length);
}

function wholeNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^[1-9]\d{0,5}$/.test(text) ? Number(text) : undefined;
}

/** Creates a user's record with the list's members; returns the bare id if the record has no place for it. */
function recorder(answers: Answers): (user: User) => unknown {
  const pointer = answers['list-shape.user-id-pointer'];
  const idOf =
    answers['list-shape.user-id-type'] === 'number' && answers['id-forms.user'] === 'numeric'
      ? (user: User) => Number(user.id)
      : (user: User) => user.id;
  if (!pointer) return idOf;
  const setId = setterAt(namesIn(pointer));
  const setters = answers['list-shape.fields'].map((field) => {
    const [path = '', type = 'string'] = field.split(':');
    const set = setterAt(namesIn(`/${path}`));
    return (record: Record<string, unknown>, user: User) =>
      set(record, path === 'name' || path === 'email' ? user[path] : madeUp(path, type));
  });
  return (user) => {
    const record: Record<string, unknown> = {};
    setId(record, idOf(user));
    for (const set of setters) set(record, user);
    return record;
  };
}

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

function enveloper(answers: Answers): (records: readonly unknown[], count: number) => unknown {
  const array = answers['list-shape.container-pointer'];
  const count = answers['list-shape.count-pointer'];
  if (!array) return (records) => records;
  const setRecords = setterAt(namesIn(array));
  const setCount = count ? setterAt(namesIn(count)) : undefined;
  return (records, number) => {
    const whole: Record<string, unknown> = {};
    setCount?.(whole, number);
    setRecords(whole, records);
    return whole;
  };
}

/** Returns a setter for the member at a path. */
function setterAt(path: readonly string[]): (root: Record<string, unknown>, value: unknown) => void {
  const names = path.slice(0, -1);
  const last = path.at(-1) ?? '';
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
