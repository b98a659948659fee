import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { Configuration } from '../../config/configuration.ts';
import { type ConnectionOptions, openTls } from '../../exchange/connections.ts';
import { headerOf, type Transport, TransportFailure, type WireRequest } from '../../exchange/exchange.ts';
import { DEFAULT_LIMITS, nodeTransport, tlsAdvice } from '../../exchange/node-transport.ts';
import { initialRequestStyle } from '../../flow/connect.ts';
import { type EdgeRefusal, edgeRefusal } from '../../flow/edge-refusal.ts';
import { authorizationParameters, authorizeUrl, resourceRequest } from '../../flow/requests.ts';
import { isLoopback } from '../../input/loopback.ts';
import { configuredGatewayKeys, type GatewayKey, withoutGatewayKey } from '../../targets/edge.ts';
import { connectionOptionsOf } from '../../targets/live.ts';
import { ALL_SCOPES, type Target } from '../../targets/target.ts';
import type { DoctorStep, StepEnd } from './step.ts';

/** A certificate that expires within this many days gets a note. */
const CERTIFICATE_NOTE_DAYS = 14;

export function networkSteps(
  configuration: Configuration,
  connectionOptions: ConnectionOptions,
  target: Target,
): readonly DoctorStep[] {
  return [
    { name: 'names', check: () => names(configuration, connectionOptions) },
    { name: 'certificates', check: () => certificates(configuration, connectionOptions) },
    ...gatewaySteps(configuration, target),
    { name: 'clock', check: () => clock(configuration, target) },
  ];
}

function addresses({ authUrl, baseUrl, tls }: Configuration): readonly (readonly [key: string, url: URL])[] {
  return [
    ['authUrl', new URL(authUrl)],
    ['baseUrl', new URL(baseUrl)],
    ...(tls?.pageOrigins ?? []).map((origin) => ['tls.pageOrigins', new URL(origin)] as const),
  ];
}

async function names(configuration: Configuration, { proxy }: ConnectionOptions): Promise<StepEnd> {
  // With a proxy, the proxy resolves the service's names.
  const wanted = proxy === undefined ? addresses(configuration) : [['proxy', proxy] as const];
  const seen = new Map<string, string>();
  for (const [key, { hostname }] of wanted) {
    const host = hostname.replace(/^\[|\]$/g, '');
    if (seen.has(host)) continue;
    if (isIP(host) !== 0) {
      seen.set(host, `${host} is an address`);
      continue;
    }
    try {
      const { address } = await lookup(host);
      seen.set(host, `${host} is ${address}`);
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? 'no answer';
      return {
        ok: false,
        observed: `${host} (\`${key}\`) does not resolve: ${code}`,
        remedy: `correct \`${key}\`, or run the suite in the network that knows this name`,
      };
    }
  }
  return { ok: true, observed: [...seen.values()].join(', ') };
}

async function certificates(
  configuration: Configuration,
  connectionOptions: ConnectionOptions,
): Promise<StepEnd> {
  const { pacing } = configuration;
  const observed: string[] = [];
  const notes: string[] = [];
  const origins = new Map(addresses(configuration).map(([key, url]) => [url.origin, { key, url }]));
  for (const { key, url } of origins.values()) {
    if (url.protocol !== 'https:') {
      observed.push(`${url.host} has none`);
      if (!isLoopback(url.hostname))
        notes.push(`${url.host} is plain HTTP: anyone on the network can read the secrets`);
      continue;
    }
    try {
      const opening = openTls(url.hostname, Number(url.port || 443), connectionOptions).then(accepted);
      const socket = await inTime(opening, pacing.deadlineMs);
      const { valid_to: until, issuer } = socket.getPeerCertificate();
      socket.destroy();
      const end = new Date(until);
      observed.push(
        `${url.host} until ${end.toISOString().slice(0, 10)} by ${[issuer.O ?? issuer.CN].flat()[0]}`,
      );
      const days = Math.floor((end.getTime() - Date.now()) / 86_400_000);
      if (days < CERTIFICATE_NOTE_DAYS) notes.push(`the certificate of ${url.host} ends in ${days} days`);
    } catch (error) {
      return {
        ok: false,
        observed: `${url.host} (\`${key}\`): ${(error as Error).message}`,
        remedy: cure(error, key),
      };
    }
  }
  return { ok: true, observed: observed.join(', '), notes };
}

async function inTime(opening: Promise<TLSSocket>, deadlineMs: number): Promise<TLSSocket> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no TLS connection within ${deadlineMs} ms`)), deadlineMs);
  });
  try {
    return await Promise.race([opening, late]);
  } catch (error) {
    opening.then((socket) => socket.destroy()).catch(() => undefined);
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** Milliseconds that a service may take to refuse a client certificate after the handshake. */
const REFUSAL_MS = 500;

/** In TLS 1.3 a server checks the client's certificate after the handshake; a session ticket shows that it accepts. */
function accepted(socket: TLSSocket): Promise<TLSSocket> {
  if (socket.getProtocol() !== 'TLSv1.3') return Promise.resolve(socket);
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(socket), REFUSAL_MS);
    const refuse = (error: Error) => {
      clearTimeout(timer);
      reject(error);
    };
    socket.once('session', () => {
      clearTimeout(timer);
      resolve(socket);
    });
    socket.once('error', refuse);
    socket.once('end', () => refuse(new Error(CLOSED)));
  });
}

const CLOSED = 'the connection was closed right after the handshake';

function cure(error: unknown, key: string): string {
  const { code = '', message } = error as NodeJS.ErrnoException;
  if (code === 'CERT_HAS_EXPIRED') return 'renew the certificate; the suite accepts no expired one';
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return `write the name that the certificate has into \`${key}\``;
  if (message === CLOSED)
    return 'likely the service wants a client certificate, or another one: set `tls.client`';
  return (
    tlsAdvice(error as Error) ?? `check that the service runs; if it does, correct \`${key}\` or its port`
  );
}

