import { unknownId } from '../flow/never-issued.ts';
import type { Operation } from '../flow/requests.ts';
import type { Target } from '../targets/target.ts';

/**
 * Ids that belong to nobody and that careless services take for somebody's: cut short, decoded twice, trimmed, read up to
 * the first NUL, put into a path or a query language, cut to 32 bits. None contains a real id in a way that a correct service could
 * honour.
 */
function odd(id: string, neighbour: string): readonly string[] {
  return [
    `${id}/../${neighbour}`,
    `..%2F${id}`,
    `${id}%2F`,
    `${id}\u0000`,
    `${id}\u0000x`,
    `${id}'--`,
    `${id}" OR "1"="1`,
    `${id};${neighbour}`,
    `${id},${neighbour}`,
    `${id}x`,
    `${id}.json.x`,
    ` ${id}`,
    `${fullWidth(id)}`,
    `${id}${'0'.repeat(2000)}`,
    '*',
    '%',
  ].filter((o) => o !== id && o !== neighbour);
}

/** Bits to which services cut numbers. */
const WIDTHS = [31n, 32n, 53n, 64n];

/** Numbers that are the id once they are cut to some width. */
function wrapped(id: string): readonly string[] {
  if (!/^[0-9]+$/.test(id)) return [];
  const numbers = WIDTHS.flatMap((width) => [BigInt(id) + 2n ** width, BigInt(id) - 2n ** width]);
  return numbers.map(String);
}

/** One request with an id that is odd. */
export interface OddCall {
  readonly operation: Operation;
  readonly odd: 'project' | 'user';
  readonly project: string;
  readonly user: string;
}

/** Reading projects whose ids are odd spellings of the first project's, beside the second's: changes nothing. */
export function oddReads(target: Target): readonly OddCall[] {
  return atOddProjects(target, 'list', target.users[0]);
}

/** Assigning users whose ids are odd, to the first project. */
export function oddAssigns(target: Target): readonly OddCall[] {
  return oddUsers(target, 'assign');
}

/** Unassigning users whose ids are odd, from the first project. */
export function oddUnassigns(target: Target): readonly OddCall[] {
  return oddUsers(target, 'unassign');
}

/** Everything that can be done to a project whose id is odd; another user is assigned than is unassigned. */
export function oddProjectCalls(target: Target): readonly OddCall[] {
  return [
    ...atOddProjects(target, 'assign', target.users.at(-1) ?? target.users[0]),
    ...atOddProjects(target, 'unassign', target.users[0]),
    ...oddReads(target),
  ];
}

/** Requests with numbers that are an id once they are cut, and the same request with a number that nobody has. */
export interface WrappedCalls {
  readonly calls: readonly OddCall[];
  readonly unknown: OddCall;
}

/** Assigning users whose ids are wrapped. */
export function wrappedAssigns(target: Target): readonly WrappedCalls[] {
  return wrappedUsers(target, 'assign');
}

/** Unassigning users whose ids are wrapped, and every operation at wrapped projects. */
export function wrappedAfterAssigning(target: Target): readonly WrappedCalls[] {
  const [project, user] = [target.projects[0], target.users.at(-1) ?? target.users[0]];
  const at = (operation: Operation, who: string): WrappedCalls => ({
    calls: wrapped(project).map((id) => ({ operation, odd: 'project', project: id, user: who })),
    unknown: { operation, odd: 'project', project: unknownId(project), user: who },
  });
  return [
    ...wrappedUsers(target, 'unassign'),
    at('list', user),
    at('assign', user),
    at('unassign', target.users[0]),
  ];
}

function wrappedUsers({ projects: [project], users: [user] }: Target, operation: Operation) {
  const call = (id: string): OddCall => ({ operation, odd: 'user', project, user: id });
  return [{ calls: wrapped(user).map(call), unknown: call(unknownId(user)) }];
}

/** Every request with an odd id. */
export function oddCalls(target: Target): readonly OddCall[] {
  return [...oddAssigns(target), ...oddUnassigns(target), ...oddProjectCalls(target)];
}

function oddUsers(target: Target, operation: Operation): readonly OddCall[] {
  const [first, second = first] = target.users;
  return odd(first, second).map((user) => ({ operation, odd: 'user', project: target.projects[0], user }));
}

function atOddProjects(target: Target, operation: Operation, user: string): readonly OddCall[] {
  const [first, second = first] = target.projects;
  return odd(first, second).map((project) => ({ operation, odd: 'project', project, user }));
}

/** What a request with an odd id is called in a report: a real id stands as `<id>`, and what is long is cut. */
export function describeOdd({ operation, odd, ...ids }: OddCall, { projects, users }: Target): string {
  const [real] = odd === 'project' ? projects : users;
  const shown = ids[odd].replaceAll(real, '<id>');
  const id = shown.length > LONGEST_SHOWN ? `${shown.slice(0, LONGEST_SHOWN)}…` : shown;
  return `${operation} with the ${odd} id ${JSON.stringify(id)}`;
}

const LONGEST_SHOWN = 24;

/** The same characters in another block of Unicode, which normalisation would fold back. */
function fullWidth(id: string): string {
  return [...id].map((c) => (/[!-~]/.test(c) ? String.fromCharCode(c.charCodeAt(0) + 0xfee0) : c)).join('');
}
