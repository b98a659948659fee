import { test } from '@playwright/test';
import type { ConfigurationFile } from '../../generated/schemas.d.ts';
import { startFaultyService } from './faulty-service/service.ts';
import { type Gateway, type GatewayHooks, startGateway } from './gateway.ts';
import { startIndependentService } from './independent-service/start.ts';
import { type WrittenConfiguration, writeLiveConfiguration } from './live-config.ts';

export interface BehindGateway {
  readonly gateway: Gateway;
  readonly projects: readonly string[];
  /** The suite's own. */
  readonly users: readonly string[];
  readonly lockUser: string;
  /** Writes the configuration of the service, seen through the gateway. */
  configure(change?: Partial<ConfigurationFile>): WrittenConfiguration;
  close(): Promise<void>;
}

/** Defects of the service behind the gateway, by what each of the two calls them. */
export interface Behind {
  readonly independentService?: string;
  readonly emulator?: string;
}

/** Two services as live targets: one that is not ours, and the emulator. Neither needs a browser. */
export const SERVICES: Readonly<
  Record<string, (hooks: GatewayHooks, behind?: Behind) => Promise<BehindGateway>>
> = {
  'the independent service': async (hooks, { independentService } = {}) => {
    const running = await startIndependentService(
      independentService === undefined ? {} : { INDEPENDENT_SERVICE_DEFECT: independentService },
    );
    const { ready } = running;
    const gateway = await startGateway(ready.baseUrl, hooks);
    return {
      gateway,
      projects: ready.projects,
      users: ready.users,
      lockUser: ready.lockUser,
      configure: (change = {}) =>
        writeLiveConfiguration(ready, test.info().outputPath('.'), { baseUrl: gateway.url, ...change }),
      close: async () => {
        await gateway.close();
        await running.stop();
      },
    };
  },
  'the emulator': async (hooks, { emulator } = {}) => {
    const service = await startFaultyService({ defects: emulator === undefined ? [] : [emulator] });
    const { settings } = service;
    const gateway = await startGateway(settings.baseUrl, hooks);
    return {
      gateway,
      projects: settings.projects,
      users: settings.users,
      lockUser: settings.lock === false ? '' : settings.lock.user,
      configure: (change = {}) =>
        service.configure(test.info().outputPath('.'), { baseUrl: gateway.url, ...change }),
      close: async () => {
        await gateway.close();
        await service.close();
      },
    };
  },
};

export function idsIn(body: string): readonly string[] {
  const json = JSON.parse(body) as { data?: { id: unknown }[] } | { id: unknown }[];
  return (Array.isArray(json) ? json : (json.data ?? [])).map(({ id }) => String(id));
}
