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
  const named: NamedExchange[] = [];
  const placeholders = new Placeholders(target);
  const failure = await play({ actions, smokeFlow, signal, named, placeholders }).then(
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
    cast: placeholders.cast,
    exchanges: named.map((one) => scrubExchange(one, target.authUrl, placeholders)),
  };
}

interface Flow {
  readonly actions: TargetActions;
  readonly smokeFlow: SmokeFlow;
  readonly signal: AbortSignal;
  readonly named: NamedExchange[];
  readonly placeholders: Placeholders;
}

async function play({ actions, smokeFlow, signal, named, placeholders }: Flow): Promise<void> {
  const { session } = actions;
  const { application, projects, users } = session.target;
  // No encoding, because the scrubber cannot read a compressed body.
  const recorder = new Recorder((request, aborted) =>
    session.target.transport(
      { ...request, headers: [...request.headers, ['Accept-Encoding', 'identity']] },
      aborted,
    ),
  );
  const talk = new Conversation(session, recorder, smokeFlow.requestStyle);

  const keep = async <A extends { readonly exchange: Exchange }>(
    name: string,
    operation: RecordedOperation,
    send: () => Promise<A>,
  ): Promise<A> => {
    if (signal.aborted) throw new StateFailed('not-run', 'it was interrupted');
    const answer = await send();
    const { request, response } = answer.exchange;
    const why = provesNothing(answer.exchange);
    if (response === undefined || why !== undefined) throw new StateFailed('not-run', `${name}: ${why}`);
    named.push({ name, operation, request, response });
    return answer;
  };

  const token = async (name: string, operation: 'exchange' | 'refresh', parameters: TokenParameters) =>
    (await keep(name, operation, () => talk.token(name, parameters))).tokens;

  const pair = async (name: 'exchange' | 'refresh', parameters: TokenParameters): Promise<ReceivedPair> => {
    const { accessToken, refreshToken } = await token(name, name, parameters);
    if (accessToken !== undefined && refreshToken !== undefined) return { accessToken, refreshToken };
    throw new StateFailed('not-run', `${name}: the answer holds no token pair (clause 2.1)`);
  };

  const resource = async (
    name: string,
    operation: 'list' | 'assign' | 'unassign',
    accessToken: string,
    { project = projects[0], user = users[0] }: { readonly project?: string; readonly user?: string } = {},
  ) => {
    const about = operation === 'list' ? {} : { user };
    const call = { operation, project, ...about, token: accessToken };
    await keep(name, operation, () => talk.resource(name, call));
  };

  const { stopped } = smokeFlow;
  if (stopped !== undefined) throw new StateFailed('not-run', `${stopped.step}: ${stopped.message}`);
  const usedCode = await actions.code();
  const first = await pair('exchange', exchangeParameters(application, usedCode));
  await resource('list', 'list', first.accessToken);
  await resource('assign', 'assign', first.accessToken);
  await resource('list after assigning', 'list', first.accessToken);
  await resource('unassign', 'unassign', first.accessToken);
  await resource('list after unassigning', 'list', first.accessToken);
  await actions.refreshable();
  const second = await pair('refresh', refreshParameters(application, first.refreshToken));
  await resource('list after refreshing', 'list', second.accessToken);

  const [project, user] = [unknownId(projects[0]), unknownId(users[0])];
  const [accessToken, refreshToken] = [neverIssued(second.accessToken), neverIssued(second.refreshToken)];
  const clientSecret = neverIssued(application.clientSecret);
  placeholders.aliasId(project, 'project');
  placeholders.aliasId(user, 'user');
  placeholders.alias(accessToken, 'unknown-access-token');
  placeholders.alias(refreshToken, 'unknown-refresh-token');
  placeholders.alias(clientSecret, 'wrong-client-secret');
  await resource('list of an unknown project', 'list', second.accessToken, { project });
  await resource('assign an unknown user', 'assign', second.accessToken, { user });
  await resource('list with an unknown token', 'list', accessToken);
  await token('refresh with an unknown token', 'refresh', refreshParameters(application, refreshToken));
  const wrong = changed(exchangeParameters(application, await actions.code()), {
    client_secret: clientSecret,
  });
  await token('exchange with a wrong secret', 'exchange', wrong);
  await token('exchange of a used code', 'exchange', exchangeParameters(application, usedCode));
}

type TokenParameters = Parameters<Conversation['token']>[1];
