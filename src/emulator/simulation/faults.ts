import { validateArmFault } from '../../../generated/control-validators.js';
import type { ArmedFault, Fault, FaultControl } from '../control/control-types.ts';
import type { SentRequest } from '../journal/sent.ts';
import { checkFits } from '../policy/check-fits.ts';
import { RESOURCE_REASONS, TOKEN_REASONS } from '../refusal.ts';
import type { Service } from '../service.ts';
import { checkFilter, matchesFilter } from './request-filter.ts';

interface Armed {
  readonly id: string;
  readonly fault: Fault;
  readonly first: number;
  /** Infinity for no limit. */
  readonly last: number;
  met: number;
}

export class Faults implements FaultControl {
  readonly #service: Service;
  #armed: readonly Armed[] = [];
  #count = 0;

  constructor(service: Service) {
    this.#service = service;
  }

  get idle(): boolean {
    return this.#armed.length === 0;
  }

  arm(fault: Fault): ArmedFault {
    checkFault(fault, this.#service);
    this.#count += 1;
    const first = fault.from ?? 1;
    const count = fault.count ?? (fault.to === undefined ? 1 : fault.to - first + 1);
    const last = count === 'unlimited' ? Number.POSITIVE_INFINITY : first + count - 1;
    const armed = { id: `fault#${this.#count}`, fault, first, last, met: 0 };
    this.#armed = [...this.#armed, armed];
    return shown(armed);
  }

  armed(): readonly ArmedFault[] {
    return this.#armed.map(shown);
  }

  clear(): void {
    this.#armed = [];
  }

  /** Disarms all, and restarts the count at 1. */
  reset(): void {
    this.clear();
    this.#count = 0;
  }

  take(sent: SentRequest): ArmedFault | undefined {
    for (const armed of this.#armed) {
      if (!matchesFilter(armed.fault, sent, this.#service)) continue;
      armed.met += 1;
      if (armed.met < armed.first) continue;
      if (armed.met >= armed.last) this.#armed = this.#armed.filter((one) => one !== armed);
      return shown(armed);
    }
    return undefined;
  }
}

function shown({ id, fault, first, last, met }: Armed): ArmedFault {
  const left = last - Math.max(met, first - 1);
  return { ...fault, id, count: Number.isFinite(left) ? left : 'unlimited' };
}

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
  wire: ['form'],
} as const satisfies Record<Fault['kind'], readonly (keyof Fault)[]>;

const COMMON = new Set<string>(['kind', 'route', 'grantType', 'user', 'clientId', 'count', 'from', 'to']);

/** Refuses a fault that could never have an effect. @throws RangeError naming the member and the expectation */
function checkFault(fault: Fault, service: Service): void {
  checkFits('fault', validateArmFault, fault);
  checkFilter(fault, service);
  const { kind, count, from = 1, to } = fault;
  const allowed: readonly string[] = MEMBERS[kind];
  for (const [name, value] of Object.entries(fault)) {
    if (value === undefined || COMMON.has(name) || allowed.includes(name)) continue;
    throw new RangeError(
      `Fault, ${name}: does not go with ${kind}, which takes ${allowed.join(', ') || 'nothing'}.`,
    );
  }
  if (to !== undefined && count !== undefined)
    throw new RangeError('Fault, to: expected either count or to, got both.');
  if (to !== undefined && to < from)
    throw new RangeError(`Fault, to: expected a number from ${from}, got ${to}.`);
  checkMembers(fault);
}

function checkMembers(fault: Fault): void {
  const { kind, retryAfter, retryAfterForm, milliseconds, headers, contentType } = fault;
  if (retryAfterForm !== undefined && retryAfter === undefined) {
    throw new RangeError('Fault, retryAfterForm: expected retryAfter beside it, in seconds.');
  }
  if (kind === 'delay' && milliseconds === undefined)
    throw new RangeError('Fault, milliseconds: expected how long the answer is delayed, got nothing.');
  if (kind === 'fields' && fault.fields === undefined) {
    throw new RangeError('Fault, fields: expected an object of the fields to replace, got nothing.');
  }
  if (kind === 'wire' && fault.form === undefined)
    throw new RangeError('Fault, form: expected the form of the answer, got nothing.');
  for (const [name, value] of Object.entries({ ...headers, 'content-type': contentType ?? '' })) {
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
  const known = Object.keys(route === 'token' ? TOKEN_REASONS : RESOURCE_REASONS);
  if (reason === undefined || known.includes(reason)) return;
  throw new RangeError(`Fault, reason: expected one of ${known.join(', ')}, got ${JSON.stringify(reason)}.`);
}
