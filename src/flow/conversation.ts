import {
  type AuthorizeOutcome,
  type Decision,
  type NewApplication,
  redirectParameters,
  type ShownCredentials,
} from '../agent/user-agent.ts';
import { type Exchange, jsonOf, type WireRequest, type WireResponse } from '../exchange/exchange.ts';
import type { Recorder } from '../exchange/recorder.ts';
import type { AccountAreaPages } from '../targets/page-actions.ts';
import { redirectUrisOf } from '../targets/redirect-address.ts';
import { type AssignedIds, pointersTo, readList } from './assigned-list.ts';
import type { Dialect } from './dialect.ts';
import {
  authorizeUrl,
  type Parameters,
  type ResourceCall,
  resourceRequest,
  tokenRequest,
} from './requests.ts';
import type { Session } from './session.ts';
import type { Spelling } from './spelling.ts';

/** Both tokens of a token response (clause 2.1), each present only if the answer held it as a non-empty string. */
export interface FoundTokens {
  readonly accessToken?: string;
  readonly refreshToken?: string;
}

/** An answer of the token endpoint. */
export interface TokenAnswer {
  readonly exchange: Exchange;
  readonly response: WireResponse | undefined;
  /** The body as JSON, or undefined when it is none. */
  readonly json: unknown;
  /** Whatever token material the answer holds, wherever it stands and whatever the status says. */
  readonly tokens: FoundTokens;
}

/** An answer of the resource API. */
export interface ResourceAnswer {
  readonly call: ResourceCall;
  readonly exchange: Exchange;
  readonly response: WireResponse | undefined;
}

/** How the user agent is to be used for one authorization request. */
export interface AuthorizeWalk {
  readonly decision: Decision;
  readonly signedIn: boolean;
  /** Through drawn pages; through the signed-in browser's cookies where that is possible; or so and never otherwise. */
  readonly through: 'page' | 'cookies' | 'cookies-only';
  /** How the request is written; as the document has it when absent. */
  readonly spelling?: Spelling;
}

/**
 * Talks to the target on behalf of one check: builds requests in the session's dialect, registers every secret that comes
 * back, and records everything in the check's own recorder.
 */
export class Conversation {
  readonly session: Session;
  readonly recorder: Recorder;
  readonly dialect: Dialect;

  constructor(session: Session, recorder: Recorder, dialect: Dialect = session.dialect) {
    this.session = session;
    this.recorder = recorder;
    this.dialect = dialect;
  }

  /** The same conversation in another dialect. */
  speaking(dialect: Dialect): Conversation {
    return new Conversation(this.session, this.recorder, dialect);
  }

  /** Sends the user agent to the authorization address (clause 4.1). */
  async authorize(parameters: Parameters, walk: AuthorizeWalk): Promise<AuthorizeOutcome> {
    const { target, pageAgent, quickAgent, secrets, grants } = this.session;
    const url = authorizeUrl(target, this.dialect, parameters, walk.spelling);
    const redirectUris = [
      ...redirectUrisOf(target),
      ...parameters.filter(([name]) => name === 'redirect_uri').map(([, value]) => value),
    ];
    const options = { decision: walk.decision, signedIn: walk.signedIn, redirectUris };
    const agent = walk.through === 'page' ? pageAgent : quickAgent;
    let outcome = await agent.authorize(url, options, this.recorder);
    let kind = agent.kind;
    if (kind === 'cookies' && pageAgent.kind === 'page' && wants(walk) && outcome.caught === undefined) {
      outcome = await pageAgent.authorize(url, options, this.recorder);
      kind = pageAgent.kind;
      await this.session.shareCookies();
    }
    registerCodes(outcome, (code) => secrets.register('code', code));
    if (codesIn(outcome).length > 0) grants[kind] += 1;
    return outcome;
  }

  /** Creates an application in the account area (clauses 1 and 5.2), where the target lets the suite use it. */
  async createApplication(area: AccountAreaPages, wanted: NewApplication): Promise<ShownCredentials> {
    const { target, pageAgent, secrets } = this.session;
    const shown = await pageAgent.createApplication(
      `${target.authUrl}${area.path}`,
      area,
      wanted,
      this.recorder,
    );
    if (shown.clientSecret !== undefined) secrets.register('client_secret', shown.clientSecret);
    return shown;
  }

  /** Sends a token request in the session's dialect (clauses 4.2 and 4.3). */
  token(purpose: string, parameters: Parameters, spelling?: Spelling): Promise<TokenAnswer> {
    return this.tokenWire(purpose, tokenRequest(this.session.target, this.dialect, parameters, spelling));
  }

