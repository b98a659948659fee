import { dirname, resolve } from 'node:path';
import { brokerAccess } from '../../contracts/broker/access.ts';
import { type Build, detectBuild } from '../../contracts/broker/build.ts';
import { Broker } from '../../contracts/broker/hal-client.ts';
import { type PactFile, publishPacts, readPactFiles } from '../../contracts/broker/publish.ts';
import { heldSecrets } from '../../contracts/verify/refuse-pacts.ts';
import { UsageError } from '../../document/input/usage-error.ts';
import { SecretRegistry } from '../../http/secrets/registry.ts';
import { EXIT, type ExitCode } from '../../report/verdict.ts';
import { loadConfiguration } from '../../service/configuration/load-configuration.ts';
import { registerTargetSecrets } from '../../service/open-target.ts';

interface PublishRequest {
  readonly paths: readonly string[];
  readonly version: string | undefined;
  readonly branch: string | undefined;
  readonly target: string | undefined;
}

/** The verb `contracts publish`. Returns the exit code. @throws UsageError before anything is sent */
export async function publishContracts(request: PublishRequest): Promise<ExitCode> {
  const access = brokerAccess(process.env);
  const files = readPactFiles(request.paths);
  await refuseSecrets(files, request.target);
  const { exitCode, lines } = await publishPacts(new Broker(access), files, buildOf(files, request));
  (exitCode === EXIT.conforms ? process.stdout : process.stderr).write(`${lines.join('\n')}\n`);
  return exitCode;
}

/** Options override detection, which uses the repository of the pacts' folders. */
function buildOf(files: readonly PactFile[], { version, branch }: PublishRequest): Build {
  const builds = files.map(({ consumer, path }) => detectBuild(consumer, dirname(resolve(path)), version));
  const [found, ...others] = builds;
  if (found === undefined) throw new UsageError('there is no pact to publish');
  if (others.some((other) => other.version !== found.version || other.branch !== found.branch))
    throw new UsageError(
      'the pacts lie in repositories of different versions or branches: publish them one by one',
    );
  return { ...found, branch: branch ?? found.branch };
}

const SECRET_VARIABLE = /(SECRET|TOKEN|PASSWORD|PASSPHRASE)$/;

/** Shorter values may occur in a pact by chance. */
const SHORTEST = 8;

/** Refuses pacts with secrets of this process or the target, because every reader of the broker sees them. */
async function refuseSecrets(files: readonly PactFile[], configuration: string | undefined): Promise<void> {
  const secrets = new SecretRegistry();
  const names = new Map<string, string>();
  if (configuration !== undefined) {
    const loaded = await loadConfiguration(configuration, process.env);
    secrets.registerAll(loaded.secrets);
    registerTargetSecrets(loaded, secrets);
  }
  for (const [name, value = ''] of Object.entries(process.env)) {
    if (!SECRET_VARIABLE.test(name) || value.length < SHORTEST) continue;
    names.set(secrets.register('secret', value), name);
  }
  const held = files.flatMap(({ path, consumer, provider, text }) => {
    const [first] = heldSecrets(text, secrets);
    return first === undefined
      ? []
      : [`${path}: the pact of ${consumer} with ${provider} holds ${described(first, names)}`];
  });
  if (held.length > 0)
    throw new UsageError(
      `nothing was published: everyone who reads the broker would see it. Take the value from a provider state.\n${held.join('\n')}`,
    );
}

function described(label: string, names: ReadonlyMap<string, string>): string {
  const name = names.get(label);
  return name === undefined ? `the target's ${label.split('#')[0]}` : `the value of the variable ${name}`;
}
