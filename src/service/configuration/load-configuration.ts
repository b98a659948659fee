import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { ConfigurationFile } from '../../../generated/schemas.d.ts';
import { validateConfiguration } from '../../../generated/validators.js';
import { describeErrors, type KeyPath, type Problem } from '../../document/describe-errors.ts';
import { commandFor } from '../../document/input/program-name.ts';
import { basicCredentials } from '../../http/connections.ts';
import { orElse, orError } from '../../http/or-else.ts';
import type { Environment } from '../../http/proxy.ts';
import { noProxyIn } from '../../http/proxy.ts';
import { isLocal } from '../redirect-address.ts';
import { checkConfiguration } from './check-configuration.ts';
import { type Configuration, DEFAULTS, type SavedSession } from './configuration.ts';
import { ConfigurationError } from './configuration-error.ts';
import { type ConfiguredSecret, configuredSecrets } from './configured-secrets.ts';
import { readConfigurationFile } from './read-file.ts';
import { keyBodies, readTls, type TlsSettings } from './read-tls.ts';
import { type Resolved, resolveReferences, withEnvBeside } from './resolve-references.ts';
import { keyPlaces, schemaNote } from './schema-notes.ts';
import { openSession, SealBroken, SHORTEST_PASSPHRASE } from './sealed-file.ts';
import { loadListReader, loadSignInModule } from './user-modules.ts';

export async function readConfiguration(file: string, given?: unknown): Promise<ConfigurationFile> {
  const written = await readConfigurationFile(file, given);
  if (validateConfiguration(written)) return written as ConfigurationFile;
  throw new ConfigurationError(
    file,
    describeErrors(validateConfiguration.errors ?? [], schemaNote, keyPlaces),
  );
}

/** Loads a configuration. @param given the configuration itself; then the file only names it, and its folder relative paths */
export async function loadConfiguration(
  file: string,
  env: Environment,
  readSession = true,
  given?: ConfigurationFile,
): Promise<Configuration> {
  const written = await readConfiguration(file, given);
  const variables = withEnvBeside(file, env);
  const { value, read, problems } = resolveReferences<ConfigurationFile>(written, variables);
  const { authUrl, signIn, list, $schema, ...rest } = value;
  const secrets = configuredSecrets(read, problems);
  problems.push(...checkConfiguration(file, written, value));
  const tls = readTls(value.tls, file, problems);
  const module = async <T>(path: KeyPath, named: string | undefined, load: Load<T>) => {
    const loaded = named === undefined ? undefined : await load(resolve(dirname(file), named));
    if (typeof loaded !== 'string') return loaded;
    problems.push({ path, expected: EXPORTS[String(path[0])] ?? '', actual: loaded });
    return undefined;
  };
  const signInModule = await module(['signIn', 'module'], signIn.module, loadSignInModule);
  const reads = await module(['list', 'reader'], list?.reader, loadListReader);
  const onlyDecides = signInModule !== undefined && signInModule.signIn === undefined;
  if (onlyDecides && signIn.steps === undefined && signIn.session === undefined) problems.push(NO_SIGN_IN);
  const session = signIn.session && { ...signIn.session, file: resolve(dirname(file), signIn.session.file) };
  const saved = session && readSession ? await readSaved(session, withoutSlash(authUrl)) : undefined;
  if (typeof saved === 'string') problems.push(notSaved(saved, file));
  if (problems.length > 0) throw new ConfigurationError(file, problems);
  return {
    ...rest,
    file,
    noProxy: noProxyIn(variables),
    authUrl: withoutSlash(authUrl),
    baseUrl: withoutSlash(value.baseUrl),
    signIn: {
      form: signIn.form,
      steps: signIn.steps ?? [],
      interstitials: signIn.interstitials,
      origins: signIn.origins ?? [],
      module: signInModule,
      session: session && { ...session, state: typeof saved === 'string' ? undefined : saved },
    },
    abilities: value.abilities ?? [],
    requireAbilities: value.requireAbilities ?? [],
    skewSeconds: value.skewSeconds ?? DEFAULTS.skewSeconds,
    care: value.care ?? DEFAULTS.care,
    maxAgeDays: value.maxAgeDays ?? DEFAULTS.maxAgeDays,
    pacing: { ...DEFAULTS.pacing, ...(isLocal(value) && { requestsPerSecond: UNPACED }), ...value.pacing },
    budget: { ...DEFAULTS.budget, ...value.budget },
    tls,
    secrets: [...secrets, ...secretsBeside(value, tls)],
    list: list && { userId: list.userId, reads },
  };
}

const NO_SIGN_IN: Problem = {
  path: ['signIn', 'module'],
  expected:
    'a module that exports `signIn(page, credentials)` too, or `signIn.steps`, or a saved `signIn.session`',
  actual: 'one that exports `consent` alone',
};

type Load<T> = (file: string) => Promise<T | string>;

/** The export that a module must have, by the first part of its key. */
const EXPORTS: Readonly<Record<string, string>> = {
  signIn:
    'a module that exports a function `signIn(page, credentials)`, or `consent(page, decision)` beside `signIn.steps`, relative to the configuration',
  list: 'a module that exports a function `readList({ status, headers, body })`, relative to the configuration',
};

/** Returns a text that completes "got …" for a session that cannot be used. */
async function readSaved(
  { file, passphrase }: SavedSession,
  authUrl: string,
): Promise<SavedSession['state'] | string> {
  // A missing variable, or one that is too short, is reported elsewhere.
  if (passphrase.length < SHORTEST_PASSPHRASE) return undefined;
  const text = orElse(() => readFileSync(file, 'utf8'), undefined);
  if (text === undefined) return 'a path without a readable file';
  const state = await orError(openSession(text, authUrl, passphrase), SealBroken);
  return state instanceof SealBroken ? state.message : state;
}

function notSaved(actual: string, file: string): Problem {
  return {
    path: ['signIn', 'session', 'file'],
    expected: 'a saved session of the service at `authUrl`, relative to the configuration',
    actual,
    advice: `make one with \`${commandFor('sign-in --save', file)}\``,
  };
}

/** Returns secrets that no variable holds as they are: user and password of HTTP Basic encoded together, and keys from files. */
function secretsBeside(
  { edge }: Resolved<ConfigurationFile>,
  tls: TlsSettings | undefined,
): readonly ConfiguredSecret[] {
  const basic = edge?.basic === undefined ? [] : [basicCredentials(edge.basic.user, edge.basic.password)];
  return [...basic, ...keyBodies(tls?.client)].map((value) => ({ kind: 'secret', value }));
}

/** Unpaced rate for a service on this machine, which affects only its developer. */
const UNPACED = 1_000;

function withoutSlash(address: string): string {
  return address.replace(/\/+$/, '');
}
