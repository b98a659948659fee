import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from '@playwright/test';
import type { ConfigurationFile } from '../../generated/schemas.d.ts';
import type { Configuration } from '../../src/service/configuration/configuration.ts';
import { loadConfiguration } from '../../src/service/configuration/load-configuration.ts';
import { liveTarget } from '../../src/service/live.ts';
import type { Target } from '../../src/service/target.ts';
import {
  type ReadyIndependentService,
  type RunningIndependentService,
  SELECTORS,
  startIndependentService,
} from './independent-service/start.ts';

/** A configuration file on disk and the environment that it refers to. */
export interface WrittenConfiguration {
  readonly file: string;
  readonly env: Readonly<Record<string, string>>;
}

/** The configuration of an independent service that runs, as somebody would write it for staging; fast, because it is our own. */
export function independentServiceConfiguration(ready: ReadyIndependentService): ConfigurationFile {
  const { application, secondApplication } = ready;
  return {
    name: 'independent-service',
    authUrl: ready.authUrl,
    baseUrl: ready.baseUrl,
    application: {
      clientId: application.clientId,
      clientSecret: { env: 'STAGING_CLIENT_SECRET' },
      redirectUris: [...application.redirectUris],
    },
    secondApplication: {
      clientId: secondApplication.clientId,
      clientSecret: { env: 'STAGING_SECOND_CLIENT_SECRET' },
      redirectUris: [...secondApplication.redirectUris],
    },
    owner: { login: ready.owner.login, password: { env: 'STAGING_PASSWORD' } },
    projects: [...ready.projects],
    users: [...ready.users],
    lock: { project: ready.projects[0], user: ready.lockUser },
    signIn: {
      form: SELECTORS.login,
      steps: [
        { fill: SELECTORS.login, with: 'login' },
        { click: SELECTORS.next },
        { wait: SELECTORS.password },
        { fill: SELECTORS.password, with: 'password' },
        { click: SELECTORS.signIn },
        ...(ready.interstitial ? [{ wait: SELECTORS.proceed }, { click: SELECTORS.proceed }] : []),
      ],
    },
    consent: { grant: SELECTORS.allow, deny: SELECTORS.deny, shown: ready.consent, settleMs: 1_000 },
    pacing: { requestsPerSecond: 1_000 },
    ...(ready.caFile === null ? {} : { tls: { caFile: ready.caFile, pageOrigins: [ready.pagesUrl] } }),
  };
}

/** The variables that {@link independentServiceConfiguration} refers to. */
export function independentServiceSecrets(ready: ReadyIndependentService): Readonly<Record<string, string>> {
  return {
    STAGING_CLIENT_SECRET: ready.application.clientSecret,
    STAGING_SECOND_CLIENT_SECRET: ready.secondApplication.clientSecret,
    STAGING_PASSWORD: ready.owner.password,
  };
}

/** Writes the configuration of a running independent-service into a folder; `change` replaces top-level keys. */
export function writeLiveConfiguration(
  ready: ReadyIndependentService,
  directory: string,
  change: Partial<ConfigurationFile> = {},
): WrittenConfiguration {
  const file = join(directory, 'conformance.config.json');
  const written = { ...independentServiceConfiguration(ready), ...change };
  const elsewhere = ready.pagesUrl === ready.authUrl ? {} : { origins: [ready.pagesUrl] };
  const signIn = { ...elsewhere, ...written.signIn };
  writeFileSync(file, JSON.stringify({ ...written, signIn }, null, 2));
  return { file, env: independentServiceSecrets(ready) };
}

/** An independent service that runs, and its configuration in the folder of the test. */
export interface ConfiguredIndependentService extends WrittenConfiguration {
  readonly running: RunningIndependentService;
}

export type Change =
  | Partial<ConfigurationFile>
  | ((standard: ConfigurationFile, ready: ReadyIndependentService) => Partial<ConfigurationFile>);

/** A page of the independent service shows its form soon: it is on this machine and draws without script. */
export const settlingSoon: Change = ({ consent }) => ({ consent: { ...consent, settleMs: 150 } });

/** Starts an independent service for the length of one piece of work; `change` replaces top-level keys of its configuration. */
export async function withIndependentService<T>(
  env: Readonly<Record<string, string>>,
  change: Change,
  work: (independentService: ConfiguredIndependentService) => Promise<T>,
): Promise<T> {
  const running = await startIndependentService(env);
  const { ready } = running;
  try {
    const changed =
      typeof change === 'function' ? change(independentServiceConfiguration(ready), ready) : change;
    return await work({ running, ...writeLiveConfiguration(ready, test.info().outputPath('.'), changed) });
  } finally {
    await running.stop();
  }
}

export interface LiveGround {
  readonly ready: ReadyIndependentService;
  readonly configuration: Configuration;
  readonly target: Target;
  /** Method and path of every request that the independent service has received so far. */
  received(): Promise<readonly string[]>;
}

/**
 * Opens the target of an independent service of its own, for the length of one piece of work.
 * @param variables further environment variables that the configuration refers to
 */
export async function withLiveTarget<T>(
  env: Readonly<Record<string, string>>,
  change: Partial<ConfigurationFile>,
  work: (ground: LiveGround) => Promise<T>,
  variables: Readonly<Record<string, string>> = {},
): Promise<T> {
  const directory = mkdtempSync(join(tmpdir(), 'live-'));
  const running = await startIndependentService({ INDEPENDENT_SERVICE_DIR: directory, ...env });
  try {
    const written = writeLiveConfiguration(running.ready, directory, change);
    const configuration = await loadConfiguration(written.file, { ...written.env, ...variables });
    const target = await liveTarget(configuration);
    try {
      const { ready, received } = running;
      return await work({ ready, configuration, target, received });
    } finally {
      await target.close();
    }
  } finally {
    await running.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}
