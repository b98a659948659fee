import { LIFETIME } from '../../../document/lifetime.ts';
import { type Exchange, headerOf, isSuccess, TransportFailure } from '../../../http/exchange.ts';
import { orError } from '../../../http/or-else.ts';
import { exchangesOf } from '../../../http/recorder.ts';
import type { ConfigurationFinding, Target } from '../../target.ts';
import { FlowSteps, orStopped, Stopped } from '../flow-steps.ts';
import { exchangeParameters } from '../requests.ts';
import { ServiceClient } from '../service-client.ts';
import type { Session } from '../session.ts';

/** Seconds by which the clock is moved for the test: longer than a token lives. */
const LEAP = LIFETIME + 60;

/** The clock is contradicted if it says that it moved beyond a token's life, but a token and a code from before still work. */
export async function clockContradicted(session: Session): Promise<ConfigurationFinding | undefined> {
  const { target } = session;
  const { clock } = target;
  if (clock === undefined) return undefined;
  const flowSteps = new FlowSteps(new ServiceClient(session));
  const { serviceClient } = flowSteps;
  const token = await orStopped(flowSteps.freshAccessToken());
  const issued = exchangesOf(serviceClient.recorder.entries).at(-1);
  const code = await orStopped(flowSteps.code());
  if (token instanceof Stopped || code instanceof Stopped) return undefined;
  const moved = await orError(clock.advance(LEAP + target.skewSeconds), TransportFailure);
  if (moved instanceof TransportFailure) return undefined;
  if (!isSuccess((await flowSteps.operation('list', { token })).response)) return undefined;
  const late = await serviceClient.token('exchange the code', exchangeParameters(target.application, code));
  if (late.tokens.accessToken === undefined) return undefined;
  if ((await orStopped(flowSteps.freshAccessToken())) instanceof Stopped) return undefined;
  if (issued !== undefined && secondsBetween(issued, late) > LEAP / 2) return undefined;
  return {
    observed: `the clock that \`clock.advanceUrl\` moves is not the service's: ${LEAP} s later a code and an access token from before are honoured, and no answer shows another time`,
    remedy: 'correct `clock`, or leave it out and wait with --wait-expiry',
  };
}

/** Returns the seconds between two token responses by `Date` or `created_at`; 0 if both are missing. */
function secondsBetween(before: Exchange, after: Exchange): number {
  const [one, other] = [timesOf(before), timesOf(after)];
  return Math.max(
    0,
    ...one.map((time, i) => (other[i] ?? Number.NaN) - time).filter((s) => !Number.isNaN(s)),
  );
}

function timesOf({ response }: Exchange): readonly number[] {
  const date = Date.parse((response && headerOf(response, 'date')) ?? '') / 1_000;
  const created = /"created_at"\s*:\s*(\d+)/.exec(response?.body ?? '')?.[1];
  return [date, Number(created)];
}

/** Largest clock difference in seconds at which one-time codes still match (RFC 6238 section 5.2: one step). */
const MOST_SECONDS = 30;

/** The reason why a one-time code cannot work: the target's `Date` differs. Asked before typing: refused codes count towards a lock-out. */
export async function skewTrouble(target: Target): Promise<string | undefined> {
  if (target.owner.totpSecret === undefined) return undefined;
  const seconds = (await secondsAhead(target)) ?? 0;
  if (Math.abs(seconds) <= MOST_SECONDS) return undefined;
  return `the target's clock is ${aheadText(seconds)}, and the one-time code of \`owner.totpSecret\` depends on it: nothing was typed; set the clock that is wrong`;
}

/** Returns by how many seconds the target's clock is ahead of this one; undefined without a `Date`. Sends one read. */
export async function secondsAhead({ authUrl, transport }: Target): Promise<number | undefined> {
  const url = `${authUrl}/oauth/authorize`;
  const sentAt = Date.now();
  const response = await transport({ method: 'GET', url, headers: [['Accept', 'text/html']] });
  const date = Date.parse(headerOf(response, 'date') ?? '');
  // A Date has whole seconds, so the clock is half a second ahead on average.
  return Number.isNaN(date) ? undefined : Math.round((date + 500 - (sentAt + Date.now()) / 2) / 1_000);
}

export function aheadText(seconds: number): string {
  return `${Math.abs(seconds)} s ${seconds > 0 ? 'ahead of' : 'behind'} ours`;
}
