import { setTimeout as pause } from 'node:timers/promises';
import {
  basicCredentials,
  type ConnectionOptions,
  type EdgeHeaders,
  openConnection,
} from '../http/connections.ts';
import {
  Aborted,
  type Header,
  isSuccess,
  type Transport,
  TransportFailure,
  unlessAborted,
  type WireRequest,
} from '../http/exchange.ts';
import { DEFAULT_LIMITS, explainFailure, nodeTransport, type OpenTransport } from '../http/node-transport.ts';
import { type PaceClock, REAL_CLOCK } from '../http/paced-transport.ts';
import { Traffic } from '../http/traffic.ts';
import {
  cureOf,
  keysOf,
  Unreachable,
  type Unreached,
  unreachable,
  unreachedText,
} from '../http/unreachable.ts';
import { type Configuration, DEFAULTS } from './configuration/configuration.ts';
import { liveAbilities } from './live-abilities.ts';
import { startPageGateway } from './page-gateway.ts';
import { isLocal } from './redirect-address.ts';
import {
  type Application,
  applicationsOf,
  type FormPages,
  type PresentationPlace,
  type ResourceRequestShape,
  type Target,
  type TargetClock,
} from './target.ts';

interface Wire extends OpenTransport {
  readonly reach?: Target['reach'];
  readonly clock?: PaceClock;
}

/** The schema demands one entry. */
type AtLeastOne = readonly [string, ...string[]];

export async function liveTarget(
  configuration: Configuration,
  wire = wireOf(configuration),
): Promise<Target> {
  const { pacing, budget, owner } = configuration;
  const connectionOptions = connectionOptionsOf(configuration);
  let gateway: ReturnType<typeof startPageGateway> | undefined;
  const application = configuration.application as Application;
  const secondApplication = configuration.secondApplication as Application | undefined;
  const own = applicationsOf({ application, secondApplication });
  const traffic = new Traffic(budget, pacing.requestsPerSecond, own, wire.clock, pacing.perMinute);
  return {
    kind: 'live',
    isLive: true,
    name: configuration.name,
    file: configuration.file,
    authUrl: configuration.authUrl,
    baseUrl: configuration.baseUrl,
    defects: [],
    application,
    secondApplication,
    owner,
    projects: configuration.projects as AtLeastOne,
    users: configuration.users as AtLeastOne,
    ...liveAbilities(configuration),
    presentation: configuration.token && presentationOf(configuration.token),
    userIdPointer: configuration.list?.userId,
    readsList: configuration.list?.reads,
    assignRequest: shapeOf(configuration.requests?.assign),
    unassignRequest: shapeOf(configuration.requests?.unassign),
    pages: livePages(configuration),
    guardedOrigins: guardedOrigins(configuration),
    savedSession: configuration.signIn.session?.state,
    skewSeconds: configuration.skewSeconds,
    mostSignIns: budget.signIns,
    mostRefusedSignIns: budget.refusedSignIns,
    transport: traffic.rule((...given) =>
      wire.transport(...given).catch((failure) => {
        throw failure instanceof Unreachable ? failure.named(keysOf(configuration)) : failure;
      }),
    ),
    reach: wire.reach,
    pause: (wire.clock ?? REAL_CLOCK).sleep,
    lock: configuration.lock ? { waitSeconds: 0, ...configuration.lock } : undefined,
    traffic,
    clock: configuration.clock && remoteClock(configuration.clock, wire.transport),
    unreached: (address, code) => unreachable(address, code, connectionOptions),
    browserAccess: async () => {
      const { proxy, noProxy } = connectionOptions;
      if (configuration.tls === undefined && !(proxy && noProxy)) return { proxy, trustedKeys: [] };
      const { opened, mayConnectTo } = pageRules(configuration);
      // Without keys of its own for TLS it only chooses between proxy and address.
      gateway ??= startPageGateway({
        connectionOptions,
        mayConnectTo,
        opened: configuration.tls === undefined ? new Set() : opened,
      });
      const { address, key } = await gateway;
      return { proxy: address, trustedKeys: [key] };
    },
    close: async () => {
      wire.close();
      await (await gateway)?.close();
    },
  };
}

