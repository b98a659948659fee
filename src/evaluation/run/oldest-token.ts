import { advanceOrSleep } from '../../service/flow/clean-up.ts';
import { FlowSteps, orStopped, Stopped } from '../../service/flow/flow-steps.ts';
import { ServiceClient } from '../../service/flow/service-client.ts';
import type { Session } from '../../service/flow/session.ts';
import type { MonitoredSession } from '../monitor/attach.ts';
import { SORTED_SCOPES } from '../monitor/read-request.ts';
import type { KnownPair } from '../monitor/token-model.ts';

/** The step's name in findings. */
const END_OF_RUN = 'a wait at the end of the run, as long as its oldest token is old';

/** Seconds that a new token is kept unused, at most. */
const LONGEST_WAIT = 30;

/**
 * Lists with the oldest access token of the run. Misuses in between may have ended it, so a refusal alone proves nothing: then a
 * new token is kept for as long, with nothing sent meanwhile, and the monitor evaluates its first use. Live targets only: no check
 * keeps a token as long as a run without a clock takes.
 */
export async function useOldestToken(
  { monitor: { model }, now, during }: MonitoredSession,
  session: Session,
): Promise<void> {
  const { target } = session;
  if (!target.isLive) return;
  const at = now();
  const mayLive = (pair: KnownPair) =>
    pair.family.changed === undefined && pair.used === 0 && model.stateOf(pair, at) !== 'dead';
  const oldest = [...model.byAccess].find(([, pair]) => pair.scope === SORTED_SCOPES && mayLive(pair));
  if (oldest === undefined) return;
  const [token, { issuedAt }] = oldest;
  const flowSteps = new FlowSteps(new ServiceClient(during(END_OF_RUN, session)));
  const { response } = await flowSteps.operation('list', { token });
  if (response?.status !== 401) return;
  const fresh = await orStopped(flowSteps.freshAccessToken());
  if (fresh instanceof Stopped) return;
  await advanceOrSleep(target, Math.min(at - issuedAt, LONGEST_WAIT));
  await flowSteps.operation('list', { token: fresh });
}
