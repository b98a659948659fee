import { setImmediate as turn } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { headerOf, isSuccess, type WireResponse } from '../../http/exchange.ts';
import { atOnce } from '../../http/traffic.ts';
import type { AuthorizeOutcome } from '../../service/agent/user-agent.ts';
import { type Channel, channelNamed } from '../../service/flow/channels.ts';
import { neverIssued } from '../../service/flow/never-issued.ts';
import {
  exchangeParameters,
  type ParameterChanges,
  type Parameters,
  refreshParameters,
  withChanges,
} from '../../service/flow/requests.ts';
import {
  type AuthorizeVisit,
  codesIn,
  maySignInElsewhere,
  ServiceClient,
} from '../../service/flow/service-client.ts';
import type { Session } from '../../service/flow/session.ts';
import { ALL_SCOPES, type Application, applicationsOf } from '../../service/target.ts';
import type { MonitoredSession } from '../monitor/attach.ts';
import {
  WRONG_AUTHORIZATIONS as AUTHORIZATIONS,
  WRONG_EXCHANGES as EXCHANGES,
  WRONG_REFRESHES as REFRESHES,
  type RightValues,
  type WrongAuthorization,
  type WrongTokenRequest,
} from '../requests/wrong-requests.ts';
import {
  applicationName,
  NO_TOKEN,
  partLetter,
  REFRESH_TOKEN_OF,
  type SingleStep,
  type Step,
  UNKNOWN_TOKEN,
} from './steps.ts';

/** A code or a refresh token, and what an accepted request sends with it. */
interface Named {
  readonly credential: string;
  readonly application: Application;
  readonly redirectUri: string;
}

type AuthorizeStep = Extract<Step, { do: 'authorize' | 'authorize wrongly' }>;
type TokenStep = Extract<Step, { do: 'exchange' | 'exchange wrongly' | 'refresh' | 'refresh wrongly' }>;

export class StepPerformer {
  readonly named = {
    codes: new Map<string, Named>(),
    pairs: new Map<string, Named & { readonly accessToken: string }>(),
    applications: new Map<string, Application>(),
    /** Last list that each token received, by project and token. */
    lists: new Map<string, WireResponse>(),
  };
  readonly #watched: MonitoredSession;
  readonly #session: Session;

  constructor(watched: MonitoredSession, session: Session) {
    this.#watched = watched;
    this.#session = session;
  }

  get applications(): readonly Application[] {
    return applicationsOf(this.#session.target);
  }

  get projects(): readonly string[] {
    return this.#session.target.projects;
  }

  /** Plays one step, named in findings. Skips it if an earlier step did not give what it needs. */
  async perform(step: Step, name: string): Promise<void> {
    // An emulator in this process never yields: signals and timers need their turn.
    await turn();
    if (step.do !== 'at once') return this.#single(step, name);
    const sends = step.steps.map((one, index) => () => this.#single(one, partName(name, index)));
    await atOnce(this.#session.target, sends);
  }

  async #single(step: SingleStep, name: string): Promise<void> {
    const session = this.#watched.during(name, this.#session, channelOf(step));
    const serviceClient = new ServiceClient(session);
    switch (step.do) {
      case 'authorize':
      case 'authorize wrongly':
        return this.#authorize(serviceClient, step);
      case 'exchange':
      case 'exchange wrongly':
      case 'refresh':
      case 'refresh wrongly':
        return this.#token(serviceClient, step);
      case 'wait':
        await serviceClient.session.target.clock?.advance(step.seconds);
        return;
      case 'forget consent':
        await serviceClient.session.target.forgetConsent?.();
        return;
      case 'create application':
        return this.#createApplication(serviceClient, step.as, step.odd);
      default:
        return this.#operate(serviceClient, step);
    }
  }

  async #authorize(c: ServiceClient, step: AuthorizeStep): Promise<void> {
    const how = 'how' in step ? step.how : undefined;
    const { scope = ALL_SCOPES, spelling } = step;
    const name = applicationName(step.application);
    const application = this.applications[step.application] ?? this.named.applications.get(name);
    const redirectUri = application?.redirectUris['address' in step ? step.address : 0];
    if (application === undefined || redirectUri === undefined) return;
    const named = { application, redirectUri, credential: '' };
    const state: ParameterChanges = 'state' in step && step.state !== undefined ? { state: step.state } : {};
    const changes = how === undefined ? state : changesOf(AUTHORIZATIONS, how, this.#good(named, scope));
    if (how === 'deny') await c.session.target.forgetConsent?.();
    const parameters = withChanges(c.authorization({ application, scope, redirectUri }), changes);
    const visit = 'visit' in step ? step.visit : undefined;
    const usual = {
      decision: how === 'deny' ? 'deny' : 'grant',
      signedIn: how !== 'by a stranger',
      through: how === undefined ? 'cookies' : 'cookies-only',
      spelling,
    } as const;
    if (visit === 'after leaving the page') await c.authorize(parameters, { ...usual, decision: 'view' });
    const isElsewhere = visit === 'in another browser' && maySignInElsewhere(c.session);
    const outcome = isElsewhere
      ? await authorizeElsewhere(c, usual, parameters, c.authorization({ application, scope }))
      : await c.authorize(parameters, usual);
    const [credential] = codesIn(outcome);
    if ('as' in step && credential !== undefined) this.named.codes.set(step.as, { ...named, credential });
  }

  async #createApplication(c: ServiceClient, name: string, odd = false): Promise<void> {
    const area = c.session.target.pages.accountArea;
    if (area === undefined) return;
    const first = `https://created.invalid/${encodeURIComponent(name)}`;
    const redirectUris: readonly [string, ...string[]] = odd
      ? [first, `${first}/second?tenant=a&page=b`]
      : [first];
    const redirectUri = redirectUris.join('\n');
    const { clientId, clientSecret } = await c.createApplication(area, {
      name: odd ? `O'Söhne & "${name}"` : name,
      redirectUri,
    });
    if (clientId !== undefined && clientSecret !== undefined)
      this.named.applications.set(name, { clientId, clientSecret, redirectUris });
    // A service may refuse the name, or more than one address.
    else if (odd) await this.#createApplication(c, name);
  }

  async #token(c: ServiceClient, step: TokenStep): Promise<void> {
    const named = 'code' in step ? this.named.codes.get(step.code) : this.named.pairs.get(step.pair);
    if (named === undefined) return;
    const { application, redirectUri, credential } = named;
    const [rows, documented] =
      'code' in step
        ? ([EXCHANGES, exchangeParameters(application, credential, redirectUri)] as const)
        : ([REFRESHES, refreshParameters(application, credential)] as const);
    const changes = 'how' in step ? changesOf(rows, step.how, this.#good(named)) : {};
    const purpose = 'how' in step ? `${step.do.split(' ')[0]}, ${step.how}` : step.do;
    const { accessToken, refreshToken } = (
      await c.token(purpose, withChanges(documented, changes), step.spelling)
    ).tokens;
    if (!('as' in step) || accessToken === undefined || refreshToken === undefined) return;
    const pair = { accessToken, credential: refreshToken, redirectUri: application.redirectUris[0] };
    this.named.pairs.set(step.as, { ...pair, application });
  }

  #good(named: Named, scope = ALL_SCOPES): RightValues {
    const other = this.applications.find((one) => one !== named.application);
    return { ...named, scope, ...(other && { other }) };
  }