  /** Sends a request to the token endpoint as it is. */
  async tokenWire(purpose: string, request: WireRequest): Promise<TokenAnswer> {
    const exchange = await this.recorder.send(purpose, request);
    const json = jsonOf(exchange.response);
    const tokens = tokensIn(exchange.response, json);
    if (tokens.accessToken !== undefined) this.session.secrets.register('access_token', tokens.accessToken);
    if (tokens.refreshToken !== undefined)
      this.session.secrets.register('refresh_token', tokens.refreshToken);
    return { exchange, response: exchange.response, json, tokens };
  }

  /**
   * Sends one of the three operations (clause 4.4).
   *
   * @param change what is different about the request, where it is to be asked for otherwise
   */
  async resource(
    purpose: string,
    call: ResourceCall,
    change: (request: WireRequest) => WireRequest = (request) => request,
  ): Promise<ResourceAnswer> {
    const { oneScopeOnly, oneScopePerOperation } = this.dialect;
    const siblings =
      oneScopeOnly || oneScopePerOperation ? this.session.siblings.get(call.token ?? '') : undefined;
    const token = siblings?.get(call.operation) ?? call.token;
    const request = resourceRequest(this.session.target, this.dialect, { ...call, token });
    const exchange = await this.recorder.send(purpose, change(request));
    return { call, exchange, response: exchange.response };
  }

  /** The user ids that an answer lists; undefined when it is no list that can be read. */
  listed(response: WireResponse): AssignedIds | undefined {
    const { readsList: reader, users: known } = this.session.target;
    return readList(response, { pointer: this.dialect.userIdPointer, reader, known });
  }

  /** Whether an answer lists any of some users, in the usual place or in another. */
  listsAnyOf(response: WireResponse, users: readonly string[]): boolean {
    const listed = this.listed(response);
    if (listed?.some((id) => users.includes(id))) return true;
    return users.some((user) => pointersTo(response, user).length > 0);
  }
}

/** A walk that should end with a code; only then is the drawn page worth a second try. */
function wants(walk: AuthorizeWalk): boolean {
  return walk.through !== 'cookies-only' && walk.decision === 'grant' && walk.signedIn;
}

/** Every authorization code that the user agent was sent anywhere with, in query or fragment. */
export function codesIn(outcome: AuthorizeOutcome): readonly string[] {
  return valuesIn(outcome, ['code']);
}

/** Every access token that the user agent was sent anywhere with, in query or fragment. */
export function tokensInAddresses(outcome: AuthorizeOutcome): readonly string[] {
  return valuesIn(outcome, ['access_token', 'refresh_token']);
}

function valuesIn(outcome: AuthorizeOutcome, names: readonly string[]): readonly string[] {
  const found = new Set<string>();
  const sources = outcome.visited.map((url) => ({ url }));
  for (const caught of outcome.caught === undefined ? sources : [...sources, outcome.caught]) {
    if (!URL.canParse(caught.url)) continue;
    const { query, fragment } = redirectParameters(caught);
    for (const name of names) {
      for (const value of [...query.getAll(name), ...fragment.getAll(name)])
        if (value !== '') found.add(value);
    }
  }
  return [...found];
}

function registerCodes(outcome: AuthorizeOutcome, register: (code: string) => void): void {
  for (const code of codesIn(outcome)) register(code);
}

/** Whatever token material an answer holds, wherever it stands and whatever the status says. */
export function tokensIn(response: WireResponse | undefined, json: unknown): FoundTokens {
  if (response === undefined) return {};
  const accessToken = inJson(json, 'access_token') ?? inForm(response.body, 'access_token');
  const refreshToken = inJson(json, 'refresh_token') ?? inForm(response.body, 'refresh_token');
  return { ...(accessToken && { accessToken }), ...(refreshToken && { refreshToken }) };
}

/**
 * A value by key at any depth, the shallowest first: clause 2.1 puts the tokens at the top, and a refusal that hides one in
 * an envelope is no refusal.
 */
function inJson(json: unknown, key: string): string | undefined {
  let level = [json];
  while (level.length > 0) {
    const objects = level.filter((one): one is object => typeof one === 'object' && one !== null);
    for (const one of objects) {
      const own = Array.isArray(one) ? undefined : (one as Record<string, unknown>)[key];
      if (typeof own === 'string' && own !== '') return own;
    }
    level = objects.flatMap((one) => Object.values(one));
  }
  return undefined;
}

function inForm(body: string, key: string): string | undefined {
  return new RegExp(`(?:^|&)${key}=([^&\\s]+)`).exec(body)?.[1];
}
