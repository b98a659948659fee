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

export interface Collection<T> extends Lookup<T> {
  set(key: string, record: T): void;
  delete(key: string): void;
}

export interface Tokens {
  add(pair: IssuedPair): void;
  byAccessToken(value: string): IssuedPair | undefined;
  byRefreshToken(value: string): IssuedPair | undefined;
  revokeAccess(pair: IssuedPair): void;
  revokeRefresh(pair: IssuedPair): void;
  values(): Iterable<IssuedPair>;
  readonly size: number;
}

export interface Grants {
  add(grant: Grant): void;
  of(ownerId: string, clientId: string): readonly Grant[];
  /** Forgets the consent of one owner or of all; tokens stay unchanged. */
  forget(ownerId?: string): void;
}

/** One ordered set of users per project, in the order of assignment. */
export interface Assignments {
  /** @returns false if the user was already assigned */
  add(projectId: string, userId: string): boolean;
  /** @returns false if the user was not assigned */
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
