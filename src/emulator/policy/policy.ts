import type { ServiceAnswer } from '../answer.ts';
import type { ReceivedParameters } from '../parameters.ts';
import type { AuthorizeRefusal, ResourceRefusal, TokenRefusal } from '../refusal.ts';
import type { HttpRequest } from '../request.ts';
import type { Randomness } from '../store/randomness.ts';
import type {
  AuthorizationCode,
  CodeChallenge,
  Grant,
  IssuedPair,
  Project,
  RegisteredApplication,
  ResourceOwner,
  SignedInSession,
  User,
} from '../store/records.ts';
import type { Scopes } from '../store/scopes.ts';
import type { Assignments, Store, Tokens } from '../store/store.ts';
import type { TokenFate } from './profile.ts';

/** Asynchronous in defects, so that two requests can overtake each other. */
type MaybePromise<T> = T | Promise<T>;

/**
 * Every decision of the service, in eight groups of functions. A profile builds the base ({@link
 * file://./policy/from-profile.ts}); a defect wraps one or two. Handlers decide nothing themselves.
 */
export interface Policy {
  readonly authorize: AuthorizePolicy;
  readonly code: CodePolicy;
  readonly client: ClientPolicy;
  readonly token: TokenPolicy;
  readonly refresh: RefreshPolicy;
  readonly lifetime: LifetimePolicy;
  readonly assignments: AssignmentsPolicy;
  readonly answer: AnswerPolicy;
}

/** An authorization request as sent (clause 4.1): each parameter once, absent when missing or empty. */
export interface ReceivedAuthorizationRequest {
  readonly clientId?: string;
  readonly redirectUri?: string;
  readonly responseType?: string;
  readonly scope?: string;
  readonly state?: string;
  readonly challenge?: CodeChallenge;
}

/** Clause 4.1: decides on authorization requests. */
export interface AuthorizePolicy {
  parameters(query: string): ReceivedParameters;
  /** Reads the request; refuses repeated parameters. */
  request(parameters: ReceivedParameters): ReceivedAuthorizationRequest | AuthorizeRefusal;
  application(
    request: ReceivedAuthorizationRequest,
    applications: ReadonlyMap<string, RegisteredApplication>,
  ): RegisteredApplication | AuthorizeRefusal;
  /** Returns the redirect address, which the application must have registered. */
  redirectUri(
    request: ReceivedAuthorizationRequest,
    application: RegisteredApplication,
  ): string | AuthorizeRefusal;
  /** Returns undefined for the response type `code`. */
  responseType(request: ReceivedAuthorizationRequest): AuthorizeRefusal | undefined;
  scopes(request: ReceivedAuthorizationRequest): Scopes | AuthorizeRefusal;
  knows(password: string, owner: ResourceOwner): boolean;
  /** Returns undefined to show the sign-in page. */
  owner(
    session: SignedInSession | undefined,
    owners: ReadonlyMap<string, ResourceOwner>,
  ): ResourceOwner | undefined;
  consentNeeded(scopes: Scopes, granted: readonly Grant[]): boolean;
  /** Maps the pressed button to the decision; undefined for none. */
  decision(submitted: string | undefined): 'grant' | 'deny' | undefined;
}

/** An exchange of a code by an authenticated client (clause 4.2). */
export interface CodeExchange {
  readonly application: RegisteredApplication;
  readonly redirectUri: string;
  readonly verifier?: string;
  readonly scope?: string;
}

/** Revokes one grant, or all of its owner and application with the codes that wait. */
export type GrantRevocation = 'revoke-grant' | 'revoke-application';

