import { mayHoldTokens, secretsIn } from '../../http/answer-secrets.ts';
import type { Exchange, WireRequest, WireResponse } from '../../http/exchange.ts';
import type { Recorder } from '../../http/recorder.ts';
import {
  type AuthorizeOptions,
  type AuthorizeOutcome,
  type NewApplication,
  type OtherBrowser,
  redirectParameters,
  type ShownCredentials,
} from '../agent/user-agent.ts';
import { configuredTexts } from '../configured-texts.ts';
import { redirectUrisOf } from '../redirect-address.ts';
import { type AccountAreaPages, ALL_SCOPES, type Application } from '../target.ts';
import { type TokenAnswer, tokensIn } from './answers.ts';
import { type AssignedIds, idPointers, namedIn, ownUsersOf, readList, setOf } from './assigned-list.ts';
import { unknownId } from './never-issued.ts';
import {
  authorizationParameters,
  authorizeUrl,
  type Parameters,
  type RequestStyle,
  type ResourceCall,
  resourceRequest,
  tokenRequest,
} from './requests.ts';
import { newRecorder, type Session } from './session.ts';
import type { Spelling } from './spelling.ts';

export interface WantedGrant {
  readonly scope?: string;
  readonly redirectUri?: string;
  readonly application?: Application;
}

export interface AuthorizeVisit extends Omit<AuthorizeOptions, 'redirectUris' | 'elsewhere'> {
  /** `page` opens pages in the browser, `cookies` uses the signed-in browser's cookies where possible, `cookies-only` has no fallback. */
  readonly through: 'page' | 'cookies' | 'cookies-only';
  /** Another browser, which signs in; `otherTab` opens another request there. */
  readonly elsewhere?: Omit<OtherBrowser, 'otherTab'> & { readonly otherTab?: Parameters };
  readonly spelling?: Spelling;
}

/** After so many visits that only the browser could end, pages are opened there at once. */
const FALLBACKS = 3;

/** Sign-ins that stay for sessions that end. */
const OWN_SIGN_INS = 2;

/** Returns true if the owner can sign in in another browser by a form alone, and the budget of sign-ins allows it. */
export function maySignInElsewhere({ target: { owner, pages }, signInsLeft }: Session): boolean {
  const byForm = owner.password !== undefined && owner.totpSecret === undefined && pages.signIn.length > 0;
  return byForm && !pages.savedSession && signInsLeft() > OWN_SIGN_INS;
}

export class ServiceClient {
  readonly session: Session;
  readonly recorder: Recorder;
  readonly requestStyle: RequestStyle;

  constructor(
    session: Session,
    recorder: Recorder = newRecorder(session),
    requestStyle: RequestStyle = session.requestStyle,
  ) {
    this.session = session;
    this.recorder = recorder;
    this.requestStyle = requestStyle;
  }

  withStyle(requestStyle: RequestStyle): ServiceClient {
    return new ServiceClient(this.session, this.recorder, requestStyle);
  }

  /** Returns the documented parameters of an authorization request, by default of the application, for all scopes. */
  authorization(wanted: WantedGrant = {}): Parameters {
    const { application = this.session.target.application, scope = ALL_SCOPES, redirectUri } = wanted;
    return authorizationParameters(application, this.requestStyle, { scope, redirectUri });
  }

  async authorize(parameters: Parameters, visit: AuthorizeVisit): Promise<AuthorizeOutcome> {
    const { target, pageAgent, quickAgent, secrets, grants, fallbacks } = this.session;
    const { spelling, elsewhere: other, through, ...asked } = visit;
    const url = authorizeUrl(target, this.requestStyle, parameters, spelling);
    const redirectUris = [
      ...redirectUrisOf(target),
      ...parameters.filter(([name]) => name === 'redirect_uri').map(([, value]) => value),
    ];
    const otherTab = other?.otherTab && authorizeUrl(target, this.requestStyle, other.otherTab);
    const options = { ...asked, redirectUris, elsewhere: other && { ...other, otherTab } };
    const needsScript = through === 'cookies' && fallbacks.inARow >= FALLBACKS;
    let agent = through === 'page' || needsScript ? pageAgent : quickAgent;
    let outcome = await agent.authorize(url, options, this.recorder);
    // Only a request that should end with a code is worth a retry with pages in the browser.
    const wantsCode = through !== 'cookies-only' && visit.decision === 'grant' && visit.signedIn;
    if (agent.kind === 'cookies' && pageAgent.kind === 'page' && wantsCode && outcome.caught === undefined) {
      agent = pageAgent;
      outcome = await agent.authorize(url, options, this.recorder);
    }
    const codes = codesIn(outcome);
    for (const code of codes) secrets.register('code', code);
    if (codes.length > 0) {
      grants[agent.kind] += 1;
      if (through !== 'page') fallbacks.inARow = agent === quickAgent ? 0 : fallbacks.inARow + 1;
    }
    return outcome;
  }

