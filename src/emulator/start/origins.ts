import type { Certificates } from '../../http/certificates.ts';
import { type EmulatorParts, serviceHandler } from '../handle.ts';
import type { RequestHandler } from '../request.ts';
import { type PathPrefixes, routesOf } from '../routes.ts';
import type { AddressOptions, EmulatorOptions } from './emulator-options.ts';
import { connectionCounter, listen } from './socket.ts';

/** Addresses of an emulator without sockets; `.test` is reserved (RFC 6761). */
export const SOCKETLESS = {
  auth: 'http://auth.emulator.test',
  api: 'http://api.emulator.test',
  one: 'http://emulator.test',
  control: 'http://control.emulator.test',
} as const;

/** Opens authorization server and resource API on two origins, or on one. @throws TypeError for an invalid path or address */
export async function openOrigins(
  emulatorParts: EmulatorParts,
  options: EmulatorOptions,
  tls: Certificates | undefined,
) {
  const { listen: sockets = true, addresses = {} } = options;
  const { port = 0, apiPort = 0, host = '127.0.0.1', oneOrigin = false, authPath, basePath } = addresses;
  const publicly = publicAddresses(addresses);
  const auth = pathOption('authPath', authPath ?? publicly.authPath);
  const api = pathOption('basePath', basePath ?? publicly.basePath ?? (oneOrigin ? auth : ''));
  const connectionOf = connectionCounter();
  const open = async (
    spaces: PathPrefixes,
    at: number,
    name: keyof typeof SOCKETLESS,
    known: (port: string) => string | undefined,
  ): Promise<Opened> => {
    const handler = serviceHandler(emulatorParts, routesOf(emulatorParts.service.profile, spaces));
    const { origin, close } = sockets
      ? await listen(handler, { host, port: at, tls }, connectionOf)
      : { origin: SOCKETLESS[name], close: () => Promise.resolve() };
    return { handler, bound: origin, announced: known(portOf(origin)) ?? origin, close };
  };

  if (oneOrigin) {
    const one = await open({ auth, api }, port, 'one', () => publicly.auth);
    return originsOf(one.announced + auth, one.announced + api, [one]);
  }
  const first = await open({ auth }, port, 'auth', () => publicly.auth);
  try {
    const second = await open({ api }, apiPort, 'api', publicly.api);
    return originsOf(first.announced + auth, second.announced + api, [first, second]);
  } catch (error) {
    await first.close();
    throw error;
  }
}

interface Opened {
  readonly handler: RequestHandler;
  readonly bound: string;
  readonly announced: string;
  close(): Promise<void>;
}

/** Maps each handler under its bound and its public origin, because a program may use either. */
function originsOf(authUrl: string, baseUrl: string, opened: readonly Opened[]) {
  return {
    authUrl,
    baseUrl,
    handlers: new Map(
      opened.flatMap(({ handler, bound, announced }) => [bound, announced].map((at) => [at, handler])),
    ),
    close: async () => {
      await Promise.all(opened.map(({ close }) => close()));
    },
  };
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

/** `authPath` and `basePath` are passed on by a proxy in front; `hosts` are for the certificate. */
export function publicAddresses({ publicUrl, publicApiUrl }: AddressOptions) {
  const auth = publicUrl === undefined ? undefined : addressOption('publicUrl', publicUrl);
  const api = publicApiUrl === undefined ? undefined : addressOption('publicApiUrl', publicApiUrl);
  const besideAuth = (port: string) =>
    auth === undefined ? undefined : `${auth.protocol}//${auth.hostname}:${port}`;
  return {
    auth: auth?.origin,
    authPath: pathIn(auth),
    basePath: pathIn(api),
    api: (port: string) => api?.origin ?? besideAuth(port),
    control: (port: string) => (auth === undefined ? undefined : `http://${auth.hostname}:${port}`),
    hosts: [auth, api].flatMap((url) => (url === undefined ? [] : [url.hostname.replace(/^\[|\]$/g, '')])),
  };
}

function pathIn(url: URL | undefined): string | undefined {
  return url?.pathname.replace(/\/$/, '');
}

function addressOption(name: string, value: string): URL {
  const url = URL.parse(value);
  if (url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}${url.pathname}`)
    return url;
  throw new TypeError(
    `${name}: expected scheme, host, port and perhaps a path, such as http://legacy:8700, got ${JSON.stringify(value)}.`,
  );
}
