import type { IncomingMessage, ServerResponse } from 'node:http';
import { makeCertificates } from './certificates.ts';
import { Grace } from './grace.ts';
import { makePages } from './interactions.ts';
import { type Handler, listen } from './listener.ts';
import { makeProvider, PAGES_PATH } from './provider.ts';
import { makeResourceApi } from './resource-api.ts';
import { makeSeeds, type SeedApplication } from './seeds.ts';
import { readSettings, type Settings } from './settings.ts';
import { makeStores } from './store.ts';

/** Settings of a vendor's front: an announced end, brownouts, and limits by method. */
interface Front {
  /** Puts it in front of a listener's answers. The limits count the requests of all listeners together, but for pages. */
  before(handler: Handler): Handler;
  /** The number of requests that were answered 429 so far. */
  throttled(): number;
}

/** Vendors limit their API and the token endpoint; a browser reads no header. */
function isPage(url = ''): boolean {
  return !url.startsWith('/oauth/token') && !url.includes('/projects/');
}

const DEPRECATED = '@1767225600';

function inFront({ limits, limitSeconds, brownout, sunset }: Settings): Front {
  const started = Date.now();
  const windows = new Map<string, { readonly began: number; count: number }>();
  let throttled = 0;

  function rests(res: ServerResponse): boolean {
    if (brownout === undefined) return false;
    const since = (Date.now() - started) / 1_000 - brownout.after;
    if (since < 0 || since >= brownout.lasts) return false;
    const wait = brownout.status === 503 ? { 'Retry-After': `${Math.ceil(brownout.lasts - since)}` } : {};
    res.writeHead(brownout.status, { 'Content-Type': 'text/plain', ...wait }).end('The service rests.\n');
    return true;
  }

  function isThrottled(method: string, res: ServerResponse): boolean {
    const most = limits.get(method);
    if (most === undefined) return false;
    const now = Date.now();
    const last = windows.get(method);
    const ms = limitSeconds * 1_000;
    const window = last !== undefined && now < last.began + ms ? last : { began: now, count: 0 };
    windows.set(method, window);
    window.count += 1;
    const left = Math.max(0, most - window.count);
    const reset = Math.ceil((window.began + ms - now) / 1_000);
    res.setHeader('RateLimit-Policy', `"${method}";q=${most};w=${limitSeconds}`);
    res.setHeader('RateLimit', `"${method}";r=${left};t=${reset}`);
    res.setHeader('X-RateLimit-Remaining', `${left}`);
    res.setHeader('X-RateLimit-Reset', `${reset}`);
    if (window.count <= most) return false;
    throttled += 1;
    res
      .writeHead(429, { 'Content-Type': 'text/plain', 'Retry-After': `${reset}` })
      .end('Too many requests.\n');
    return true;
  }

  return {
    before: (handler) => (req, res) => {
      if (sunset !== undefined) {
        res.setHeader('Sunset', new Date(sunset).toUTCString());
        res.setHeader('Deprecation', DEPRECATED);
      }
      if (rests(res) || (!isPage(req.url) && isThrottled(req.method ?? '', res))) return;
      return handler(req, res);
    },
    throttled: () => throttled,
  };
}

export { DEMANDS, type DefectId, type DemandId } from './defects.ts';
export { SELECTORS } from './pages.ts';

/** Addresses, seeds and secrets of an independent service that takes requests. */
export interface ReadyIndependentService {
  /** Address of the authorization server, without a slash at the end. */
  readonly authUrl: string;
  /** Address of the resource API, without a slash at the end and without `/v2`. */
  readonly baseUrl: string;
  /** Origin of the pages: `authUrl`, or its own. */
  readonly pagesUrl: string;
  /** Path of the private authority's certificate (PEM), with HTTPS; otherwise null. */
  readonly caFile: string | null;
  readonly consent: Settings['consent'];
  readonly interstitial: boolean;
  readonly application: SeedApplication;
  readonly secondApplication: SeedApplication;
  readonly owner: { readonly login: string; readonly password: string };
  readonly projects: readonly [string, string];
  /** Users that a suite may call its own: assigned nowhere at the start. */
  readonly users: readonly [string, string, string];
  readonly lockUser: string;
  readonly assigned: Readonly<Record<string, readonly string[]>>;
}

