import type {
  AuthorizationCode,
  Grant,
  IssuedPair,
  Project,
  RegisteredApplication,
  ResourceOwner,
  SignedInSession,
  User,
} from './records.ts';

export interface Lookup<T> {
  get(key: string): T | undefined;
  values(): Iterable<T>;
  readonly size: number;
}

/** Records of one kind that can be added, replaced and removed. */
export interface Collection<T> extends Lookup<T> {
  set(key: string, record: T): void;
  delete(key: string): void;
}

/** The token pairs, by either token. */
export interface Tokens {
  /** Keeps a pair and counts its tokens. */
  add(pair: IssuedPair): void;
  byAccessToken(value: string): IssuedPair | undefined;
  byRefreshToken(value: string): IssuedPair | undefined;
  revokeAccess(pair: IssuedPair): void;
  revokeRefresh(pair: IssuedPair): void;
  values(): Iterable<IssuedPair>;
  readonly size: number;
}

/** What each owner has granted to each application. */
export interface Grants {
  /** Keeps a grant and counts it. */
  add(grant: Grant): void;
  of(ownerId: string, clientId: string): readonly Grant[];
  /** Forgets that consent was given, by one owner or by all; tokens stay as they are. */
  forget(ownerId?: string): void;
}

/** Which users are assigned to which project: one ordered set per project, in the order of assignment. */
export interface Assignments {
  /** @returns false when the user was assigned already */
  add(projectId: string, userId: string): boolean;
  /** @returns false when the user was not assigned */
  remove(projectId: string, userId: string): boolean;
  has(projectId: string, userId: string): boolean;
  of(projectId: string): Iterable<string>;
  projects(): Iterable<string>;
}

export interface Store {
  readonly applications: Collection<RegisteredApplication>;
  readonly owners: Collection<ResourceOwner>;
  readonly sessions: Collection<SignedInSession>;
  readonly codes: Collection<AuthorizationCode>;
  readonly grants: Grants;
  readonly tokens: Tokens;
  readonly projects: Collection<Project>;
  readonly users: Collection<User>;
  readonly assignments: Assignments;
}
