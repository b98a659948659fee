import type { EmulatorOptions } from './emulator-options.ts';

/** Origins that clients are told, in place of those that are listened on. */
export interface PublicAddresses {
  /** What clients are told of the first port. */
  readonly auth: string | undefined;
  /** What clients are told of a port of the resource API. */
  api(port: string): string | undefined;
  /** What clients are told of the control port. */
  control(port: string): string | undefined;
  /** The host, for a certificate. */
  readonly hosts: readonly string[];
}

/**
 * Reads the public addresses of the options.
 *
 * @throws TypeError when one is no origin
 */
export function publicAddresses({
  publicUrl,
  publicApiUrl,
}: Pick<EmulatorOptions, 'publicUrl' | 'publicApiUrl'>): PublicAddresses {
  const auth = publicUrl === undefined ? undefined : originOption('publicUrl', publicUrl);
  const api = publicApiUrl === undefined ? undefined : originOption('publicApiUrl', publicApiUrl);
  const besideAuth = (port: string) =>
    auth === undefined ? undefined : `${auth.protocol}//${auth.hostname}:${port}`;
  return {
    auth: auth?.origin,
    api: (port) => api?.origin ?? besideAuth(port),
    control: (port) => (auth === undefined ? undefined : `http://${auth.hostname}:${port}`),
    hosts: [auth, api].flatMap((url) => (url === undefined ? [] : [url.hostname.replace(/^\[|\]$/g, '')])),
  };
}

function originOption(name: string, value: string): URL {
  const url = URL.parse(value);
  const isOrigin = url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`;
  if (isOrigin) return url;
  throw new TypeError(
    `${name}: expected scheme, host and port such as http://legacy:8700, without a path, got ${JSON.stringify(value)}.`,
  );
}