async function clock(configuration: Configuration, target: Target): Promise<StepEnd> {
  const sentAt = Date.now();
  const response = await target.transport(firstRequests(target).page);
  const date = Date.parse(headerOf(response, 'date') ?? '');
  if (Number.isNaN(date))
    return { ok: true, observed: 'the answer has no Date, so the clock could not be checked' };
  return skew(date, (sentAt + Date.now()) / 2, configuration.skewSeconds);
}

export function skew(date: number, ours: number, allowedSeconds: number): StepEnd {
  // A Date has whole seconds, so the service's clock is half a second ahead on average.
  const ahead = Math.round((date + 500 - ours) / 1_000);
  const seconds = Math.abs(ahead);
  const observed = seconds === 0 ? 'as ours' : `${seconds} s ${ahead > 0 ? 'ahead of' : 'behind'} ours`;
  if (seconds <= allowedSeconds + 1) return { ok: true, observed: `the service's clock is ${observed}` };
  return {
    ok: false,
    observed: `the service's clock is ${observed}, and \`skewSeconds\` allows ${allowedSeconds}`,
    remedy: `correct the wrong clock; if you cannot, set \`skewSeconds\` to ${seconds + 1}`,
  };
}

const NAMES: Readonly<Record<GatewayKey, string>> = {
  'tls.client': 'client cert',
  'requests.headers': 'headers',
  'edge.basic': 'basic',
};

/**
 * One step for each key that gets past a gateway, and one for the gateway as a whole. A key is right if the gateway refuses only the
 * request without it. That needs no list of gateways.
 */
function gatewaySteps(configuration: Configuration, target: Target): readonly DoctorStep[] {
  let looked: ReturnType<typeof look> | undefined;
  const withAll = () => {
    looked ??= look(target, target.transport);
    return looked;
  };
  return [
    ...configuredGatewayKeys(configuration).map((key) => ({
      name: NAMES[key],
      check: async (): Promise<StepEnd> => {
        const refusal = await withAll();
        if (refusal?.key === key) return failed(refusal);
        // Another refusal hides the effect of this key.
        if (refusal !== undefined) return { ok: true, observed: 'sent' };
        return aboutKey(configuration, target, key);
      },
    })),
    { name: 'gateway', check: async () => wholeGateway(await withAll()) },
  ];
}

/** Returns the requests that reach the service first: a page, and a call without a token. */
function firstRequests(target: Target): { readonly page: WireRequest; readonly call: WireRequest } {
  const requestStyle = initialRequestStyle(target);
  const parameters = authorizationParameters(target.application, requestStyle, { scope: ALL_SCOPES });
  return {
    page: {
      method: 'GET',
      url: authorizeUrl(target, requestStyle, parameters),
      headers: [['Accept', 'text/html']],
    },
    call: resourceRequest(target, requestStyle, {
      operation: 'list',
      project: target.projects[0],
      token: undefined,
    }),
  };
}

/** A refusal of the gateway, or no answer at all: then without a key. */
type Refusal = Omit<EdgeRefusal, 'key'> & { readonly key?: GatewayKey };

async function look(target: Target, transport: Transport): Promise<Refusal | undefined> {
  const { page, call } = firstRequests(target);
  for (const [request, key] of [
    [page, 'authUrl'],
    [call, 'baseUrl'],
  ] as const) {
    try {
      const refusal = await edgeRefusal(target, request.url, await transport(request), transport);
      if (refusal !== undefined) return refusal;
    } catch (error) {
      if (!(error instanceof TransportFailure)) throw error;
      const remedy = `check that the service runs; if it does, correct \`${key}\`, its port, or \`proxy\``;
      return { observed: `\`${key}\` gave no answer: ${error.message}`, remedy };
    }
  }
  return undefined;
}

function failed({ observed, remedy }: Refusal): StepEnd {
  return { ok: false, observed, remedy };
}

function wholeGateway(refusal: Refusal | undefined): StepEnd {
  return refusal === undefined
    ? { ok: true, observed: 'the answers at both addresses are the service’s own' }
    : failed(refusal);
}

async function aboutKey(configuration: Configuration, target: Target, key: GatewayKey): Promise<StepEnd> {
  const limits = { ...DEFAULT_LIMITS, deadlineMs: configuration.pacing.deadlineMs };
  const { transport, close } = nodeTransport(
    connectionOptionsOf(withoutGatewayKey(configuration, key)),
    limits,
  );
  try {
    const refusal = await look(target, transport);
    if (refusal !== undefined)
      return { ok: true, observed: `\`${key}\` is asked for: without it the answer is a refusal` };
    return {
      ok: true,
      observed: 'sent',
      notes: [`nothing asks for \`${key}\`: the answers are the same without it`],
    };
  } finally {
    close();
  }
}