function wireOf(configuration: Configuration): Wire {
  const { deadlineMs } = configuration.pacing;
  const connectionOptions = connectionOptionsOf(configuration);
  return {
    ...nodeTransport(connectionOptions, { ...DEFAULT_LIMITS, deadlineMs }),
    reach: () => reach(configuration, connectionOptions),
  };
}

/** Milliseconds before the second and last attempt to connect. */
const PAUSE_MS = 1_000;

async function reach(
  { authUrl, baseUrl, pacing }: Configuration,
  connectionOptions: ConnectionOptions,
): Promise<string | undefined> {
  const failed = async (address: string): Promise<Unreached | undefined> => {
    const opening = openConnection(address, connectionOptions);
    try {
      (await unlessAborted(opening, AbortSignal.timeout(pacing.deadlineMs))).destroy();
      return undefined;
    } catch (error) {
      // A connection that opens too late is closed, so that the process can end.
      void opening.then((late) => late.destroy()).catch(() => undefined);
      const cause = error instanceof Aborted ? new Error('ETIMEDOUT') : (error as Error);
      return { origin: new URL(address).origin, failure: explainFailure(cause, address, connectionOptions) };
    }
  };
  const gone: Unreached[] = [];
  for (const address of [authUrl, baseUrl]) {
    if ((await failed(address)) === undefined) continue;
    await pause(PAUSE_MS);
    gone.push(...[(await failed(address)) ?? []].flat());
  }
  const [first] = gone;
  if (first === undefined) return undefined;
  const keys = keysOf({ authUrl, baseUrl });
  const text = unreachedText(gone, keys);
  const cure = cureOf(first.failure, keys.get(first.origin) ?? 'authUrl');
  return text.endsWith(cure) ? text : `${text}: ${cure}`;
}

export function connectionOptionsOf(configuration: Configuration): ConnectionOptions {
  const { tls, proxy, noProxy } = configuration;
  return {
    ca: tls?.ca,
    edgeHeaders: edgeHeaders(configuration),
    client: tls?.client && { origins: guardedOrigins(configuration), certificate: tls.client },
    proxy: proxy === undefined ? undefined : new URL(proxy),
    noProxy,
  };
}

/** Chooses the origins that the page gateway opens itself, and those that it passes: never a client's. */
function pageRules(configuration: Configuration) {
  const { application, secondApplication, tls } = configuration;
  const opened = new Set([
    ...guardedOrigins(configuration),
    ...(tls?.pageOrigins ?? []).map((page) => new URL(page).origin),
  ]);
  const clients = [...application.redirectUris, ...(secondApplication?.redirectUris ?? [])]
    .map((address) => URL.parse(address)?.origin)
    .filter((origin) => origin !== undefined && !opened.has(origin));
  const hosts = new Set([...opened].map((origin) => new URL(origin).hostname));
  const local = isLocal(configuration);
  return {
    opened,
    mayConnectTo: (host: string, port: number) =>
      (!local || hosts.has(host)) &&
      !['http', 'https'].some((scheme) => clients.includes(new URL(`${scheme}://${host}:${port}`).origin)),
  };
}

function presentationOf({ presentation }: NonNullable<Configuration['token']>): PresentationPlace {
  if ('header' in presentation) return { in: 'header', scheme: presentation.header };
  if ('query' in presentation) return { in: 'query', name: presentation.query };
  return { in: 'form', name: presentation.form };
}

