import type { Fault } from '../control-types.ts';
import { RESOURCE_REASONS } from '../policy/answer-resource.ts';
import { TOKEN_REASONS } from '../policy/answer-token.ts';
import type { Service } from '../service.ts';
import { checkFilter } from './question.ts';

const MEMBERS = {
  status: ['status', 'body', 'contentType', 'headers', 'retryAfter', 'retryAfterForm', 'afterEffect'],
  html: ['status', 'headers', 'retryAfter', 'retryAfterForm', 'afterEffect'],
  refusal: ['reason'],
  delay: ['milliseconds'],
  reset: ['afterEffect'],
  stall: ['afterEffect'],
  truncate: ['afterEffect'],
  'content-type': ['contentType'],
  fields: ['fields'],
} as const satisfies Record<Fault['kind'], readonly (keyof Fault)[]>;

const COMMON: ReadonlySet<string> = new Set([
  'kind',
  'route',
  'grantType',
  'user',
  'clientId',
  'count',
  'from',
  'to',
]);

export const FAULT_KINDS = Object.keys(MEMBERS) as readonly Fault['kind'][];

/**
 * Refuses a fault that could not do what it says.
 *
 * @throws RangeError naming the member and what was expected
 */
export function checkFault(fault: Fault, service: Service): void {
  checkFilter(fault, service);
  const { kind, count, from, to } = fault;
  const allowed: readonly string[] = MEMBERS[kind];
  for (const [name, value] of Object.entries(fault)) {
    if (value === undefined || COMMON.has(name) || allowed.includes(name)) continue;
    throw new RangeError(
      `Fault, ${name}: does not go with ${kind}, which takes ${allowed.join(', ') || 'nothing'}.`,
    );
  }
  if (count !== undefined && count !== 'unlimited') whole('count', count, 1, Number.MAX_SAFE_INTEGER);
  if (from !== undefined) whole('from', from, 1, Number.MAX_SAFE_INTEGER);
  if (to !== undefined) {
    if (count !== undefined) throw new RangeError('Fault, to: expected either count or to, got both.');
    whole('to', to, from ?? 1, Number.MAX_SAFE_INTEGER);
  }
  checkMembers(fault);
}

function checkMembers(fault: Fault): void {
  const { kind, status, retryAfter, retryAfterForm, milliseconds, headers, contentType } = fault;
  if (status !== undefined) whole('status', status, 300, 599);
  if (retryAfter !== undefined) whole('retryAfter', retryAfter, 0, 31_536_000);
  if (retryAfterForm !== undefined && retryAfter === undefined) {
    throw new RangeError('Fault, retryAfterForm: expected retryAfter beside it, in seconds.');
  }
  if (kind === 'delay') whole('milliseconds', milliseconds, 1, 120_000);
  if (kind === 'fields' && fault.fields === undefined) {
    throw new RangeError('Fault, fields: expected an object of the fields to replace, got nothing.');
  }
  for (const [name, value] of Object.entries({ ...headers, ...optional('content-type', contentType) })) {
    if (/^[!#$%&'*+.^_`|~\w-]+$/.test(name) && /^[\t\x20-\x7e]*$/.test(value)) continue;
    throw new RangeError(`Fault, headers: ${JSON.stringify(`${name}: ${value}`)} is no header.`);
  }
  if (kind === 'refusal') checkReason(fault);
}

function checkReason({ route, reason }: Fault): void {
  if (route === 'any' || route === 'authorize' || route === 'page') {
    throw new RangeError(
      `Fault, route: expected token, assign, unassign or list for a refusal, got ${route}.`,
    );
  }
  const known: readonly string[] = route === 'token' ? TOKEN_REASONS : RESOURCE_REASONS;
  if (reason === undefined || known.includes(reason)) return;
  throw new RangeError(`Fault, reason: expected one of ${known.join(', ')}, got ${JSON.stringify(reason)}.`);
}

function whole(name: string, value: unknown, least: number, most: number): void {
  if (Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most) return;
  const range = most === Number.MAX_SAFE_INTEGER ? `from ${least}` : `from ${least} to ${most}`;
  throw new RangeError(`Fault, ${name}: expected a whole number ${range}, got ${value ?? 'nothing'}.`);
}

function optional(name: string, value: string | undefined): Record<string, string> {
  return value === undefined ? {} : { [name]: value };
}
