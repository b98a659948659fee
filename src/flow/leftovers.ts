import type { RequirementId } from '../../generated/ids.ts';
import { type Transport, TransportFailure } from '../exchange/exchange.ts';
import type { OwnAssignment } from './preflight.ts';

/** One of the suite's own users whom the service did not unassign although it was asked to, as far as the suite can tell. */
export interface LeftOver extends OwnAssignment {
  /** Why the list could not be read that would tell. */
  readonly unread?: string;
}

/** The service has not unassigned a user of the suite's own, so no further user is assigned; nothing was sent. */
export class NotAssignedAnyMore extends TransportFailure {
  constructor(left: readonly OwnAssignment[]) {
    super(
      'not-sent',
      `not sent: the service did not unassign ${whoIsLeft(left)}, so no further user is assigned`,
    );
    this.name = 'NotAssignedAnyMore';
  }
}

/** The suite's own users whom the service did not unassign although it was asked to. One per session. */
export class Leftovers {
  #users: readonly LeftOver[] = [];
  /** The requirement that is broken by whoever is left. */
  owner: RequirementId = 'unassign.removes-user';

  get users(): readonly LeftOver[] {
    return this.#users;
  }

  /** Whether any are known; from then on no user is assigned. */
  get any(): boolean {
    return this.#users.length > 0;
  }

  /** Remembers users, in place of whoever was remembered before. */
  set(users: readonly LeftOver[]): void {
    this.#users = users;
  }

  /** Adds users. */
  add(users: readonly LeftOver[]): void {
    const known = new Set(this.#users.map(({ project, user }) => `${project} ${user}`));
    this.#users = [...this.#users, ...users.filter(({ project, user }) => !known.has(`${project} ${user}`))];
  }

  /** The transport, assigning nobody any more once a user is left over. */
  guard(inner: Transport): Transport {
    return async (request, signal) => {
      if (this.any && request.method === 'PUT') throw new NotAssignedAnyMore(this.#users);
      return inner(request, signal);
    };
  }
}

/** `user 504 in project 1041, user 505 in project 1041`. */
export function whoIsLeft(left: readonly OwnAssignment[]): string {
  return left.map(({ project, user }) => `user ${user} in project ${project}`).join(', ');
}

/** Says of each user that is left whether the suite saw it listed or could not look. */
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
