import type { CookieJar } from '../../agent/cookie-jar.ts';
import type { Asked, Outcome, SessionName } from '../evaluate/episode.ts';

/** A user with a browser, or a terminal, of their own. */
export interface UserSession {
  readonly name: SessionName;
  readonly owner: { readonly email: string; readonly password: string };
  /** Cookies of the application. */
  readonly jar: CookieJar;
  /** The host by which the application is reached in place of the one that it is configured with. */
  readonly host?: string;
  /** Cookies of the service. */
  readonly serviceJar: CookieJar;
}

/** Where the service is and what the client is to it. */
export interface ServiceSide {
  readonly authUrl: string;
  readonly baseUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly redirectUri: string;
  /** The project that an application works on whose calls name none. */
  readonly projectId: string;
}

/** What came of an act, as whoever acts sees it. `detail` holds no secret. */
export interface Seen {
  readonly outcome: Outcome;
  readonly detail: string;
  /** Address, body and error output of an act that failed: may hold secrets. */
  readonly why?: string;
}

/** What came of beginning a sign-in: the authorization address that the user's browser is sent to. */
export interface Connected extends Seen {
  readonly address?: string;
}

/** One of the three operations, on a project and a user. */
export type Call = Omit<Asked, 'named'>;

/** The integrator's client, driven from outside. One for each situation, with a state of its own. */
export interface ClientDriver {
  /** Exactly as it is authorized. */
  readonly redirectUri: string;
  /** Whether it can tell two browsers (or terminals) apart. */
  readonly manySessions: boolean;
  /** Whether two users can be signed in at the same time. */
  readonly manyUsers: boolean;
  /** The operations that it can be asked for. */
  readonly operations: readonly Call['operation'][];
  /** The ids that a call of this operation names to the client; it chooses the others itself. */
  named(operation: Call['operation']): Asked['named'];
  /** Another name of the host that it listens on; undefined where it listens on none, or on one with a single name. */
  readonly otherHost: string | undefined;
  /** Whether it can be stopped and started again with its state. */
  readonly restartable: boolean;
  /** @throws ClientUndrivable when it does not start */
  start(service: ServiceSide): Promise<void>;
  connect(session: UserSession): Promise<Connected>;
  /** Delivers the address that the service redirected to. */
  callback(session: UserSession, address: string): Promise<Seen>;
  call(session: UserSession, call: Call): Promise<Seen>;
  /** Stops it as a deployment does, and starts it again. @throws ClientUndrivable */
  restart(): Promise<void>;
  /** Kills it without warning, and starts it again. @throws ClientUndrivable */
  kill(): Promise<void>;
  /** Moves its clock forward, where it can be moved. */
  moveClock(seconds: number): void;
  stop(): Promise<void>;
  /** The end of what its processes have printed. */
  output(): string;
}

/** The application could not be started, or does not answer where it was said to. */
export class ClientUndrivable extends Error {
  override readonly name = 'ClientUndrivable';
}