/** Clauses 2.2 and 4.2: decides on codes. Times in seconds since the epoch. */
export interface CodePolicy {
  value(randomness: Randomness): string;
  find(value: string, codes: ReadonlyMap<string, AuthorizationCode>): AuthorizationCode | TokenRefusal;
  /** Returns undefined if the code is this client's, for this address, alive, and its verifier fits. */
  check(code: AuthorizationCode, exchange: CodeExchange, now: number): TokenRefusal | undefined;
  /** Marks the code as used, or refuses a used one. The caller gets tokens unless it is refused. */
  redeem(
    code: AuthorizationCode,
    exchange: CodeExchange,
    now: number,
  ): MaybePromise<TokenRefusal | undefined>;
  /** Decides the effect of a refused exchange on the code, or on the tokens that it gave. */
  afterRefusal(code: AuthorizationCode, refusal: TokenRefusal): 'keep' | 'burn-code' | GrantRevocation;
}

/** Client id and secret as presented; absent when missing or empty. */
export interface Credentials {
  readonly clientId?: string;
  readonly clientSecret?: string;
}

/** Clauses 4.2, 4.3 and 5.2: reads and authenticates requests to the token endpoint. */
export interface ClientPolicy {
  /** Reads the parameters from the documented POST and form, or from another accepted request. */
  parameters(request: HttpRequest): MaybePromise<ReceivedParameters | 'other-method' | TokenRefusal>;
  grantType(parameters: ReceivedParameters): 'authorization_code' | 'refresh_token' | TokenRefusal;
  required(
    parameters: ReceivedParameters,
    name: 'code' | 'redirect_uri' | 'refresh_token',
  ): string | TokenRefusal;
  credentials(request: HttpRequest, parameters: ReceivedParameters): Credentials | TokenRefusal;
  authenticate(
    credentials: Credentials,
    applications: ReadonlyMap<string, RegisteredApplication>,
    grantType: 'authorization_code' | 'refresh_token',
  ): RegisteredApplication | TokenRefusal;
}

export type ResourceOperation = 'assign' | 'unassign' | 'list';

/** Clauses 2.1 and 5: token values, and the permissions of an access token. Times in seconds since the epoch. */
export interface TokenPolicy {
  /** Returns a new token; `previous` is the pair that a refresh replaces. */
  value(kind: 'access' | 'refresh', randomness: Randomness, previous: IssuedPair | undefined): string;
  scopes(code: AuthorizationCode, exchange: CodeExchange): Scopes | TokenRefusal;
  existing(code: AuthorizationCode, granted: readonly Grant[], now: number): IssuedPair | undefined;
  presented(request: HttpRequest): string | undefined;
  find(presented: string | undefined, store: Store): IssuedPair | ResourceRefusal;
  check(pair: IssuedPair, now: number): ResourceRefusal | undefined;
  permits(operation: ResourceOperation, pair: IssuedPair): ResourceRefusal | undefined;
}

/** A refresh by an authenticated client (clause 4.3). */
export interface RefreshExchange {
  readonly application: RegisteredApplication;
  readonly refreshToken: string;
  readonly scope?: string;
}

export interface PairFate {
  readonly accessToken: TokenFate;
  readonly refreshToken: TokenFate;
}

/** Clauses 2.1 rule 1 and 4.3: refreshing. Times in seconds since the epoch. */
export interface RefreshPolicy {
  find(value: string, store: Store): IssuedPair | TokenRefusal;
  /** Chooses the refusal if the client, the token or both are wrong; undefined if neither is. */
  verdict(client: TokenRefusal | undefined, token: TokenRefusal | undefined): TokenRefusal | undefined;
  /** Returns undefined if the refresh token is this client's and alive. */
  check(pair: IssuedPair, exchange: RefreshExchange, now: number): TokenRefusal | undefined;
  scopes(pair: IssuedPair, exchange: RefreshExchange): Scopes | TokenRefusal;
  /** Claims the pair for one refresh; refuses a pair that cannot be refreshed again. */
  rotate(pair: IssuedPair, fate: PairFate, tokens: Tokens): MaybePromise<TokenRefusal | undefined>;
  fate(pair: IssuedPair): PairFate;
  /** Returns the pair that a refresh gets again, because an earlier one got it and no request has used it; else undefined. */
  again(pair: IssuedPair, scopes: Scopes): IssuedPair | undefined;
  /** Decides the effect of a dead refresh token on the other tokens of its grant. */
  onReuse(pair: IssuedPair): 'keep' | GrantRevocation;
}

