import { isLoopback } from '../../document/input/loopback.ts';
import { type ConnectionOptions, openTls } from '../../http/connections.ts';
import { TransportFailure, unlessAborted, type WireRequest } from '../../http/exchange.ts';
import { explainFailure } from '../../http/node-transport.ts';
import { cureOf, unreachedText } from '../../http/unreachable.ts';
import type { Configuration } from '../../service/configuration/configuration.ts';
import { edgeRefusal } from '../../service/flow/edge-refusal.ts';
import { authorizeAddress, resourceRequest } from '../../service/flow/requests.ts';
import { initialRequestStyle } from '../../service/flow/session.ts';
import { aheadText, secondsAhead } from '../../service/flow/settings/clock.ts';
import type { Target } from '../../service/target.ts';

import { type DoctorStep, failed, passed, type StepEnd } from './steps.ts';

/** A certificate that expires within this many days gets a note. */
const CERTIFICATE_NOTE_DAYS = 14;

/** Returns the steps that need no page: certificates, gateway, clock. */
export function networkSteps(
  configuration: Configuration,
  connectionOptions: ConnectionOptions,
  target: Target,
): readonly DoctorStep[] {
  return [
    { name: 'certificates', check: () => certificates(configuration, connectionOptions) },
    { name: 'gateway', check: () => gateway(target) },
    { name: 'clock', check: async () => skewEnd(await secondsAhead(target), configuration.skewSeconds) },
  ];
}

async function certificates(
  { authUrl, baseUrl, tls, pacing }: Configuration,
  connectionOptions: ConnectionOptions,
): Promise<StepEnd> {
  const observed: string[] = [];
  const notes: string[] = [];
  const keys = new Map([
    ...(tls?.pageOrigins ?? []).map((origin) => [new URL(origin).origin, 'tls.pageOrigins'] as const),
    [new URL(baseUrl).origin, 'baseUrl'],
    [new URL(authUrl).origin, 'authUrl'],
  ]);
  for (const [origin, key] of keys) {
    const url = new URL(origin);
    if (url.protocol !== 'https:') {
      observed.push(`${url.host} has none`);
      if (!isLoopback(url.hostname))
        notes.push(`${url.host} is plain HTTP: anyone on the network can read the secrets`);
      continue;
    }
    const opening = openTls(url.hostname, Number(url.port || 443), connectionOptions);
    try {
      const socket = await unlessAborted(opening, AbortSignal.timeout(pacing.deadlineMs));
      const { valid_to: until, issuer } = socket.getPeerCertificate();
      socket.destroy();
      const end = new Date(until);
      observed.push(
        `${url.host} until ${end.toISOString().slice(0, 10)} by ${[issuer.O ?? issuer.CN].flat()[0]}`,
      );
      const days = Math.floor((end.getTime() - Date.now()) / 86_400_000);
      if (days < CERTIFICATE_NOTE_DAYS) notes.push(`the certificate of ${url.host} ends in ${days} days`);
    } catch (error) {
      // A connection that opens too late is closed, so that the process can end.
      void opening.then((late) => late.destroy()).catch(() => undefined);
      return unanswered(key, origin, error as Error, connectionOptions);
    }
  }
  return passed(observed.join(', '), ...notes);
}

function unanswered(key: string, address: string, error: Error, through?: ConnectionOptions): StepEnd {
  const failure = explainFailure(error, address, through);
  const { origin } = new URL(address);
  const observed = unreachedText([{ origin, failure }], new Map([[origin, key]]));
  return failed(observed, cureOf(failure, key));
}

/** Compares the clock of the service with the limit of the configuration. */
export function skewEnd(ahead: number | undefined, allowedSeconds: number): StepEnd {
  if (ahead === undefined) return passed('the answer has no Date, so the clock could not be checked');
  const observed = `the service's clock is ${ahead === 0 ? 'as ours' : aheadText(ahead)}`;
  if (Math.abs(ahead) <= allowedSeconds + 1) return passed(observed);
  return failed(
    `${observed}, and \`skewSeconds\` allows ${allowedSeconds}`,
    `correct the wrong clock; if you cannot, set \`skewSeconds\` to ${Math.abs(ahead) + 1}`,
  );
}

/** Sends what reaches the service first: the authorization request, and a call without a token. */
async function gateway(target: Target): Promise<StepEnd> {
  const style = initialRequestStyle(target);
  const url = authorizeAddress(target, style);
  const [project] = target.projects;
  const requests: readonly (readonly [key: string, request: WireRequest])[] = [
    ['authUrl', { method: 'GET', url, headers: [['Accept', 'text/html']] }],
    ['baseUrl', resourceRequest(target, style, { operation: 'list', project, token: undefined })],
  ];
  // A page at `authUrl` may be a portal's: the step that looks for the form tells.
  let own = '`baseUrl`';
  for (const [key, request] of requests) {
    try {
      const response = await target.transport(request);
      if (key === 'authUrl' && response.status >= 300 && response.status < 400) own = `\`${key}\` and ${own}`;
      const refusal = await edgeRefusal(target, request.url, response);
      if (refusal !== undefined) return failed(refusal.observed, refusal.remedy);
    } catch (error) {
      if (!(error instanceof TransportFailure)) throw error;
      return unanswered(key, request.url, error);
    }
  }
  return passed(`the service itself answers at ${own}`);
}