  async #operate(
    c: ServiceClient,
    step: Extract<Step, { do: 'assign' | 'unassign' | 'list' }>,
  ): Promise<void> {
    const token = this.#tokenNamed(step.with);
    if (token === undefined) return;
    const key = JSON.stringify([step.project, token]);
    const { unlessSame, unlessSince, ...plain } = step.spelling ?? {};
    const { headers } = this.named.lists.get(key) ?? { headers: [] };
    const tag = unlessSame && headerOf({ headers }, 'etag');
    const date = unlessSince && headerOf({ headers }, 'last-modified');
    if (step.channel !== undefined && step.do !== 'list') {
      c.session.assignedByRun.mayAssign(step.project, step.user);
      c.session.late.forget(step.project, step.user);
    }
    const { response } = await c.resource(step.do, {
      operation: step.do,
      project: step.project,
      ...('user' in step ? { user: step.user } : {}),
      token: token === NO_TOKEN ? undefined : token,
      spelling: { ...plain, ...(tag && { unlessSame: tag }), ...(date && { unlessSince: date }) },
    });
    if (step.do === 'list' && isSuccess(response)) this.named.lists.set(key, response);
  }

  #tokenNamed(name: string): string | undefined {
    if (name === NO_TOKEN) return NO_TOKEN;
    const { pairs, codes } = this.named;
    if (name === UNKNOWN_TOKEN) {
      const [known] = pairs.values();
      return known === undefined ? undefined : neverIssued(known.accessToken);
    }
    if (name.startsWith(REFRESH_TOKEN_OF)) return pairs.get(name.slice(REFRESH_TOKEN_OF.length))?.credential;
    return pairs.get(name)?.accessToken ?? codes.get(name)?.credential;
  }
}

function channelOf(step: SingleStep): Channel | undefined {
  if (!('channel' in step)) return undefined;
  return channelNamed(
    step.channel,
    step.do.startsWith('exchange') || step.do.startsWith('refresh') ? 'token' : 'call',
  );
}

export function partName(step: string, index: number): string {
  return `${step} (${partLetter(index)})`;
}

/** Returns the simplest change of a row. Uses the first row if the target lacks a second application or address. */
function changesOf(
  rows: readonly (WrongAuthorization | WrongTokenRequest)[],
  name: string,
  good: RightValues,
): ParameterChanges {
  const row = rows.find((one) => one.name === name);
  return row === undefined ? {} : (row.change(good)[0] ?? rows[0]?.change(good)[0] ?? {});
}

/**
 * Visits in another browser, which signs in. If that leads to no redirect, and the twin gives a code, tries once more: a page then
 * refuses this request.
 *
 * @param twin the same request for the first address
 */
async function authorizeElsewhere(
  c: ServiceClient,
  visit: AuthorizeVisit,
  parameters: Parameters,
  twin: Parameters,
): Promise<AuthorizeOutcome> {
  const signIn = (sent: Parameters, elsewhere: AuthorizeVisit['elsewhere']) =>
    c.authorize(sent, { ...visit, through: 'cookies-only', elsewhere });
  const outcome = await signIn(parameters, {});
  if (outcome.caught !== undefined || isDeepStrictEqual(parameters, twin)) return outcome;
  const isProven = maySignInElsewhere(c.session) && codesIn(await signIn(twin, {})).length > 0;
  return isProven ? signIn(parameters, { proven: true }) : outcome;
}
