import type { EmulatorOptions } from './emulator-options.ts';

export interface PublicAddresses {
  readonly auth: string | undefined;
  api(port: string): string | undefined;
  control(port: string): string | undefined;
  /** Used for the certificate. */
  readonly hosts: readonly string[];
}

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
