import {
  type AuthorizationCode,
  type Grant,
  IssuedPair,
  type Project,
  type RegisteredApplication,
  type ResourceOwner,
  type SignedInSession,
  type User,
} from './records.ts';

/** The emulator's records. A reset replaces it. */
export type Store = Readonly<ReturnType<typeof createStore>>;

/** Limit of stored sessions and used codes; the oldest are dropped first. */
const KEPT = 100_000;

/** Limit of retired token pairs that are still distinguished from unknown tokens. */
const RETIRED_KEPT = 50_000;

/** Limit of grants per owner and application. */
const GRANTS_KEPT = 1_000;

export function createStore() {
  return {
    applications: new Map<string, RegisteredApplication>(),
    owners: new Map<string, ResourceOwner>(),
    sessions: new BoundedMap<SignedInSession>(),
    codes: new BoundedMap<AuthorizationCode>(),
    grants: new Grants(),
    tokens: new Tokens(),
    projects: new Map<string, Project>(),
    users: new Map<string, User>(),
    assignments: new Assignments(),
  };
}

/** Drops its oldest entries, so that memory stays bounded in a long run. */
class BoundedMap<T> extends Map<string, T> {
  override set(key: string, record: T): this {
    super.set(key, record);
    if (this.size <= KEPT) return this;
    const oldest = this.keys().next();
    if (!oldest.done) this.delete(oldest.value);
    return this;
  }
}

export class Tokens {
  readonly #byAccess = new Map<string, IssuedPair>();
  readonly #byRefresh = new Map<string, IssuedPair>();
  readonly #retired: IssuedPair[] = [];
  #next = 0;
  #accessCount = 0;
  #refreshCount = 0;

  get size(): number {
    return this.#byAccess.size;
  }

  add(pair: IssuedPair): void {
    pair.accessOrdinal = this.#byAccess.get(pair.accessToken)?.accessOrdinal ?? ++this.#accessCount;
    pair.refreshOrdinal = this.#byRefresh.get(pair.refreshToken)?.refreshOrdinal ?? ++this.#refreshCount;
    this.#byAccess.set(pair.accessToken, pair);
    this.#byRefresh.set(pair.refreshToken, pair);
    pair.grant.latest = pair;
  }

  /** Adds a pair of an earlier process as it was. */
  restore(pair: IssuedPair): void {
    const { accessRevoked, refreshRevoked } = pair;
    Object.setPrototypeOf(pair, IssuedPair.prototype);
    this.add(pair);
    if (accessRevoked && refreshRevoked) this.#retire(pair);
  }

  byAccessToken(value: string): IssuedPair | undefined {
    return this.#byAccess.get(value);
  }

  byRefreshToken(value: string): IssuedPair | undefined {
    return this.#byRefresh.get(value);
  }

  revokeAccess(pair: IssuedPair): void {
    if (pair.accessRevoked) return;
    pair.accessRevoked = true;
    if (pair.refreshRevoked) this.#retire(pair);
  }

  revokeRefresh(pair: IssuedPair): void {
    if (pair.refreshRevoked) return;
    pair.refreshRevoked = true;
    if (pair.accessRevoked) this.#retire(pair);
  }

  values(): Iterable<IssuedPair> {
    return this.#byAccess.values();
  }

  #retire(pair: IssuedPair): void {
    pair.supersedes = undefined;
    const forgotten = this.#retired[this.#next];
    this.#retired[this.#next] = pair;
    this.#next = (this.#next + 1) % RETIRED_KEPT;
    if (forgotten === undefined) return;
    // Another pair may have the same token now: a policy need not rotate.
    if (this.#byAccess.get(forgotten.accessToken) === forgotten) this.#byAccess.delete(forgotten.accessToken);
    if (this.#byRefresh.get(forgotten.refreshToken) === forgotten) {
      this.#byRefresh.delete(forgotten.refreshToken);
    }
  }
}

class Grants {
  readonly #byOwner = new Map<string, Map<string, Grant[]>>();
  /** By owner, the last grant whose consent is forgotten. */
  readonly #forgotten = new Map<string, number>();
  #count = 0;

  /** Returns all grants, oldest first. */
  all(): readonly Grant[] {
    const all = [...this.#byOwner.values()].flatMap((byClient) => [...byClient.values()].flat());
    return all.sort((a, b) => a.ordinal - b.ordinal);
  }

  add(grant: Grant): void {
    this.#count += 1;
    grant.ordinal = this.#count;
    let byClient = this.#byOwner.get(grant.ownerId);
    if (byClient === undefined) {
      byClient = new Map();
      this.#byOwner.set(grant.ownerId, byClient);
    }
    const grants = byClient.get(grant.clientId) ?? [];
    grants.push(grant);
    if (grants.length > GRANTS_KEPT) grants.shift();
    byClient.set(grant.clientId, grants);
  }

  of(ownerId: string, clientId: string): readonly Grant[] {
    return this.#byOwner.get(ownerId)?.get(clientId) ?? [];
  }

  /** Returns the grants whose consent still counts. */
  remembered(ownerId: string, clientId: string): readonly Grant[] {
    const all = this.of(ownerId, clientId);
    const forgotten = this.#forgotten.get(ownerId);
    return forgotten === undefined ? all : all.filter(({ ordinal }) => ordinal > forgotten);
  }

  /** Forgets the consent of one owner or of all; tokens stay unchanged, and a replay may still revoke them. */
  forget(ownerId?: string): void {
    for (const id of ownerId === undefined ? this.#byOwner.keys() : [ownerId])
      this.#forgotten.set(id, this.#count);
  }
}

/** One ordered set of users per project, in the order of assignment. */
export class Assignments {
  /**
   * By project, each user's place in the order of assignment; 0 if unassigned. Entries are never deleted: V8 keeps
   * deleted ones in its chains until the map grows, which slows lookups.
   */
  readonly #byProject = new Map<string, Map<string, number>>();
  #count = 0;

  /** @returns false if the user was already assigned */
  add(projectId: string, userId: string): boolean {
    let places = this.#byProject.get(projectId);
    if (places === undefined) {
      places = new Map();
      this.#byProject.set(projectId, places);
    }
    if (places.get(userId)) return false;
    this.#count += 1;
    places.set(userId, this.#count);
    return true;
  }

  /** @returns false if the user was not assigned */
  remove(projectId: string, userId: string): boolean {
    if (!this.has(projectId, userId)) return false;
    this.#byProject.get(projectId)?.set(userId, 0);
    return true;
  }

  has(projectId: string, userId: string): boolean {
    return Boolean(this.#byProject.get(projectId)?.get(userId));
  }

  of(projectId: string): Iterable<string> {
    const assigned: { readonly userId: string; readonly place: number }[] = [];
    for (const [userId, place] of this.#byProject.get(projectId) ?? []) {
      if (place > 0) assigned.push({ userId, place });
    }
    return assigned.sort((a, b) => a.place - b.place).map(({ userId }) => userId);
  }

  projects(): Iterable<string> {
    return this.#byProject.keys();
  }
}
