import { setImmediate as turn } from 'node:timers/promises';
import { type Header, headerOf, type WireRequest } from '../../http/exchange.ts';
import { atOnce } from '../../http/traffic.ts';
import { Conversation, codesIn } from '../../target/flow/conversation.ts';
import { neverIssued } from '../../target/flow/never-issued.ts';
import {
  changed,
  exchangeParameters,
  type ParameterChanges,
  type Parameters,
  refreshParameters,
  tokenRequest,
} from '../../target/flow/requests.ts';
import type { Session } from '../../target/flow/session.ts';
import { hex } from '../../target/flow/spelling.ts';
import { ALL_SCOPES, type Application } from '../../target/target.ts';
import type { MonitoredSession } from '../monitor/attach.ts';
import {
  WRONG_AUTHORIZATIONS as AUTHORIZATIONS,
  WRONG_EXCHANGES as EXCHANGES,
  type Good,
  WRONG_REFRESHES as REFRESHES,
  type WrongAuthorization,
  type WrongTokenRequest,
} from '../requests/wrong-requests.ts';
import {
  applicationName,
  NO_TOKEN,
  type OperationSpelling,
  REFRESH_TOKEN_OF,
  type SingleStep,
  type Step,
  type StepSpelling,
  UNKNOWN_TOKEN,
} from './steps.ts';

/** A code or a refresh token, and what an accepted request sends with it. */
interface Named {
  readonly credential: string;
  readonly application: Application;
  readonly redirectUri: string;
}

type TokenStep = Extract<Step, { do: 'exchange' | 'exchange wrongly' | 'refresh' | 'refresh wrongly' }>;

export class Performer {
  readonly named = {
    codes: new Map<string, Named>(),
    pairs: new Map<string, Named & { readonly accessToken: string }>(),
    applications: new Map<string, Application>(),
    /** Last `ETag` that each token received for a list, by address and token. */
    tags: new Map<string, string>(),
  };
  readonly #watched: MonitoredSession;
  readonly #session: Session;

  constructor(watched: MonitoredSession, session: Session) {
    this.#watched = watched;
    this.#session = session;
  }

  get applications(): readonly Application[] {
    const { application, secondApplication } = this.#session.target;
    return secondApplication === undefined ? [application] : [application, secondApplication];
  }

