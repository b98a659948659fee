import { FlowSteps, orStopped, Stopped } from '../../service/flow/flow-steps.ts';
import { ServiceClient } from '../../service/flow/service-client.ts';
import type { Session } from '../../service/flow/session.ts';
import type { RunningContext } from '../language/context.ts';
import { Blocked, ConformanceFailure, NotApplicable } from '../language/outcome.ts';

const ENDED =
  'a token response ends the refresh tokens of the grants before it (clause 4.3 promises the latest)';

/** Explains the end of a check by a refused refresh of an earlier grant, on a live service that keeps none. */
export async function ofEarlierGrant(
  error: unknown,
  { serviceClient: { recorder, session } }: RunningContext,
): Promise<NotApplicable | undefined> {
  const { latest, target, findings } = session;
  const isOutdated = recorder.entries.some(
    (entry) =>
      entry.kind === 'exchange' &&
      latest.isOutdated(entry.exchange.request) &&
      [400, 401].includes(entry.exchange.response?.status ?? 0) &&
      isOfRefresh(error, entry.exchange.response),
  );
  if (!target.isLive || !isOutdated) return undefined;
  const before = findings?.count() ?? 0;
  latest.keepsEarlier ??= keepsEarlier(session);
  if (await latest.keepsEarlier) return undefined;
  findings?.markUncertain(before, findings.count());
  return new NotApplicable('several-grants', ENDED);
}

function isOfRefresh(error: unknown, response: unknown): boolean {
  if (error instanceof Stopped) return error.step === 'refresh';
  if (error instanceof Blocked) return REFRESHES.includes(error.owner);
  return error instanceof ConformanceFailure && error.answer === response;
}

const REFRESHES = ['refresh.token-response', 'refresh.chain'];

/** False if the service refuses the refresh token of the first of two grants, and honours that of the second. */
async function keepsEarlier(session: Session): Promise<boolean> {
  const flowSteps = new FlowSteps(new ServiceClient(session));
  const [first, second] = [await orStopped(flowSteps.pair()), await orStopped(flowSteps.pair())];
  if (first instanceof Stopped || second instanceof Stopped) return true;
  const earlier = await orStopped(flowSteps.refreshed(first));
  if (!(earlier instanceof Stopped) || earlier.status !== 'refused') return true;
  return (await orStopped(flowSteps.refreshedNow(second))) instanceof Stopped;
}
