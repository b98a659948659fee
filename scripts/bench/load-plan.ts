import type { TokenPair } from './server-process.ts';

/** Requests to one server, by one connection per token pair. */
export interface LoadPlan {
  /** Of each connection. */
  readonly requests: number;
  /** One for each connection. */
  readonly tokens: readonly TokenPair[];
  readonly act: Refreshing | Reading | Assigning;
}

/** Each connection refreshes its own chain: the token of the last answer is the next one's (clause 4.3). */
export interface Refreshing {
  readonly kind: 'refresh';
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Each connection reads one address. */
export interface Reading {
  readonly kind: 'read';
  readonly url: string;
  /** Expected number of items in the answer's JSON array, checked in each connection's first answer. */
  readonly items?: number;
}

/** Each connection assigns its own user and unassigns it again, in turns (clause 4.4). */
export interface Assigning {
  readonly kind: 'assign';
  /** Address of the list; a user's is below it. */
  readonly url: string;
  /** Ids, one for each connection. */
  readonly users: readonly string[];
}