function shapeOf(written: NonNullable<Configuration['requests']>['assign']): ResourceRequestShape {
  const headers = Object.entries(written?.headers ?? {});
  const body = written?.body;
  if (body === undefined) return { headers };
  if (typeof body === 'string') return { headers, body };
  const typed = headers.some(([name]) => name.toLowerCase() === 'content-type');
  return {
    headers: typed ? headers : [...headers, ['Content-Type', 'application/json']],
    body: JSON.stringify(body),
  };
}

/** A shim's clock, moved by a request to its own address. Rejects as transports do if it does not move. */
function remoteClock(
  { advanceUrl, token }: NonNullable<Configuration['clock']>,
  wire: Transport,
): TargetClock {
  const failure = (kind: TransportFailure['kind'], why: string) =>
    new TransportFailure(kind, `the clock did not move (\`clock.advanceUrl\`): ${why}`);
  const request = (seconds: number): WireRequest => ({
    method: 'POST',
    url: advanceUrl,
    headers: [
      ['Content-Type', 'application/json'],
      ...(token === undefined ? [] : [['Authorization', `Bearer ${token}`] as const]),
    ],
    body: JSON.stringify({ seconds }),
  });
  return {
    advance: async (seconds) => {
      const response = await wire(request(seconds)).catch((error: unknown) => {
        throw error instanceof TransportFailure ? failure(error.kind, error.message) : error;
      });
      if (!isSuccess(response)) throw failure('not-sent', `status ${response.status}, expected 2xx`);
    },
  };
}

/** Stands for the button of a consent page that the service never shows. */
const NO_ELEMENT = { css: ':not(*)' };

function livePages(configuration: Configuration): FormPages {
  const { signIn, consent, accountArea, pacing } = configuration;
  return {
    signInForm: signIn.form,
    signIn: signIn.steps,
    signInModule: signIn.module,
    savedSession: signIn.session !== undefined,
    signInOrigins: signIn.origins,
    interstitials: signIn.interstitials ?? [],
    grant: consent.grant ?? NO_ELEMENT,
    deny: consent.deny,
    consentShown: consent.shown,
    settleMs: consent.settleMs ?? DEFAULTS.settleMs,
    pageDeadlineMs: pacing.deadlineMs,
    accountArea: accountArea && { path: DEFAULTS.accountAreaPath, fields: [], ...accountArea },
    edgeHeaders: edgeHeaders(configuration),
  };
}

type Guarded = Pick<Configuration, 'authUrl' | 'baseUrl' | 'requests' | 'edge'>;

/** Returns the origins that may get headers, HTTP Basic and the client certificate. */
function guardedOrigins({ authUrl, baseUrl, edge }: Guarded): ReadonlySet<string> {
  return new Set([authUrl, baseUrl, ...(edge?.origins ?? [])].map((url) => new URL(url).origin));
}

/** Returns the headers of `requests` and `edge.basic` by address. Origins are compared whole, never by their beginning. */
export function edgeHeaders(configuration: Guarded): EdgeHeaders | undefined {
  const { requests, edge, baseUrl } = configuration;
  const everywhere = Object.entries(requests?.headers ?? {});
  const { user, password } = edge?.basic ?? {};
  const basic: readonly Header[] =
    user === undefined ? [] : [['Authorization', `Basic ${basicCredentials(user, password ?? '')}`]];
  const atApi: readonly Header[] = [...everywhere, ...(edge?.basic?.at === 'authUrl' ? [] : basic)];
  const elsewhere: readonly Header[] = [...everywhere, ...basic];
  if (atApi.length + elsewhere.length === 0) return undefined;
  const guarded = guardedOrigins(configuration);
  const api = new URL(baseUrl).origin;
  const shared = api === new URL(configuration.authUrl).origin;
  return (url) => {
    const origin = URL.parse(url)?.origin;
    if (origin === undefined || !guarded.has(origin)) return [];
    const isApi = origin === api && (!shared || url.startsWith(`${baseUrl}/v2/`));
    return isApi ? atApi : elsewhere;
  };
}
