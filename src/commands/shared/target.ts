import { existsSync } from 'node:fs';
import type { ConfigurationFile } from '../../../generated/schemas.d.ts';
import { commandFor, programName } from '../../document/input/program-name.ts';
import { didYouMean, UsageError } from '../../document/input/usage-error.ts';
import { DEFECTS } from '../../emulator/defects/index.ts';
import { DEFAULT_PROFILE } from '../../emulator/policy/load-profile.ts';
import type { Environment } from '../../http/proxy.ts';
import type { TargetSummary } from '../../report/results.ts';
import type { Configuration } from '../../service/configuration/configuration.ts';
import type { TargetChoice } from '../../service/open-target.ts';
import { readProfileWithNote } from './read-profile.ts';

/** A target, as the options name it. */
export interface TargetRequest {
  readonly target: string;
  /** Of the emulator. */
  readonly profile?: string | undefined;
  readonly defects?: readonly string[] | undefined;
  readonly env?: Environment;
  /** The configuration itself; then `target` is only its name. */
  readonly given?: ConfigurationFile | undefined;
}

/** A target whose options and configuration are read. Nothing was opened. */
export interface ResolvedTarget {
  readonly summary: TargetSummary;
  /** Absent for the emulator. */
  readonly configuration?: Configuration;
  readonly choice: TargetChoice;
}

/** Resolves a target. Sends nothing. @throws UsageError, ConfigurationError: exit 2 */
export async function resolveTarget(request: TargetRequest): Promise<ResolvedTarget> {
  const { defects = [], env = process.env } = request;
  const nothingYet = { abilities: [], grants: { page: 0, cookies: 0 } } as const;
  if (request.target !== 'emulator') {
    if (request.given === undefined && !existsSync(request.target)) {
      refuseAddress(request.target);
      throw new UsageError(
        `--target: expected \`emulator\` or a configuration file, but there is no file ${request.target}`,
      );
    }
    if (defects.length > 0) throw new UsageError('--defect: only the emulator has defects to switch on');
    if (request.profile !== undefined)
      throw new UsageError(
        '--profile: only the emulator follows a profile; `check --like` expects the answers of one',
      );
    const { loadConfiguration } = await import('../../service/configuration/load-configuration.ts');
    const configuration = await loadConfiguration(request.target, env, true, request.given);
    const { name, authUrl, baseUrl } = configuration;
    return {
      summary: { kind: 'live', name, authUrl, baseUrl, defects: [], ...nothingYet },
      configuration,
      choice: { target: configuration, profile: DEFAULT_PROFILE, defects: [] },
    };
  }
  const { profile: name = DEFAULT_PROFILE } = request;
  const profile = await readProfileWithNote('--profile', name);
  refuseUnknownDefects(defects);
  return {
    summary: {
      kind: 'emulator',
      name: profile.name,
      authUrl: 'not started',
      baseUrl: 'not started',
      profile: profile.name,
      defects,
      ...nothingYet,
    },
    choice: { target: 'emulator', profile: name, defects },
  };
}

/** @throws UsageError for the emulator, and for an address */
export function requireLive(verb: string, target: string): void {
  refuseAddress(target);
  if (target !== 'emulator') return;
  throw new UsageError(
    `${verb}: expected the configuration file of a live target as --target, got \`emulator\`, which starts afresh every time`,
  );
}

function refuseAddress(target: string): void {
  if (!/^https?:/.test(target)) return;
  throw new UsageError(
    `--target: an address is no target; write a configuration: \`${commandFor('init')} --out FILE\``,
  );
}

/** @throws UsageError for a defect that the emulator does not have */
export function refuseUnknownDefects(ids: readonly string[]): void {
  const known = DEFECTS.map(({ id }) => id);
  const unknown = ids.find((id) => !known.some((one) => one === id));
  if (unknown === undefined) return;
  throw new UsageError(
    `--defect: expected ids that \`${programName()} explain defects\` lists, got ${JSON.stringify(unknown)}.${didYouMean(unknown, known)}`,
  );
}
