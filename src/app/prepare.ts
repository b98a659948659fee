import { existsSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import {
  BROWSER_VARIABLE,
  type FoundBrowser,
  findBrowser,
  startBrowser,
} from '../agent/browser/find-browser.ts';
import { isAddress, isReadableOnTheWay, shownAddress } from '../agent/browser/remote-browser.ts';
import type { Configuration } from '../config/configuration.ts';
import type { Environment } from '../config/resolve-references.ts';
import { launcherFor } from '../flow/connect.ts';
import { UsageError } from '../input/usage-error.ts';
import type { TargetSummary } from '../report/results.ts';
import type { Target } from '../targets/target.ts';
import { refuseUnknownDefects } from './known-defects.ts';
import { printError } from './print.ts';
import { knownProfile } from './read-profile.ts';
import { required } from './required-browser.ts';

/** The part of a request that says who is checked. */
interface TargetRequest {
  readonly target: string;
  readonly profile: string;
  readonly defects: readonly string[];
  readonly env?: Environment;
}

export interface IntendedTarget {
  /** For the report of a run in which no lane came far enough to say more. */
  readonly summary: TargetSummary;
  /** Abilities without which the run is to be inconclusive. */
  readonly requireAbilities: readonly string[];
  /** Of a live target. */
  readonly configuration?: Configuration;
  /** Profile of the emulator: an id, or the absolute path of a file. Of a live target whatever was asked for. */
  readonly profile: string;
}

/**
 * Reads what was asked about the target and refuses what cannot work, before anything is sent.
 *
 * @throws UsageError, ConfigurationError when something about it is wrong
 */
export async function describeTarget(request: TargetRequest): Promise<IntendedTarget> {
  const nothingYet = { abilities: [], grants: { page: 0, cookies: 0 } } as const;
  if (request.target !== 'emulator') {
    if (!existsSync(request.target)) {
      throw new UsageError(
        `--target: expected \`emulator\` or a configuration file, but there is no file ${request.target}`,
      );
    }
    if (request.defects.length > 0)
      throw new UsageError('--defect: only the emulator has defects to switch on');
    const { loadConfiguration } = await import('../config/load-configuration.ts');
    const env = request.env ?? process.env;
    const configuration = await loadConfiguration(request.target, env);
    refuseRemotely(request.target, configuration, env);
    const { name, authUrl, baseUrl } = configuration;
    return {
      summary: { kind: 'live', name, authUrl, baseUrl, defects: [], ...nothingYet },
      requireAbilities: configuration.requireAbilities,
      configuration,
      profile: request.profile,
    };
  }
  const { reference, profile } = await knownProfile('--profile', request.profile);
  refuseUnknownDefects(request.defects);
  return {
    summary: {
      kind: 'emulator',
      name: profile.name,
      authUrl: 'not started',
      baseUrl: 'not started',
      profile: profile.name,
      defects: request.defects,
      ...nothingYet,
    },
    requireAbilities: [],
    profile: reference,
  };
}

/** @throws UsageError for what a browser that runs elsewhere cannot be told */
function refuseRemotely(file: string, { proxy, tls }: Configuration, env: Environment): void {
  if (!isAddress(env[BROWSER_VARIABLE])) return;
  const [lost] = [...(proxy === undefined ? [] : ['proxy']), ...(tls === undefined ? [] : ['tls.caFile'])];
  if (lost === undefined) return;
  throw new UsageError(
    `${file}: ${lost}: the browser that ${BROWSER_VARIABLE} names runs elsewhere and cannot be configured from here; set it up there and leave \`${lost}\` out, or unset the variable`,
  );
}

/** Says on standard error when a browser runs without its sandbox, or elsewhere. */
export function tellSandbox({ withoutSandbox, executablePath }: FoundBrowser): void {
  if (isAddress(executablePath)) {
    const readable = isReadableOnTheWay(executablePath)
      ? '; login, password and codes travel there without encryption'
      : '';
    printError(
      `note: the browser runs elsewhere (${shownAddress(executablePath)}): the suite catches the redirect in its own pages and refuses windows that the service opens${readable}\n`,
    );
  }
  if (withoutSandbox === undefined) return;
  printError(`note: the browser runs without its sandbox: ${withoutSandbox}\n`);
}

/**
 * A browser that starts.
 *
 * @param mayInstall whether one may be installed where there is none
 * @throws UsageError when there is none; nothing was sent
 */
export async function requireBrowser(
  mayInstall: boolean,
  env: NodeJS.ProcessEnv = process.env,
): Promise<FoundBrowser> {
  return required(mayInstall, () => findBrowser(env));
}

/**
 * A browser that runs, for the pages of one target.
 *
 * @throws UsageError when there is none; nothing was sent
 */
export async function browserFor(target: Target): Promise<Browser> {
  const launch = await launcherFor(target);
  const { browser, found } = await required(false, () => startBrowser(launch));
  if (target.kind === 'live') tellSandbox(found);
  return browser;
}
