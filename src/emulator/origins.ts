import type { EmulatorOptions } from './emulator-options.ts';
import type { EndpointSurroundings } from './endpoint.ts';
import { FastLane, type FrequentEndpoint } from './fast-lane.ts';
import { listen } from './listen.ts';
import { publicAddresses } from './public-addresses.ts';
import {
  addAuthorizationServer,
  addFallback,
  addHealth,
  addResourceApi,
  emptyApp,
  type OriginApp,
  operationsLane,
  tokenLane,
} from './routes.ts';
import type { Certificates } from './tls/certificates.ts';

/** The origins that the emulator answers at, and the two addresses of the document. */
export interface Origins {
  readonly authUrl: string;
  readonly baseUrl: string;
  /** Apps by origin. */
  readonly apps: ReadonlyMap<string, OriginApp>;
  close(): Promise<void>;
}

/** Addresses of an emulator without sockets. Nobody serves them: `.test` is reserved (RFC 6761). */
export const SOCKETLESS = {
  auth: 'http://auth.emulator.test',
  api: 'http://api.emulator.test',
  one: 'http://emulator.test',
  control: 'http://control.emulator.test',
} as const;

/**
 * Opens the authorization server and the resource API on two origins, or on one.
 *
 * @throws TypeError when a path or a public address is none
 */
export async function openOrigins(
  surroundings: EndpointSurroundings,
  options: EmulatorOptions,
  tls: Certificates | undefined,
): Promise<Origins> {
  const authPath = pathOption('authPath', options.authPath);
  const basePath = pathOption('basePath', options.basePath);
  const publicly = publicAddresses(options);
  const { port = 0, apiPort = 0, host = '127.0.0.1', oneOrigin = false, listen: sockets = true } = options;
  const quiet = () => surroundings.faults.idle && surroundings.holds.idle;
  const open = async (
    app: OriginApp,
    at: number,
    name: keyof typeof SOCKETLESS,
    lanes: readonly FrequentEndpoint[],
    known: (port: string) => string | undefined,
  ): Promise<Opened> => {
    const told = (origin: string) => known(portOf(origin)) ?? origin;
    if (!sockets) return { app, ...toldAs(SOCKETLESS[name], told), close: () => Promise.resolve() };
    const listening = await listen(app, { host, port: at, tls }, (origin) => {
      const hosts = new Set([origin, told(origin)].map((one) => new URL(one).host));
      return new FastLane(lanes, quiet, [...hosts]);
    });
    return { app, ...toldAs(listening.origin, told), close: listening.close };
  };
  const forTokens = tokenLane(surroundings, authPath);
  const forOperations = operationsLane(surroundings, basePath);

  if (oneOrigin) {
    const app = addHealth(emptyApp(), surroundings);
    addAuthorizationServer(app, surroundings, authPath);
    addResourceApi(app, surroundings, basePath);
    addFallback(app, surroundings, 'page', '');
    const one = await open(app, port, 'one', [forTokens, forOperations], () => publicly.auth);
    return {
      authUrl: one.told + authPath,
      baseUrl: one.told + basePath,
      apps: appsOf([one]),
      close: () => one.close(),
    };
  }

  const authApp = addAuthorizationServer(addHealth(emptyApp(), surroundings), surroundings, authPath);
  addFallback(authApp, surroundings, 'page', '');
  const apiApp = addResourceApi(addHealth(emptyApp(), surroundings), surroundings, basePath);
  addFallback(apiApp, surroundings, 'resource', '');
  const auth = await open(authApp, port, 'auth', [forTokens], () => publicly.auth);
  let api: Opened;
  try {
    api = await open(apiApp, apiPort, 'api', [forOperations], publicly.api);
  } catch (error) {
    await auth.close();
    throw error;
  }
  return {
    authUrl: auth.told + authPath,
    baseUrl: api.told + basePath,
    apps: appsOf([auth, api]),
    close: async () => {
      await Promise.all([auth.close(), api.close()]);
    },
  };
}

/** An app that is served, the origin that it is bound to, and the one that clients are told. */
interface Opened {
  readonly app: OriginApp;
  readonly bound: string;
  readonly told: string;
  close(): Promise<void>;
}

function toldAs(bound: string, told: (origin: string) => string): Pick<Opened, 'bound' | 'told'> {
  return { bound, told: told(bound) };
}

/** By either origin: a program may hand over requests to what it was told. */
function appsOf(opened: readonly Opened[]): ReadonlyMap<string, OriginApp> {
  return new Map(opened.flatMap(({ app, bound, told }) => [[bound, app] as const, [told, app] as const]));
}

function portOf(origin: string): string {
  const { port, protocol } = new URL(origin);
  return port || (protocol === 'https:' ? '443' : '80');
}

function pathOption(name: string, path = ''): string {
  if (path === '' || path === '/') return '';
  if (/^(\/[A-Za-z0-9._~-]+)+$/.test(path)) return path;
  throw new TypeError(
    `${name}: expected a path such as /api, without a slash at its end, got ${JSON.stringify(path)}.`,
  );
}
