import { dirname, resolve } from 'node:path';
import type { ConfigurationFile } from '../../generated/schemas.d.ts';
import { validateConfiguration } from '../../generated/validators.js';
import { isLoopback } from '../input/loopback.ts';
import { checkConfiguration } from './check-configuration.ts';
import { checkSuccessors } from './check-successors.ts';
import { type Configuration, DEFAULTS, type KnownList, type SignInConfiguration } from './configuration.ts';
import { ConfigurationError, type ConfigurationProblem } from './configuration-error.ts';
import { basicCredentials, type ConfiguredSecret, configuredSecrets } from './configured-secrets.ts';
import { describeProblems } from './describe-problems.ts';
import { withEnvBeside } from './env-file.ts';
import { loadListReader } from './list-reader.ts';
import { loadSignIn } from './load-sign-in.ts';
import { readConfigurationFile } from './read-file.ts';
import { keyBodies, readTls, type TlsSettings } from './read-tls.ts';
import { type Environment, type Resolved, resolveReferences } from './resolve-references.ts';
import { withRunId } from './run-id.ts';
import { ModuleUnusable } from './sign-in-module.ts';

export async function readConfiguration(file: string): Promise<ConfigurationFile> {
  const written = await readConfigurationFile(file);
  if (validateConfiguration(written)) return written as ConfigurationFile;
  throw new ConfigurationError(file, describeProblems(validateConfiguration.errors ?? []));
}

export async function loadConfiguration(
  file: string,
  env: Environment,
  readSession = true,
): Promise<Configuration> {
  const written = await readConfiguration(file);
  const { named, runId } = withRunId(written);
  const {
    value: resolved,
    read,
    problems: missing,
  } = resolveReferences<ConfigurationFile>(named, withEnvBeside(file, env));
  const { secrets, problems: unfit } = configuredSecrets(read);
  const trust = readTls(resolved.tls, file);
  const entry = await loadSignIn(resolved, file, readSession);
  const list = await readerOf(resolved.list, file);
  const problems = [
    ...missing,
    ...unfit,
    ...checkConfiguration(written, resolved),
    ...trust.problems,
    ...entry.problems,
    ...list.problems,
    ...checkSuccessors(resolved, file),
  ];
  if (problems.length > 0) throw new ConfigurationError(file, problems);
  return {
    ...complete(file, resolved, trust.tls, entry.signIn),
    secrets: [...secrets, ...secretsBeside(resolved, trust.tls)],
    list: list.known,
    runId,
  };
}

async function readerOf(
  list: Resolved<ConfigurationFile>['list'],
  file: string,
): Promise<{ readonly known?: KnownList; readonly problems: readonly ConfigurationProblem[] }> {
  if (list?.reader === undefined) return { known: list && { userId: list.userId }, problems: [] };
  try {
    return {
      known: { userId: list.userId, reads: await loadListReader(resolve(dirname(file), list.reader)) },
      problems: [],
    };
  } catch (error) {
    if (!(error instanceof ModuleUnusable)) throw error;
    const expected =
      'a module that exports a function `readList({ status, headers, body })`, relative to the configuration';
    return { problems: [{ path: ['list', 'reader'], expected, came: error.message }] };
  }
}

/** Returns secrets that no variable holds as they are: user and password of HTTP Basic encoded together, and keys from files. */
function secretsBeside(
  { edge }: Resolved<ConfigurationFile>,
  tls: TlsSettings | undefined,
): readonly ConfiguredSecret[] {
  const basic = edge?.basic === undefined ? [] : [basicCredentials(edge.basic)];
  return [...basic, ...keyBodies(tls?.client)].map((value) => ({ kind: 'secret', value }));
}

function complete(
  file: string,
  resolved: Resolved<ConfigurationFile>,
  tls: TlsSettings | undefined,
  signIn: SignInConfiguration,
): Omit<Configuration, 'list' | 'secrets' | 'runId'> {
  const { $schema: _schema, tls: _tls, list: _list, ...rest } = resolved;
  return {
    ...rest,
    signIn,
    file,
    authUrl: withoutSlash(resolved.authUrl),
    baseUrl: withoutSlash(resolved.baseUrl),
    abilities: resolved.abilities ?? [],
    requireAbilities: resolved.requireAbilities ?? [],
    skewSeconds: resolved.skewSeconds ?? DEFAULTS.skewSeconds,
    pacing: { ...DEFAULTS.pacing, ...hurriedAtHome(resolved), ...resolved.pacing },
    budget: { ...DEFAULTS.budget, ...resolved.budget },
    tls,
  };
}

/** Unpaced rate for a service on this machine, which affects only its developer. */
const UNPACED = 1_000;

function hurriedAtHome({ authUrl, baseUrl }: Resolved<ConfigurationFile>): Partial<Configuration['pacing']> {
  const home = [authUrl, baseUrl].every((url) => isLoopback(new URL(url).hostname));
  return home ? { requestsPerSecond: UNPACED, watchSeconds: 0 } : {};
}

function withoutSlash(address: string): string {
  return address.replace(/\/+$/, '');
}
