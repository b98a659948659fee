import type { RequirementId } from '../../generated/ids.ts';
import { type Transport, TransportFailure } from '../exchange/exchange.ts';

export interface OwnAssignment {
  readonly project: string;
  readonly user: string;
  readonly foundAt?: string;
}

/** An own user who is probably still assigned after an unassign request. */
export interface LeftOver extends OwnAssignment {
  readonly unread?: string;
}

/** An own user is still assigned, so no further assign is allowed; nothing was sent. */
export class NotAssignedAnyMore extends TransportFailure {
  constructor(left: readonly OwnAssignment[]) {
    super(
      'not-sent',
      `not sent: the service did not unassign ${whoIsLeft(left)}, so no further user is assigned`,
    );
    this.name = 'NotAssignedAnyMore';
  }
}

export class Leftovers {
  #users: readonly LeftOver[] = [];
  owner: RequirementId = 'unassign.removes-user';

  get users(): readonly LeftOver[] {
    return this.#users;
  }

  get any(): boolean {
    return this.#users.length > 0;
  }

  set(users: readonly LeftOver[]): void {
    this.#users = users;
  }

  add(users: readonly LeftOver[]): void {
    const known = new Set(this.#users.map(({ project, user }) => `${project} ${user}`));
    this.#users = [...this.#users, ...users.filter(({ project, user }) => !known.has(`${project} ${user}`))];
  }

  guard(inner: Transport): Transport {
    return async (request, signal) => {
      if (this.any && request.method === 'PUT') throw new NotAssignedAnyMore(this.#users);
      return inner(request, signal);
    };
  }
}

export function whoIsLeft(left: readonly OwnAssignment[]): string {
  return left.map(({ project, user }) => `user ${user} in project ${project}`).join(', ');
}

export function leftInWords(left: readonly LeftOver[]): string {
  const seen = left.filter(({ unread }) => unread === undefined);
  const unread = left.filter((one) => one.unread !== undefined);
  const why = [...new Set(unread.map((one) => one.unread))].join(', ');
  return [
    ...(seen.length === 0 ? [] : [`still assigned and to be unassigned by hand: ${whoIsLeft(seen)}`]),
    ...(unread.length === 0
      ? []
      : [`may still be assigned: the list could not be read (${why}): ${whoIsLeft(unread)}`]),
  ].join('; ');
}
