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

interface TargetRequest {
  readonly target: string;
  readonly profile: string;
  readonly defects: readonly string[];
  readonly env?: Environment;
}

export interface IntendedTarget {
  readonly summary: TargetSummary;
  readonly requireAbilities: readonly string[];
  readonly configuration?: Configuration;
  /** Emulator profile: an id or an absolute path. Unused for a live target. */
  readonly profile: string;
}

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

function refuseRemotely(file: string, { proxy, tls }: Configuration, env: Environment): void {
  if (!isAddress(env[BROWSER_VARIABLE])) return;
  const [lost] = [...(proxy === undefined ? [] : ['proxy']), ...(tls === undefined ? [] : ['tls'])];
  if (lost === undefined) return;
  throw new UsageError(
    `${file}: ${lost}: the browser that ${BROWSER_VARIABLE} names runs elsewhere and cannot be configured from here; set it up there and leave \`${lost}\` out, or unset the variable`,
  );
}

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

export async function requireBrowser(
  mayInstall: boolean,
  env: NodeJS.ProcessEnv = process.env,
): Promise<FoundBrowser> {
  return required(mayInstall, () => findBrowser(env));
}

export async function browserFor(target: Target): Promise<Browser> {
  const launch = await launcherFor(target);
  const { browser, found } = await required(false, () => startBrowser(launch));
  if (target.shared) tellSandbox(found);
  return browser;
}
