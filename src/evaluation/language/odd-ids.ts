import { unknownId } from '../../service/flow/never-issued.ts';
import type { Operation } from '../../service/flow/requests.ts';
import type { Target } from '../../service/target.ts';
import { wrappedNumbers } from '../requests/altered.ts';

/**
 * Returns unused ids that careless services mistake for a real one: truncated, decoded twice, trimmed, cut at NUL, injected into
 * a path or query, read as a number in other notations, or cut to 32 bits. A correct service honours none of them.
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
    ...(/^\d{2,}$/.test(id) ? [`-${id}`, id.replace(/^\d/, '$&_')] : []),
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

type Kind = readonly [operation: Operation, odd: OddCall['odd']];

export const AT_PROJECTS: readonly Kind[] = [
  ['assign', 'project'],
  ['unassign', 'project'],
  ['list', 'project'],
];

export function oddCalls(target: Target, kinds: readonly Kind[]): readonly OddCall[] {
  return kinds.flatMap((kind) => {
    const [first, second = first] = target[`${kind[1]}s`];
    return odd(first, second).map((id) => callWith(target, kind, id));
  });
}

export interface WrappedCalls {
  readonly calls: readonly OddCall[];
  readonly unknown: OddCall;
}

export function wrappedCalls(target: Target, kinds: readonly Kind[]): readonly WrappedCalls[] {
  return kinds.map((kind) => {
    const [first] = target[`${kind[1]}s`];
    const calls = wrappedNumbers(first).map((id) => callWith(target, kind, id));
    return { calls, unknown: callWith(target, kind, unknownId(first)) };
  });
}

function callWith({ projects, users }: Target, [operation, odd]: Kind, id: string): OddCall {
  const user = (operation === 'assign' && users.at(-1)) || users[0];
  return { operation, odd, project: projects[0], user, [odd]: id };
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
