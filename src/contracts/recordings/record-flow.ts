import { type Exchange, TransportFailure } from '../../exchange/exchange.ts';
import { Recorder } from '../../exchange/recorder.ts';
import type { ReceivedPair } from '../../flow/answers.ts';
import { Conversation } from '../../flow/conversation.ts';
import { neverIssued, unknownId } from '../../flow/never-issued.ts';
import { changed, exchangeParameters, refreshParameters } from '../../flow/requests.ts';
import type { Session } from '../../flow/session.ts';
import { runSmokeFlow } from '../../flow/smoke-flow.ts';
import type { SmokeFlow } from '../../flow/smoke-steps.ts';
import type { RunTrouble } from '../../report/results.ts';
import { provesNothing, StateFailed, TargetActions } from '../verify/target-actions.ts';
import type { RecordedOperation, Recording } from './recording.ts';
import { type NamedExchange, Placeholders, scrubExchange } from './scrub.ts';

/**
 * Records the flow at a target: exchange, the three operations, refresh, then the refused requests, which come last because they
 * may revoke tokens. Assigns and unassigns only the suite's own user. Codes come from real grants; pages are not recorded.
 *
 * @param signal ends it after the current request
 * @returns the scrubbed recording without any registered secret, or the reason why there is none
 */
export async function recordFlow(session: Session, signal: AbortSignal): Promise<Recording | RunTrouble> {
  const { target } = session;
  const smokeFlow = await runSmokeFlow(session);
  await session.shareCookies();
  const actions = new TargetActions({ ...session, requestStyle: smokeFlow.requestStyle });
  const flow = new Flow(actions, smokeFlow, signal);
  const failure = await flow.run().then(
    () => undefined,
    (error: unknown) => error,
  );
  // A user who stays assigned matters more than any other problem.
  const left = await actions.cleanUp();
  if (left !== undefined) return { kind: 'broken', message: left };
  if (failure instanceof StateFailed || failure instanceof TransportFailure)
    return { kind: 'inconclusive', message: failure.message };
  if (failure !== undefined) throw failure;
  return {
    format: 1,
    of: `${target.kind} ${target.name}`,
    cast: flow.placeholders.cast,
    exchanges: flow.named.map((named) => scrubExchange(named, target.authUrl, flow.placeholders)),
  };
}

type TokenParameters = Parameters<Conversation['token']>[1];

class Flow {
  readonly named: NamedExchange[] = [];
  readonly placeholders: Placeholders;
  readonly #actions: TargetActions;
  readonly #recorder: Recorder;
  readonly #talk: Conversation;
  readonly #signal: AbortSignal;
  readonly #smokeFlow: SmokeFlow;

  constructor(actions: TargetActions, smokeFlow: SmokeFlow, signal: AbortSignal) {
    const { session } = actions;
    this.#smokeFlow = smokeFlow;
    this.#actions = actions;
    this.#signal = signal;
    this.placeholders = new Placeholders(session.target);
    // No encoding, because the scrubber cannot read a compressed body.
    this.#recorder = new Recorder((request, aborted) =>
      session.target.transport(
        { ...request, headers: [...request.headers, ['Accept-Encoding', 'identity']] },
        aborted,
      ),
    );
    this.#talk = new Conversation(session, this.#recorder, smokeFlow.requestStyle);
  }

  async run(): Promise<void> {
    const { stopped } = this.#smokeFlow;
    if (stopped !== undefined) throw new StateFailed('not-run', `${stopped.step}: ${stopped.message}`);
    const { application } = this.#actions.session.target;
    const code = await this.#actions.code();
    const first = await this.#pair('exchange', exchangeParameters(application, code));
    await this.#resource('list', 'list', first.accessToken);
    await this.#resource('assign', 'assign', first.accessToken);
    await this.#resource('list after assigning', 'list', first.accessToken);
    await this.#resource('unassign', 'unassign', first.accessToken);
    await this.#resource('list after unassigning', 'list', first.accessToken);
    await this.#actions.refreshable();
    const second = await this.#pair('refresh', refreshParameters(application, first.refreshToken));
    await this.#resource('list after refreshing', 'list', second.accessToken);
    await this.#refusals(code, second);
  }

  async #refusals(usedCode: string, pair: ReceivedPair): Promise<void> {
    const { projects, users, application } = this.#actions.session.target;
    const [project, user] = [unknownId(projects[0]), unknownId(users[0])];
    const [accessToken, refreshToken] = [neverIssued(pair.accessToken), neverIssued(pair.refreshToken)];
    const clientSecret = neverIssued(application.clientSecret);
    this.placeholders.aliasId(project, 'project');
    this.placeholders.aliasId(user, 'user');
    this.placeholders.alias(accessToken, 'unknown-access-token');
    this.placeholders.alias(refreshToken, 'unknown-refresh-token');
    this.placeholders.alias(clientSecret, 'wrong-client-secret');
    await this.#resource('list of an unknown project', 'list', pair.accessToken, { project });
    await this.#resource('assign an unknown user', 'assign', pair.accessToken, { user });
    await this.#resource('list with an unknown token', 'list', accessToken);
    const unknown = refreshParameters(application, refreshToken);
    await this.#token('refresh with an unknown token', 'refresh', unknown);
    const wrong = exchangeParameters(application, await this.#actions.code());
    await this.#token(
      'exchange with a wrong secret',
      'exchange',
      changed(wrong, { client_secret: clientSecret }),
    );
    await this.#token('exchange of a used code', 'exchange', exchangeParameters(application, usedCode));
  }

  async #pair(name: 'exchange' | 'refresh', parameters: TokenParameters): Promise<ReceivedPair> {
    const { accessToken, refreshToken } = await this.#token(name, name, parameters);
    if (accessToken !== undefined && refreshToken !== undefined) return { accessToken, refreshToken };
    throw new StateFailed('not-run', `${name}: the answer holds no token pair (clause 2.1)`);
  }

  async #token(name: string, operation: 'exchange' | 'refresh', parameters: TokenParameters) {
    this.#goOn();
    const answer = await this.#talk.token(name, parameters);
    this.#keep(name, operation, answer.exchange);
    return answer.tokens;
  }

  async #resource(
    name: string,
    operation: 'list' | 'assign' | 'unassign',
    token: string,
    other: { readonly project?: string; readonly user?: string } = {},
  ): Promise<void> {
    this.#goOn();
    const { projects, users } = this.#actions.session.target;
    const answer = await this.#talk.resource(name, {
      operation,
      project: other.project ?? projects[0],
      ...(operation === 'list' ? {} : { user: other.user ?? users[0] }),
      token,
    });
    this.#keep(name, operation, answer.exchange);
  }

  #goOn(): void {
    if (this.#signal.aborted) throw new StateFailed('not-run', 'it was interrupted');
  }

  #keep(name: string, operation: RecordedOperation, exchange: Exchange): void {
    const { response } = exchange;
    const why = provesNothing(exchange);
    if (response === undefined || why !== undefined) throw new StateFailed('not-run', `${name}: ${why}`);
    this.named.push({ name, operation, request: exchange.request, response });
  }
}
