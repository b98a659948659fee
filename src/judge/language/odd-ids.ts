import { unknownId } from '../../target/flow/never-issued.ts';
import type { Operation } from '../../target/flow/request-style.ts';
import type { Target } from '../../target/target.ts';
import { wrapped } from '../requests/altered.ts';

/**
 * Returns unused ids that careless services mistake for a real one: truncated, decoded twice, trimmed, cut at NUL, injected into
 * a path or query, or cut to 32 bits. A correct service honours none of them.
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

export interface OddCall {
  readonly operation: Operation;
  readonly odd: 'project' | 'user';
  readonly project: string;
  readonly user: string;
}

export function oddReads(target: Target): readonly OddCall[] {
  return atOddProjects(target, 'list', target.users[0]);
}

export function oddProjectCalls(target: Target): readonly OddCall[] {
  return [
    ...atOddProjects(target, 'assign', target.users.at(-1) ?? target.users[0]),
    ...atOddProjects(target, 'unassign', target.users[0]),
    ...oddReads(target),
  ];
}

export interface WrappedCalls {
  readonly calls: readonly OddCall[];
  readonly unknown: OddCall;
}

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

export function wrappedUsers(
  { projects: [project], users: [user] }: Target,
  operation: Operation,
): readonly WrappedCalls[] {
  const call = (id: string): OddCall => ({ operation, odd: 'user', project, user: id });
  return [{ calls: wrapped(user).map(call), unknown: call(unknownId(user)) }];
}

export function oddCalls(target: Target): readonly OddCall[] {
  return [...oddUsers(target, 'assign'), ...oddUsers(target, 'unassign'), ...oddProjectCalls(target)];
}

export function oddUsers(target: Target, operation: Operation): readonly OddCall[] {
  const [first, second = first] = target.users;
  return odd(first, second).map((user) => ({ operation, odd: 'user', project: target.projects[0], user }));
}

function atOddProjects(target: Target, operation: Operation, user: string): readonly OddCall[] {
  const [first, second = first] = target.projects;
  return odd(first, second).map((project) => ({ operation, odd: 'project', project, user }));
}

export function describeOdd({ operation, odd, ...ids }: OddCall, { projects, users }: Target): string {
  const [real] = odd === 'project' ? projects : users;
  const shown = ids[odd].replaceAll(real, '<id>');
  const id = shown.length > LONGEST_SHOWN ? `${shown.slice(0, LONGEST_SHOWN)}…` : shown;
  return `${operation} with the ${odd} id ${JSON.stringify(id)}`;
}

const LONGEST_SHOWN = 24;

function fullWidth(id: string): string {
  return [...id].map((c) => (/[!-~]/.test(c) ? String.fromCharCode(c.charCodeAt(0) + 0xfee0) : c)).join('');
}
