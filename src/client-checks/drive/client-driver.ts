import type { CookieJar } from '../../agent/cookie-jar.ts';
import type { Asked, Outcome, SessionName } from '../evaluate/episode.ts';

/** A user with a browser, or a terminal, of their own. */
export interface UserSession {
  readonly name: SessionName;
  readonly owner: { readonly email: string; readonly password: string };
  readonly jar: CookieJar;
  /** The host by which the application is reached in place of the one that it is configured with. */
  readonly host?: string;
  readonly serviceJar: CookieJar;
}

export interface ServiceSide {
  readonly authUrl: string;
  readonly baseUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly redirectUri: string;
  /** The project that an application works on whose calls name none. */
  readonly projectId: string;
}

/** The result of an act as its actor sees it. `detail` holds no secret. */
export interface Seen {
  readonly outcome: Outcome;
  readonly detail: string;
  /** Address, body and error output of an act that failed: may hold secrets. */
  readonly why?: string;
}

export interface Connected extends Seen {
  readonly address?: string;
}

export type Call = Omit<Asked, 'named'>;

/** The integrator's client, driven from outside. One for each situation, with a state of its own. */
export interface ClientDriver {
  /** Exactly as it is authorized. */
  readonly redirectUri: string;
  /** It can tell two browsers (or terminals) apart. */
  readonly manySessions: boolean;
  /** Two users can be signed in at the same time. */
  readonly manyUsers: boolean;
  readonly operations: readonly Call['operation'][];
  /** The ids that a call of this operation names to the client; it chooses the others itself. */
  named(operation: Call['operation']): Asked['named'];
  /** Another name of the host that it listens on; undefined where it listens on none, or on one with a single name. */
  readonly otherHost: string | undefined;
  /** @throws ClientUndrivable when it does not start */
  start(service: ServiceSide): Promise<void>;
  connect(session: UserSession): Promise<Connected>;
  callback(session: UserSession, address: string): Promise<Seen>;
  call(session: UserSession, call: Call): Promise<Seen>;
  /** Stops it as a deployment does, and starts it again. @throws ClientUndrivable */
  restart(): Promise<void>;
  /** Kills it without warning, and starts it again. @throws ClientUndrivable */
  kill(): Promise<void>;
  moveClock(seconds: number): void;
  stop(): Promise<void>;
  output(): string;
}

/** The application could not be started, or does not answer where it was said to. */
export class ClientUndrivable extends Error {
  override readonly name = 'ClientUndrivable';
}
