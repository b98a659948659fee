import { type StartedBrowser, startChromium } from './start-chromium.ts';

interface LaunchOptions {
  readonly executablePath?: string;
  /** Redirect URIs of the clients. Their hosts are made unresolvable, so that no code can reach them. */
  readonly redirectUris: readonly string[];
  readonly serviceUrls: readonly string[];
  /** True for a target on this machine: then only the service's hosts resolve. */
  readonly onlyService: boolean;
  /** From the configuration, or the gateway of `page-gateway.ts`. */
  readonly proxy?: URL;
  readonly window?: boolean;
  /** Base64 SHA-256 of SPKIs of keys that are accepted from any host; see `page-gateway.ts`. */
  readonly trustedKeys?: readonly string[];
}

/** Memory of a page's scripts, in MB: beyond it Chromium ends the page's process. A page's own buffers do not count. */
export const PAGE_MEMORY_MB = 512;

/** Starts a browser that cannot resolve the clients' hosts. */
export async function launchBrowser(options: LaunchOptions): Promise<StartedBrowser> {
  const { trustedKeys = [] } = options;
  const wanted = {
    headless: options.window !== true,
    executablePath: options.executablePath,
    proxy: options.proxy && proxySettings(options.proxy, options),
    // Otherwise the driver lets pages open windows without a click.
    ignoreDefaultArgs: ['--disable-popup-blocking'],
    args: [
      `--host-resolver-rules=${resolverRules(options)}`,
      ...(trustedKeys.length > 0 ? [`--ignore-certificate-errors-spki-list=${trustedKeys.join(',')}`] : []),
      `--js-flags=--max-old-space-size=${PAGE_MEMORY_MB}`,
      ...QUIET,
    ],
  };
  return startChromium(wanted);
}

/** Returns the runner's proxy settings. The clients' hosts bypass the proxy, which resolves names: the resolver rules block them. */
export function proxySettings(
  proxy: URL,
  { redirectUris, serviceUrls }: Pick<LaunchOptions, 'redirectUris' | 'serviceUrls'>,
) {
  const service = new Set(serviceUrls.map((url) => new URL(url).hostname));
  const clients = redirectUris
    .flatMap((address) => URL.parse(address)?.hostname ?? [])
    .filter((host) => host !== '' && !service.has(host));
  return {
    server: proxy.origin,
    bypass: [...new Set(clients.flatMap((host) => [host, `*.${host}`]))].join(','),
    ...(proxy.username === '' ? {} : { username: decodeURIComponent(proxy.username) }),
    ...(proxy.password === '' ? {} : { password: decodeURIComponent(proxy.password) }),
  };
}

const QUIET = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-domain-reliability',
  '--no-first-run',
];

/** Returns Chromium's resolver rules for the whole browser, pop-ups included: the safety net under `redirect-catcher.ts`. */
export function resolverRules(options: LaunchOptions): string {
  const serviceHosts = [...new Set(options.serviceUrls.map((u) => new URL(u).hostname))];
  if (options.onlyService) {
    const proxyHosts = options.proxy === undefined ? [] : [options.proxy.hostname];
    return ['MAP * ~NOTFOUND', ...[...serviceHosts, ...proxyHosts].map((host) => `EXCLUDE ${host}`)].join(
      ' , ',
    );
  }
  const rules = new Set<string>();
  for (const redirectUri of options.redirectUris) {
    const { hostname, port, protocol } = URL.parse(redirectUri) ?? { hostname: '' };
    if (hostname === '') continue;
    if (serviceHosts.includes(hostname)) {
      const usual = protocol === 'https:' ? '443' : '80';
      rules.add(`MAP ${hostname}:${port || usual} ~NOTFOUND`);
    } else {
      rules.add(`MAP ${hostname} ~NOTFOUND`);
      rules.add(`MAP *.${hostname} ~NOTFOUND`);
    }
  }
  return [...rules].join(' , ');
}