  async createApplication(area: AccountAreaPages, wanted: NewApplication): Promise<ShownCredentials> {
    const { target, pageAgent, secrets } = this.session;
    const shown = await pageAgent.createApplication(
      `${target.authUrl}${area.path}`,
      area,
      wanted,
      this.recorder,
    );
    if (shown.clientSecret !== undefined) secrets.register('client_secret', shown.clientSecret);
    this.#register({ status: 200, headers: [], body: shown.page ?? '', bytes: 0 }, shown.clientId);
    return shown;
  }

  /** Registers the values of an answer that is secret unless known to be harmless. */
  #register(response: WireResponse, harmless = ''): void {
    const { target, secrets } = this.session;
    const known = configuredTexts(target).map(([text]) => text);
    for (const value of secretsIn(response, [...known, harmless])) secrets.register('secret', value);
  }

  token(purpose: string, parameters: Parameters, spelling?: Spelling): Promise<TokenAnswer> {
    return this.tokenWire(
      purpose,
      tokenRequest(this.session.target, this.requestStyle, parameters, spelling),
    );
  }

  async tokenWire(purpose: string, request: WireRequest): Promise<TokenAnswer> {
    const { secrets, latest } = this.session;
    latest.sent(request);
    const exchange = await this.recorder.send(purpose, request);
    const tokens = tokensIn(exchange);
    if (tokens.accessToken !== undefined) secrets.register('access_token', tokens.accessToken);
    if (tokens.refreshToken !== undefined) {
      secrets.register('refresh_token', tokens.refreshToken);
      latest.answered(request, tokens.refreshToken);
    }
    if (mayHoldTokens(request, exchange.response)) this.#register(exchange.response);
    return { ...exchange, tokens };
  }

  resource(purpose: string, call: ResourceCall): Promise<Exchange> {
    return this.recorder.send(purpose, resourceRequest(this.session.target, this.requestStyle, call));
  }

  listed(response: WireResponse): AssignedIds | undefined {
    const { target } = this.session;
    const { readsList: reader } = target;
    const known = ownUsersOf(target);
    return readList(response, { pointer: this.requestStyle.userIdPointer, reader, known });
  }

  /** Returns the ids that a check evaluates: on a shared target only the suite's own, and those that no user has. */
  evaluated(response: WireResponse): AssignedIds | undefined {
    const { target } = this.session;
    const listed = this.listed(response);
    if (!target.isLive || listed === undefined) return listed;
    const known = new Set([...ownUsersOf(target), ...target.users.map(unknownId)]);
    return listed.filter((id) => known.has(id));
  }

  /** Returns the users in a list. Until the request style knows the place of ids, any member named like an id counts. */
  listedAmong(users: readonly string[], response: WireResponse): readonly string[] {
    if (this.requestStyle.userIdPointer !== undefined || this.session.target.readsList !== undefined) {
      const listed = this.listed(response);
      if (listed !== undefined) return users.filter((user) => listed.includes(user));
    }
    return namedIn(response, users);
  }

  listsAnyOf(response: WireResponse, users: readonly string[]): boolean {
    const wanted = setOf(users);
    return this.listed(response)?.some((id) => wanted.has(id)) || idPointers(response, wanted).size > 0;
  }
}

export function showsConsent({ caught, pages }: AuthorizeOutcome): boolean {
  return caught === undefined && pages.at(-1)?.shows === 'consent';
}

export function queryCode({ caught }: AuthorizeOutcome): string | undefined {
  return (caught && redirectParameters(caught).query.get('code')) || undefined;
}

export function codesIn(outcome: AuthorizeOutcome): readonly string[] {
  return valuesIn(outcome, ['code']);
}

export function tokensInAddresses(outcome: AuthorizeOutcome): readonly string[] {
  return valuesIn(outcome, ['access_token', 'refresh_token']);
}

function valuesIn({ visited, caught }: AuthorizeOutcome, names: readonly string[]): readonly string[] {
  const addresses = [...visited.map((url) => ({ url })), ...(caught === undefined ? [] : [caught])];
  const found = addresses
    .filter(({ url }) => URL.canParse(url))
    .map(redirectParameters)
    .flatMap(({ query, fragment }) =>
      names.flatMap((name) => [...query.getAll(name), ...fragment.getAll(name)]),
    );
  return [...new Set(found)].filter((value) => value !== '');
}