/** With `INDEPENDENT_SERVICE_CLOCK=1`, where a POST of `{"seconds": 60}` lets time pass. */
const CLOCK_PATH = '/clock/advance';

async function advance(req: IncomingMessage, res: ServerResponse, age: (seconds: number) => void) {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk);
  age(Number(JSON.parse(Buffer.concat(chunks).toString('utf8')).seconds));
  res.writeHead(204).end();
}

export interface RunningIndependentService {
  readonly ready: ReadyIndependentService;
  /** Method and path of every request that it has received so far, on any of its ports, in order. */
  received(): Promise<readonly string[]>;
  issued(): Promise<readonly string[]>;
  /** The number of requests that it has answered 429 so far. */
  throttled(): number;
  /** From soon on it takes requests and answers none. */
  fallSilent(): void;
  stop(): Promise<void>;
}

/** Starts a service that is not ours (`oidc-provider` and a small resource API). `env`: see `settings.ts`. */
export async function startIndependentService(
  env: Readonly<Record<string, string>> = {},
): Promise<RunningIndependentService> {
  const settings = readSettings(env);
  const seeds = makeSeeds(settings);
  const identity =
    settings.tls && settings.directory !== undefined ? await makeCertificates(settings.directory) : undefined;
  const received: string[] = [];
  const issued: string[] = [];

  const count = (req: IncomingMessage) => received.push(`${req.method} ${req.url?.split('?')[0]}`);
  const port = (index: number) => (settings.port === 0 ? 0 : settings.port + index);
  const auth = await listen(identity, count, port(0));
  const api = await listen(identity, count, port(1));
  const own = settings.twoOrigins ? await listen(identity, count, port(2)) : undefined;
  const listeners = own === undefined ? [auth, api] : [auth, api, own];
  const pagesUrl = own?.origin ?? auth.origin;

  const grace = new Grace(settings);
  const stores = makeStores(settings.defect, issued, grace);
  const provider = makeProvider(auth.origin, pagesUrl, settings, seeds, stores, grace);
  const authorization = provider.callback();
  const pages = makePages(provider, seeds, PAGES_PATH, settings);
  const isPage = (url: string | undefined) => url?.startsWith(`${PAGES_PATH}/`) === true;

  const front = inFront(settings);
  const resources = makeResourceApi(provider, seeds, settings.demands, settings.defect);
  auth.serve(
    front.before((req, res) =>
      own === undefined && isPage(req.url) ? pages(req, res) : authorization(req, res),
    ),
  );
  own?.serve(front.before(pages));
  const limited = front.before(resources);
  api.serve((req, res) =>
    settings.clock && req.url === CLOCK_PATH ? advance(req, res, stores.age) : limited(req, res),
  );

  const [firstProject = '', secondProject = ''] = Object.keys(seeds.assigned);
  const [one = '', two = '', three = '', lockUser = ''] = seeds.freeUsers;
  const { login, password } = seeds.owner;
  return {
    ready: {
      authUrl: auth.origin,
      baseUrl: api.origin,
      pagesUrl,
      caFile: identity?.caFile ?? null,
      consent: settings.consent,
      interstitial: settings.interstitial,
      application: seeds.application,
      secondApplication: seeds.secondApplication,
      owner: { login, password },
      projects: [firstProject, secondProject],
      users: [one, two, three],
      lockUser,
      assigned: seeds.assigned,
    },
    received: async () => [...received],
    issued: async () => [...issued],
    throttled: front.throttled,
    fallSilent: () => {
      for (const listener of listeners) listener.fallSilent();
    },
    stop: async () => {
      await Promise.all(listeners.map((listener) => listener.close()));
    },
  };
}
