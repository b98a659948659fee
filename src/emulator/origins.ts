import type { EmulatorOptions } from './emulator-options.ts';
import type { Surroundings } from './endpoint.ts';
import { FastLane, type Lane } from './fast-lane.ts';
import { type Listening, listen } from './listen.ts';
import {
  type App,
  addAuthorizationServer,
  addFallback,
  addResourceApi,
  emptyApp,
  operationsLane,
  tokenLane,
} from './routes.ts';

/** The origins that the emulator answers at, and the two addresses of the document. */
export interface Origins {
  readonly authUrl: string;
  readonly baseUrl: string;
  /** Apps by origin. */
  readonly apps: ReadonlyMap<string, App>;
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
 * @throws TypeError when a path option is no path
 */
export async function openOrigins(surroundings: Surroundings, options: EmulatorOptions): Promise<Origins> {
  const authPath = pathOption('authPath', options.authPath);
  const basePath = pathOption('basePath', options.basePath);
  const { port = 0, apiPort = 0, host = '127.0.0.1', oneOrigin = false, listen: sockets = true } = options;
  const open = (
    app: App,
    at: number,
    name: keyof typeof SOCKETLESS,
    lanes: readonly Lane[],
  ): Promise<Listening> | Listening =>
    sockets
      ? listen(app, host, at, (own) => new FastLane(lanes, surroundings.faults, own))
      : { origin: SOCKETLESS[name], close: () => Promise.resolve() };
  const forTokens = tokenLane(surroundings, authPath);
  const forOperations = operationsLane(surroundings, basePath);

  if (oneOrigin) {
    const app = emptyApp();
    addAuthorizationServer(app, surroundings, authPath);
    addResourceApi(app, surroundings, basePath);
    addFallback(app, surroundings, 'page', '');
    const one = await open(app, port, 'one', [forTokens, forOperations]);
    return {
      authUrl: one.origin + authPath,
      baseUrl: one.origin + basePath,
      apps: new Map([[one.origin, app]]),
      close: () => one.close(),
    };
  }

  const authApp = addAuthorizationServer(emptyApp(), surroundings, authPath);
  addFallback(authApp, surroundings, 'page', '');
  const apiApp = addResourceApi(emptyApp(), surroundings, basePath);
  addFallback(apiApp, surroundings, 'resource', '');
  const auth = await open(authApp, port, 'auth', [forTokens]);
  let api: Listening;
  try {
    api = await open(apiApp, apiPort, 'api', [forOperations]);
  } catch (error) {
    await auth.close();
    throw error;
  }
  return {
    authUrl: auth.origin + authPath,
    baseUrl: api.origin + basePath,
    apps: new Map([
      [auth.origin, authApp],
      [api.origin, apiApp],
    ]),
    close: async () => {
      await Promise.all([auth.close(), api.close()]);
    },
  };
}

function pathOption(name: string, path = ''): string {
  if (path === '' || path === '/') return '';
  if (/^(\/[A-Za-z0-9._~-]+)+$/.test(path)) return path;
  throw new TypeError(
    `${name}: expected a path such as /api, without a slash at its end, got ${JSON.stringify(path)}.`,
  );
}