  #application(index: number): Application | undefined {
    return this.applications[index] ?? this.named.applications.get(applicationName(index));
  }

  /** Plays one step, named in findings. Skips it if an earlier step did not give what it needs. */
  async perform(step: Step, name: string): Promise<void> {
    // An emulator in this process never yields: signals and timers need their turn.
    await turn();
    if (step.do !== 'at once') return this.#single(step, name);
    const sends = step.steps.map((one, index) => () => this.#single(one, partName(name, index)));
    await atOnce(this.#session.target, sends);
  }

  #conversation(name: string): Conversation {
    const session = this.#watched.during(name, this.#session);
    return new Conversation(session);
  }

  async #single(step: SingleStep, name: string): Promise<void> {
    const c = this.#conversation(name);
    switch (step.do) {
      case 'authorize':
        return this.#authorize(c, step);
      case 'authorize wrongly':
        return this.#authorizeWrongly(c, step);
      case 'exchange':
      case 'exchange wrongly':
      case 'refresh':
      case 'refresh wrongly':
        return this.#token(c, step);
      case 'wait':
        await c.session.target.clock?.advance(step.seconds);
        return;
      case 'forget consent':
        await c.session.target.forgetConsent?.();
        return;
      case 'create application':
        return this.#createApplication(c, step.as);
      default:
        return this.#operate(c, step);
    }
  }

  async #authorize(c: Conversation, step: Extract<Step, { do: 'authorize' }>): Promise<void> {
    const application = this.#application(step.application);
    const redirectUri = application?.redirectUris[step.address];
    if (application === undefined || redirectUri === undefined) return;
    const plain = c.authorization({ application, scope: step.scope, redirectUri });
    const documented = changed(plain, step.state === undefined ? {} : { state: step.state });
    const parameters = inOrder(documented, step.spelling?.order);
    const outcome = await c.authorize(parameters, { decision: 'grant', signedIn: true, through: 'cookies' });
    const [value] = codesIn(outcome);
    if (value !== undefined) this.named.codes.set(step.as, { credential: value, application, redirectUri });
  }

  async #createApplication(c: Conversation, name: string): Promise<void> {
    const area = c.session.target.pages.accountArea;
    if (area === undefined) return;
    const redirectUri = `https://created.invalid/${encodeURIComponent(name)}`;
    const { clientId, clientSecret } = await c.createApplication(area, { name, redirectUri });
    if (clientId !== undefined && clientSecret !== undefined)
      this.named.applications.set(name, { clientId, clientSecret, redirectUris: [redirectUri] });
  }

  async #authorizeWrongly(
    c: Conversation,
    { how, application: index, scope = ALL_SCOPES, spelling }: Extract<Step, { do: 'authorize wrongly' }>,
  ): Promise<void> {
    const application = this.applications[index];
    if (application === undefined) return;
    const documented = c.authorization({ application, scope });
    const named = { application, redirectUri: application.redirectUris[0], credential: '' };
    const changes = changesOf(AUTHORIZATIONS, how, this.#good(named, scope));
    if (how === 'deny') await c.session.target.forgetConsent?.();
    const decision = how === 'deny' ? 'deny' : 'grant';
    const visit = { decision, signedIn: how !== 'by a stranger', through: 'cookies-only' } as const;
    await c.authorize(inOrder(changed(documented, changes), spelling?.order), visit);
  }

  async #token(c: Conversation, step: TokenStep): Promise<void> {
    const named = 'code' in step ? this.named.codes.get(step.code) : this.named.pairs.get(step.pair);
    if (named === undefined) return;
    const { application, redirectUri, credential } = named;
    const [rows, documented] =
      'code' in step
        ? ([EXCHANGES, exchangeParameters(application, credential, redirectUri)] as const)
        : ([REFRESHES, refreshParameters(application, credential)] as const);
    const changes = 'how' in step ? changesOf(rows, step.how, this.#good(named)) : {};
    const parameters = inOrder(changed(documented, changes), step.spelling?.order);
    const request = respelled(tokenRequest(c.session.target, c.requestStyle, parameters), step.spelling);
    const purpose = 'how' in step ? `${step.do.split(' ')[0]}, ${step.how}` : step.do;
    const { accessToken, refreshToken } = (await c.tokenWire(purpose, request)).tokens;
    if (!('as' in step) || accessToken === undefined || refreshToken === undefined) return;
    const pair = { accessToken, credential: refreshToken, redirectUri: application.redirectUris[0] };
    this.named.pairs.set(step.as, { ...pair, application });
  }

  #good(named: Named, scope = ALL_SCOPES): Good {
    const other = this.applications.find((one) => one !== named.application);
    return { ...named, scope, ...(other && { other }) };
  }

  async #operate(
    c: Conversation,
    step: Extract<Step, { do: 'assign' | 'unassign' | 'list' }>,
  ): Promise<void> {
    const token = this.#tokenNamed(step.with);
    if (token === undefined) return;
    const call = {
      operation: step.do,
      project: step.project,
      ...('user' in step ? { user: step.user } : {}),
      token: token === NO_TOKEN ? undefined : token,
    };
    const key = JSON.stringify([step.project, token]);
    const { spelling } = step;
    const tag = this.named.tags.get(key);
    const { response } = await c.resource(step.do, call, (plain) => askedOtherwise(plain, spelling, tag));
    const shown = step.do === 'list' && response !== undefined ? headerOf(response, 'etag') : undefined;
    if (shown !== undefined) this.named.tags.set(key, shown);
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

export function partName(step: string, index: number): string {
  return `${step} (${'abcdefgh'[index] ?? index + 1})`;
}

/** Returns the simplest change of a row. Uses the first row if the target lacks a second application or address. */
function changesOf(
  rows: readonly (WrongAuthorization | WrongTokenRequest)[],
  name: string,
  good: Good,
): ParameterChanges {
  const row = rows.find((one) => one.name === name);
  return row === undefined ? {} : (row.change(good)[0] ?? rows[0]?.change(good)[0] ?? {});
}

function inOrder(parameters: Parameters, order: readonly number[] | undefined): Parameters {
  if (order === undefined) return parameters;
  const first = order.flatMap((index) => parameters.slice(index, index + 1));
  return [...first, ...parameters.filter((one) => !first.includes(one))];
}

export function respelled(request: WireRequest, spelling: StepSpelling | undefined): WireRequest {
  if (spelling === undefined || request.body?.startsWith('{')) return request;
  const { accept, charset, percent } = spelling;
  const headers = request.headers.flatMap(([name, value]): readonly Header[] => {
    if (name === 'Accept' && accept !== undefined) return accept === 'none' ? [] : [[name, accept]];
    if (name === 'Content-Type' && charset) return [[name, `${value};charset=UTF-8`]];
    return [[name, value]];
  });
  const body = percent && request.body !== undefined ? percentEncoded(request.body) : request.body;
  return body === undefined ? { ...request, headers } : { ...request, headers, body };
}

/** Percent-encodes the first letter of every value, which is equivalent (RFC 3986 section 2.3). */
function percentEncoded(body: string): string {
  return body.replace(/=([A-Za-z0-9])/g, (_, first: string) => `=${hex(first)}`);
}

/** Rewrites a request for an operation in an equivalent form. @param tag value of `If-None-Match`, if a list was shown */
export function askedOtherwise(
  request: WireRequest,
  spelling: OperationSpelling | undefined,
  tag: string | undefined,
): WireRequest {
  if (spelling === undefined) return request;
  const { head, accept, encoding, unlessSame, host, percent, body } = spelling;
  const headers = request.headers.filter(([name]) => name !== 'Accept' || accept !== 'none');
  const more: readonly (Header | undefined)[] = [
    encoding && ['Accept-Encoding', encoding],
    unlessSame && tag !== undefined ? ['If-None-Match', tag] : undefined,
    host && ['Host', new URL(request.url).host.toUpperCase()],
    body && request.body === undefined ? ['Content-Type', 'application/json'] : undefined,
  ];
  return {
    method: head && request.method === 'GET' ? 'HEAD' : request.method,
    url: percent ? idsPercentEncoded(request.url) : request.url,
    headers: [
      ...headers.map(([name, value]): Header => [name, name === 'Accept' ? (accept ?? value) : value]),
      ...more.filter((one) => one !== undefined),
    ],
    body: body ? (request.body ?? '{}') : request.body,
  };
}

/** Percent-encodes the first character of every id in a path, which is equivalent (RFC 3986 section 6.2.2.2). */
function idsPercentEncoded(url: string): string {
  return url.replace(/(?<=\/(?:projects|assigned_users)\/)[A-Za-z0-9]/g, hex);
}
