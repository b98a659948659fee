import type { Fault } from './fault-server.ts';
import { empty, html, json, type Reply } from './replies.ts';

/** Answers of the resource API that every operation must take for a failure. */
export const operationFaults = {
  '400-json': json(400, { error: 'bad request' }),
  '403-empty': empty(403),
  '404-html': html(404),
  '409-json': json(409, { message: 'conflict' }),
  '422-json': json(422, { errors: ['no'] }),
  '429-json': json(429, { message: 'slow down' }, { 'Retry-After': '30' }),
  '500-html': html(500),
  '503-empty': empty(503),
  '302-sign-in': empty(302, { Location: 'https://elsewhere.legacy.test/sign-in' }),
} as const satisfies Readonly<Record<string, Reply>>;

export type OperationFault = keyof typeof operationFaults;
export const operationFaultNames = Object.keys(operationFaults) as readonly OperationFault[];

/** Successes that assign and unassign may answer. */
export const successes = {
  '200-json': json(200, { id: 'user-1' }),
  '201-empty': empty(201),
  '202-empty': empty(202),
  '204-empty': empty(204),
  '200-html': html(200),
} as const satisfies Readonly<Record<string, Reply>>;

export type Success = keyof typeof successes;
export const successNames = Object.keys(successes) as readonly Success[];

/** Successes of list that hold no list. */
export const listFaults = {
  '200-error-body': json(200, { error: 'no such project' }),
  '200-html': html(200),
  '200-empty': empty(200),
  '204-empty': empty(204),
  '200-null': json(200, null),
  '200-number': json(200, 7),
  '200-text': json(200, 'user-1'),
  '200-no-array': json(200, { assigned_users: 'user-1' }),
} as const satisfies Readonly<Record<string, Reply>>;

export type ListFault = keyof typeof listFaults;
export const listFaultNames = Object.keys(listFaults) as readonly ListFault[];

export const operationNames = ['list', 'assign', 'unassign'] as const;
export type OperationName = (typeof operationNames)[number];

/**
 * What the network may do to an operation so that it must be taken for a failure. Assign and unassign are settled by
 * the status alone, so losing the body after it proves nothing.
 */
export const networkFaults = {
  list: ['reset', 'stall', 'stall-in-body', 'truncate'],
  assign: ['reset', 'stall'],
  unassign: ['reset', 'stall'],
} as const satisfies Readonly<Record<OperationName, readonly Fault[]>>;
