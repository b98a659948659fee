import type { EdgeHeaders } from '../http/connections.ts';
import type { Header } from '../http/exchange.ts';
import type { Configuration } from './configuration/configuration.ts';
import { basicCredentials } from './configuration/configured-secrets.ts';

type Guarded = Pick<Configuration, 'authUrl' | 'baseUrl' | 'requests' | 'edge'>;

/** Returns the origins that may get headers, HTTP Basic and the client certificate. */
export function guardedOrigins({ authUrl, baseUrl, edge }: Guarded): ReadonlySet<string> {
  return new Set([authUrl, baseUrl, ...(edge?.origins ?? [])].map((url) => new URL(url).origin));
}

/** Returns the headers of `requests` and `edge.basic` by address. Origins are compared whole, never by their beginning. */
export function edgeHeaders(configuration: Guarded): EdgeHeaders | undefined {
  const { requests, edge, baseUrl } = configuration;
  const everywhere = Object.entries(requests?.headers ?? {});
  const basic: readonly Header[] =
    edge?.basic === undefined ? [] : [['Authorization', `Basic ${basicCredentials(edge.basic)}`]];
  const atApi: readonly Header[] = [
    ...Object.entries(requests?.baseUrl?.headers ?? {}),
    ...everywhere,
    ...(edge?.basic?.at === 'authUrl' ? [] : basic),
  ];
  const elsewhere: readonly Header[] = [
    ...Object.entries(requests?.authUrl?.headers ?? {}),
    ...everywhere,
    ...basic,
  ];
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
