import type { RequirementId } from '../../../generated/ids.ts';
import { type Exchange, TransportFailure } from '../../http/exchange.ts';
import type { ExchangeFinding, RequestDifference } from '../../report/facts.ts';
import { AuthorizeRules } from './authorize-rules.ts';
import { Channels } from './channels.ts';
import type { MonitorEvent } from './events.ts';
import { MonitorFindings } from './findings.ts';
import { ListRules } from './list-rules.ts';
import type { PendingResource } from './pending-resource.ts';
import type { PendingToken } from './pending-token.ts';
import type { ProjectModel } from './projects.ts';
import { ResourceRules } from './resource-rules.ts';
import { type MonitoredTarget, TokenModel } from './token-model.ts';
import { TokenRules } from './token-rules.ts';

interface Pending {
  readonly exchange: Exchange;
  readonly during: string | undefined;
  readonly at: number;
  readonly token: PendingToken | undefined;
  readonly resource: PendingResource | undefined;
}

export interface LearntBehaviour {
  /** Seconds, the smallest age of an access token at which a refresh was honoured; Infinity for none before expiry. */
  readonly earliestRefresh: number;
  readonly presentations: readonly string[];
  readonly outlived: readonly string[];
  readonly assignedAtStart: readonly (readonly [project: string, users: readonly string[]])[];
}

/** An application that was created with a name of its own has the id of another one (clause 1). */
const SAME_CLIENT: ExchangeFinding = {
  id: 'application.account-area',
  kind: 'same',
  expected: 'a new application to have a client id of its own',
  got: 'that of another application',
  during: undefined,
  uncertain: false,
  exchanges: [],
};

/** Evaluates every exchange of a run against the document. Takes events, returns examples and findings, and sends nothing. */
export class Monitor {
  readonly model: TokenModel;
  readonly #findings = new MonitorFindings();
  /** Channels that the service honours. */
  readonly channels = new Channels();
  readonly #tokens: TokenRules;
  readonly #lists: ListRules;
  readonly #resources: ResourceRules;
  readonly #authorizations: AuthorizeRules;
  readonly #pending = new Map<number, Pending>();

  constructor(target: MonitoredTarget, learnt?: LearntBehaviour) {
    this.model = new TokenModel(target);
    if (learnt !== undefined) {
      this.model.earliestRefresh = learnt.earliestRefresh;
      for (const one of learnt.presentations) this.model.presentations.add(one);
      this.model.survives(learnt.outlived);
    }
    this.#tokens = new TokenRules(this.model, this.#findings, this.channels);
    this.#lists = new ListRules(this.model, this.#findings, this.channels);
    this.#resources = new ResourceRules(this.model, this.#findings, this.channels, this.#lists);
    this.#authorizations = new AuthorizeRules(this.model, this.#findings);
    for (const [id, users] of learnt?.assignedAtStart ?? []) this.project(id).beginWith(users);
  }

  get learnt(): LearntBehaviour {
    const { earliestRefresh, presentations, outlived, target } = this.model;
    const assignedAtStart = target.projects.flatMap((id) => {
      const users = this.project(id).assignedAtStart;
      return users === undefined ? [] : [[id, users] as const];
    });
    return { earliestRefresh, presentations: [...presentations], outlived: [...outlived], assignedAtStart };
  }

  get examples(): MonitorFindings['examples'] {
    return this.#findings.examples;
  }

  /** Excludes a possibly outdated list until the next list or the end of the run. */
  get findings(): readonly ExchangeFinding[] {
    return this.#findings.all;
  }

  /** By requirement, how the right requests whose failure broke it differ from those that succeeded. */
  get differences(): ReadonlyMap<RequirementId, RequestDifference> {
    return this.#findings.right.differences();
  }

  /** Findings about other people's users, certain at the end of a run alone. */
  get ofOthers(): readonly ExchangeFinding[] {
    return this.#lists.ofOthers;
  }

  /** Projects whose last list was wrong. Reading it again shows if it was only outdated. */
  get inDoubt(): readonly string[] {
    return this.#lists.inDoubt;
  }

  project(id: string): ProjectModel {
    return this.#lists.project(id);
  }

  take(event: MonitorEvent): void {
    if (event.kind === 'sent') this.#sent(event);
    else if (event.kind === 'answered') this.#answered(event);
    else if (event.kind === 'authorized') this.#authorizations.authorized(event);
    else if (event.kind === 'assignments-reset') this.#lists.reset();
    else if (event.kind === 'lists-read') this.#lists.readBy(event);
    else {
      const { clientId, clientSecret } = event.shown;
      if (clientId === undefined || clientSecret === undefined) return;
      this.#findings.example('application.account-area');
      if (this.model.applications.has(clientId)) this.#findings.finding(SAME_CLIENT);
      this.model.applications.set(clientId, {
        secret: clientSecret,
        redirectUris: event.redirectUri.split('\n'),
      });
    }
  }

  markUncertain(from: number, to: number): void {
    this.#findings.markUncertain(from, to);
  }

  end(): void {
    this.#tokens.end();
    this.#lists.end();
    this.#resources.end();
  }

  #sent({ id, request, channel, at, during, startedAt }: Extract<MonitorEvent, { kind: 'sent' }>): void {
    const exchange: Exchange = {
      purpose: `${request.method}, ${during === undefined ? 'beside the checks' : `sent for ${during}`}`,
      request,
      startedAt,
      durationMs: 0,
    };
    const token = this.#tokens.sent(exchange, at, channel?.name);
    const resource = token === undefined ? this.#resources.sent(exchange, at, channel?.name) : undefined;
    if (token === undefined && resource === undefined) this.#elsewhere(exchange);
    const shown = channel === undefined ? exchange : { ...exchange, request: channel.wire };
    this.#pending.set(id, { exchange: shown, during, at, token, resource });
  }

  #answered({ id, response, durationMs }: Extract<MonitorEvent, { kind: 'answered' }>): void {
    const pending = this.#pending.get(id);
    if (pending === undefined) return;
    this.#pending.delete(id);
    const { during, at, token, resource } = pending;
    const exchange: Exchange =
      response === undefined
        ? { ...pending.exchange, durationMs, failure: new TransportFailure('connection', 'no answer') }
        : { ...pending.exchange, durationMs, response };
    if (token !== undefined) this.#tokens.answered(token, exchange, during, at);
    else if (resource !== undefined) this.#resources.answered(resource, exchange, during);
  }

  /** Handles other requests: a token sent there may be revoked. */
  #elsewhere({ request }: Exchange): void {
    // Pages carry no tokens, and there are many.
    if (request.method === 'GET' && request.url.startsWith(`${this.model.target.authUrl}/oauth/authorize?`))
      return;
    const text = `${request.url}\n${request.headers.map(([, value]) => value).join('\n')}\n${request.body ?? ''}`;
    this.model.changeWhere(text, ['shown elsewhere']);
  }
}