/** Clause 8: lifetimes in seconds. */
export interface LifetimePolicy {
  /** Of an access token; `previous` is the pair that a refresh replaces. */
  accessToken(previous: IssuedPair | undefined, now: number): number;
  /** Of a refresh token; Infinity for no expiry. */
  refreshToken(previous: IssuedPair | undefined, now: number): number;
  code(): number;
}

/** An operation of clause 4.4 and the ids of its path, decoded. */
export interface ResourceRoute {
  readonly operation: ResourceOperation;
  readonly projectId: string;
  /** Empty for a list. */
  readonly userId: string;
}

interface OtherMethodRoute {
  readonly allowed: readonly string[];
}

/** Clause 4.4: the assigned users of a project. Time in seconds since the epoch. */
export interface AssignmentsPolicy {
  /** Returns the operation of a path under `/v2` and a method. */
  route(method: string, path: string): ResourceRoute | OtherMethodRoute | ResourceRefusal;
  project(id: string, store: Store): Project | ResourceRefusal;
  user(id: string, store: Store): User | ResourceRefusal;
  assign(
    assignments: Assignments,
    project: Project,
    user: User,
    now: number,
  ): MaybePromise<'assigned' | 'already-assigned'>;
  unassign(
    assignments: Assignments,
    project: Project,
    user: User,
    now: number,
  ): MaybePromise<'unassigned' | 'not-assigned'>;
  list(assignments: Assignments, project: Project, now: number): MaybePromise<readonly string[]>;
}

export interface AuthorizationOutcome {
  readonly redirectUri: string;
  /** Parameters besides `state`: `code`, or `error` and its description. */
  readonly parameters: readonly (readonly [name: string, value: string])[];
  readonly state?: string;
}

/** The contents of a token response (clause 2.1). Lifetime in seconds, time in seconds since the epoch. */
export interface IssuedTokens {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly expiresIn: number;
  readonly scopes: Scopes;
  readonly issuedAt: number;
  readonly refreshed: boolean;
}

/** The origin of an answer: an endpoint of the document, a page, or neither. */
export type Endpoint = 'authorize' | 'token' | ResourceOperation | 'page' | 'resource' | 'neighbour';

export interface AnswerPolicy {
  /** Returns the method that a request is treated as: HEAD may count as GET. */
  method(method: string): string;
  /** Returns the path whose endpoint answers. */
  path(path: string): string;
  authorization(outcome: AuthorizationOutcome): ServiceAnswer;
  /** Answers a refused or denied request. `redirectUri` is present once it is known to be authorized. */
  authorizeFailure(
    refusal: AuthorizeRefusal,
    request: ReceivedAuthorizationRequest,
    redirectUri: string | undefined,
  ): ServiceAnswer;
  page(status: number, html: string): ServiceAnswer;
  tokens(issued: IssuedTokens): ServiceAnswer;
  tokenFailure(refusal: TokenRefusal): ServiceAnswer;
  assigned(outcome: 'assigned' | 'already-assigned', project: Project, user: User): ServiceAnswer;
  unassigned(outcome: 'unassigned' | 'not-assigned', project: Project, user: User): ServiceAnswer;
  /** `users` in the order of assignment; `query` may ask for a part. */
  list(project: Project, users: readonly User[], query: string): ServiceAnswer;
  resourceFailure(refusal: ResourceRefusal): ServiceAnswer;
  /** Answers a method that the endpoint does not have; `allowed` are its methods. */
  otherMethod(endpoint: Endpoint, method: string, allowed: readonly string[]): ServiceAnswer;
  /** Called last for every answer: adds the endpoint's headers. */
  finish(endpoint: Endpoint, answer: ServiceAnswer): ServiceAnswer;
}
