import { existsSync } from 'node:fs';
import { BROWSER_VARIABLE, type FoundBrowser, findBrowser } from '../agent/browser/find-browser.ts';
import { UsageError } from '../cli/usage-error.ts';
import type { Configuration } from '../config/configuration.ts';
import { DEFECTS } from '../emulator/defects/index.ts';
import type { TargetSummary } from '../report/results.ts';
import { installBrowser } from './install-browser.ts';
import { knownProfile } from './read-profile.ts';

/** The part of a request that says who is checked. */
interface TargetRequest {
  readonly target: string;
  readonly profile: string;
  readonly defects: readonly string[];
}

/** Who is meant to be checked. */
export interface IntendedTarget {
  /** For the report of a run in which no worker came far enough to say more. */
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
    const configuration = await loadConfiguration(request.target, process.env);
    const { name, authUrl, baseUrl } = configuration;
    return {
      summary: { kind: 'live', name, authUrl, baseUrl, defects: [], ...nothingYet },
      requireAbilities: configuration.requireAbilities,
      configuration,
      profile: request.profile,
    };
  }
  const { reference, profile } = await knownProfile('--profile', request.profile);
  const unknown = request.defects.find((id) => !DEFECTS.some((defect) => defect.id === id));
  if (unknown !== undefined) {
    throw new UsageError(
      `--defect: expected ids that \`legacy-conformance defects\` lists, got ${JSON.stringify(unknown)}`,
    );
  }
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

/**
 * A browser that starts, for pages of a live service. Says on standard error when it runs without its sandbox.
 *
 * @param mayInstall whether one may be installed where there is none
 * @throws UsageError when there is none; nothing was sent
 */
export async function requireBrowserForLive(mayInstall = false): Promise<FoundBrowser> {
  const found = await requireBrowser(mayInstall);
  if (found.withoutSandbox !== undefined) {
    process.stderr.write(`note: the browser runs without its sandbox: ${found.withoutSandbox}\n`);
  }
  return found;
}

/**
 * A browser that starts.
 *
 * @param mayInstall whether one may be installed where there is none
 * @throws UsageError when there is none; nothing was sent
 */
export async function requireBrowser(mayInstall: boolean): Promise<FoundBrowser> {
  let found: FoundBrowser | undefined;
  try {
    found = await findBrowser();
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
  if (found === undefined && mayInstall) {
    await installBrowser();
    found = await findBrowser();
  }
  if (found !== undefined) return found;
  throw new UsageError(
    'no browser was found: install Chromium (Debian: `apt-get install chromium-headless-shell`), run ' +
      `\`npx playwright install --only-shell chromium\`, or name one in ${BROWSER_VARIABLE}`,
  );
}
