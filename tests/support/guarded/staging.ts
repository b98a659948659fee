import { mkdirSync } from 'node:fs';
import type { ConfigurationFile } from '../../../generated/schemas.d.ts';
import { type RunningIndependentService, startIndependentService } from '../independent-service/start.ts';
import { type WrittenConfiguration, writeLiveConfiguration } from '../live-config.ts';
import { type GuardCertificates, makeGuardCertificates, PASSPHRASE } from './certificates.ts';
import { type Demands, type Edge, startEdge } from './edge.ts';

export const GATEWAY_KEY = 'canary-gateway-key+1/&="<x>" %20';
export const BASIC = { user: 'staging-edge', password: 'canary-edge+pass/&="<x>" %20' };

export const HEADER: Demands = { header: { name: 'X-Gateway-Key', value: GATEWAY_KEY } };

/** The independent service behind an edge at each of its two addresses. */
export interface GuardedStaging {
  readonly independentService: RunningIndependentService;
  readonly auth: Edge;
  readonly api: Edge;
  readonly certificates: GuardCertificates | undefined;
  configure(change?: Partial<ConfigurationFile>): WrittenConfiguration;
  stop(): Promise<void>;
}

/** Starts the service and its edges: before pages and token endpoint, and before the resource API. */
export async function startGuardedStaging(
  directory: string,
  atAuth: Demands,
  atApi: Demands,
  { https = false, env = {} }: { readonly https?: boolean; readonly env?: Record<string, string> } = {},
): Promise<GuardedStaging> {
  mkdirSync(directory, { recursive: true });
  const certificates = https ? makeGuardCertificates(directory) : undefined;
  const independentService = await startIndependentService(env);
  const { ready } = independentService;
  const outside = new Map<string, string>();
  const auth = await startEdge(ready.authUrl, outside, atAuth, certificates);
  const api = await startEdge(ready.baseUrl, outside, atApi, certificates);
  const headers = { 'X-Gateway-Key': { env: 'STAGING_GATEWAY_KEY' }, 'X-Source': 'conformance' };
  const right: Partial<ConfigurationFile> = {
    authUrl: auth.origin,
    baseUrl: api.origin,
    ...(atAuth.header === undefined ? {} : { requests: { headers } }),
    ...(atAuth.basic === undefined
      ? {}
      : {
          edge: {
            basic: { user: atAuth.basic.user, password: { env: 'STAGING_EDGE_PASSWORD' }, at: 'authUrl' },
          },
        }),
    ...(certificates === undefined
      ? {}
      : {
          tls: {
            caFile: certificates.caFile,
            ...(atAuth.certificate === undefined
              ? {}
              : {
                  client: {
                    certFile: certificates.certFile,
                    keyFile: certificates.encryptedKeyFile,
                    passphrase: { env: 'STAGING_KEY_PASSPHRASE' },
                  },
                }),
          },
        }),
  };
  return {
    independentService,
    auth,
    api,
    certificates,
    configure: (change = {}) => {
      const { file, env: secrets } = writeLiveConfiguration(ready, directory, { ...right, ...change });
      const edge = { STAGING_GATEWAY_KEY: GATEWAY_KEY, STAGING_EDGE_PASSWORD: BASIC.password };
      return { file, env: { ...secrets, ...edge, STAGING_KEY_PASSPHRASE: PASSPHRASE } };
    },
    stop: async () => {
      await Promise.all([auth.close(), api.close()]);
      await independentService.stop();
    },
  };
}
