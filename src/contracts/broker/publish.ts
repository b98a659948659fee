import { isJsonObject, type JsonObject } from '../../document/input/plain-data.ts';
import { UsageError } from '../../document/input/usage-error.ts';
import type { SecretRegistry } from '../../http/secrets/registry.ts';
import { oneLine, prefixedLines } from '../../report/printable.ts';
import { EXIT } from '../../report/verdict.ts';
import { atPaths, nameIn, PactRefused, pactDocument } from '../pact/read-pact.ts';
import { pactVerdict } from '../verify/outcome.ts';
import type { InteractionOutcome, PactOutcome } from '../verify/pact-outcome.ts';
import { withoutCredentials } from './access.ts';
import type { Build } from './build.ts';
import type { VerifiablePact } from './for-verification.ts';
import type { Broker } from './hal-client.ts';
import { BrokerFailed, brokerNotices, type Resource } from './hal-resource.ts';

/**
 * Publishes pacts under one version. The pacts of one consumer go in one request, which the broker takes as a whole or refuses.
 * Returns the output lines without credentials, most important first.
 */
export async function publishPacts(broker: Broker, files: readonly PactFile[], publication: Build) {
  const { version, branch } = publication;
  const published: string[] = [];
  const details: string[] = [];
  // The broker's text has a prefix, so that no build server interprets a line as a command.
  const printed = (sentence: string, more: readonly string[]) =>
    [oneLine(sentence, 1_000), ...more.flatMap((detail) => prefixedLines(detail, ' '))].map((line) =>
      withoutCredentials(broker.access, line),
    );
  for (const [consumer, pacts] of Map.groupBy(files, (file) => file.consumer)) {
    try {
      const answer = await publishOf(broker, consumer, pacts, publication);
      details.push(...brokerNotices(answer).map(({ text }) => text));
      published.push(...pacts.map(({ provider }) => `${consumer} → ${provider}`));
    } catch (error) {
      if (!(error instanceof BrokerFailed)) throw error;
      const { kind, message, details } = error;
      const unless =
        kind === 'unanswered' ? ', unless the answer alone was lost: publishing it again does no harm' : '';
      const kept =
        published.length === 0
          ? 'Nothing was published'
          : `Published before it, and kept: ${published.join(', ')}`;
      return {
        exitCode: kind === 'refused' ? EXIT.violates : EXIT.inconclusive,
        lines: printed(`${message}. ${kept}${unless}`, details),
      };
    }
  }
  const as = `version ${version}${branch === undefined ? '' : ` (branch ${branch})`}`;
  return {
    exitCode: EXIT.conforms,
    lines: printed(`published as ${as}: ${published.join(', ')}`, details),
  };
}

async function publishOf(
  broker: Broker,
  consumer: string,
  pacts: readonly PactFile[],
  { version, branch, buildUrl }: Build,
): Promise<Resource> {
  return broker.send(await broker.link('pb:publish-contracts'), {
    method: 'POST',
    // The same content again is no conflict.
    repeatable: true,
    done: (answer) => answer !== undefined && brokerNotices(answer).length > 0,
    body: {
      pacticipantName: consumer,
      pacticipantVersionNumber: version,
      branch,
      buildUrl,
      contracts: pacts.map(({ provider, text }) => ({
        consumerName: consumer,
        providerName: provider,
        specification: 'pact',
        contentType: 'application/json',
        content: Buffer.from(text).toString('base64'),
        onConflict: 'overwrite',
      })),
    },
  });
}

export interface Verifier {
  readonly providerVersion: string;
  /** Branch of the provider version; the broker derives pending and work in progress from it. */
  readonly providerBranch: string;
  readonly buildUrl: string | undefined;
  readonly suiteVersion: string;
}

export type PublishOutcome = 'published' | 'not-run' | 'leak';

/**
 * Publishes the result of one pact, under the provider's version. Publishes nothing if an interaction did not run: neither
 * success nor failure would be true, and a failure blocks deployments.
 *
 * @param secrets of the run; a result that holds one is not sent
 * @throws BrokerFailed
 */
export async function publishVerification(
  broker: Broker,
  pact: VerifiablePact,
  outcome: PactOutcome,
  verifier: Verifier,
  secrets: SecretRegistry,
): Promise<PublishOutcome> {
  const verdict = pactVerdict(outcome);
  if (verdict === 'not-run') return 'not-run';
  const { providerVersion, providerBranch, buildUrl, suiteVersion } = verifier;
  const body = {
    success: verdict === 'verified',
    providerApplicationVersion: providerVersion,
    buildUrl,
    testResults: outcome.interactions.map(testResult),
    verifiedBy: { implementation: 'legacy-api-conformance', version: suiteVersion },
  };
  if (secrets.find(JSON.stringify(body)).length > 0) return 'leak';
  const { provider: pacticipant } = outcome;
  const version = { pacticipant, version: providerVersion, branch: providerBranch };
  const onBranch = await broker.link('pb:pacticipant-branch-version', version);
  // Brokers answer this differently.
  await broker.send(onBranch, { method: 'PUT', body: {}, repeatable: true, done: () => true });
  await broker.send(pact.resultsAddress, {
    method: 'POST',
    body,
    repeatable: false,
    done: (answer) => answer?.success === body.success,
  });
  return 'published';
}

function testResult({ id, description, result, mismatches }: InteractionOutcome) {
  return {
    interactionId: id,
    interactionDescription: description,
    success: result === 'verified',
    ...(mismatches.length === 0 ? {} : { mismatches }),
  };
}

export interface PactFile {
  readonly path: string;
  readonly consumer: string;
  readonly provider: string;
  readonly text: string;
}

/**
 * Reads the pacts to publish. Checks them, because the broker takes any JSON, even `{}`, and a published mistake stays and blocks
 * deployments.
 *
 * @throws UsageError naming every file that is no pact
 */
export function readPactFiles(paths: readonly string[]): readonly PactFile[] {
  try {
    const pacts = atPaths(paths, readPactFile);
    const pairs = Map.groupBy(pacts, ({ consumer, provider }) => `${consumer} and ${provider}`);
    for (const [pair, [, second]] of pairs) {
      if (second === undefined) continue;
      throw new PactRefused(
        `${second.path} is a second pact between ${pair}: one version has one; merge them, or leave one out`,
      );
    }
    return pacts;
  } catch (error) {
    if (!(error instanceof PactRefused)) throw error;
    throw new UsageError(`nothing was published.\n${error.message}`);
  }
}

export function readPactFile(text: string, path: string): PactFile {
  const document = pactDocument(text, path);
  const [consumer, provider] = [nameIn(document.consumer), nameIn(document.provider)];
  const refuse = (expected: string): never => {
    throw new PactRefused(`${path}: expected ${expected}`);
  };
  if (consumer === undefined) return refuse('`consumer.name`, which every pact has');
  if (provider === undefined) return refuse('`provider.name`, which every pact has');
  const { interactions = [], messages = [] } = document;
  if (!Array.isArray(interactions)) return refuse('`interactions` to be a list');
  if (!Array.isArray(messages)) return refuse('`messages` to be a list');
  const items: readonly unknown[] = [...interactions, ...messages];
  if (items.length === 0)
    return refuse('`interactions` or `messages` that hold one at least: an empty pact promises nothing');
  const bad = items.findIndex((item) => !isInteraction(item));
  if (bad !== -1)
    return refuse(
      `interaction ${bad + 1} to have a description, and a request with its response, or contents`,
    );
  if (specificationIn(document) === undefined)
    return refuse('`metadata.pactSpecification.version`: every Pact library writes it');
  return { path, consumer, provider, text };
}

function isInteraction(item: unknown): boolean {
  if (!isJsonObject(item) || typeof item.description !== 'string' || item.description === '') return false;
  const { request, response, contents } = item;
  return (
    (isJsonObject(request) && typeof response === 'object' && response !== null) || contents !== undefined
  );
}

/** Returns the version of the specification, which older libraries write in other places. */
function specificationIn({ metadata }: JsonObject): string | undefined {
  if (!isJsonObject(metadata)) return undefined;
  const named = metadata.pactSpecification ?? metadata['pact-specification'];
  const version = isJsonObject(named) ? named.version : metadata.pactSpecificationVersion;
  return typeof version === 'string' && version !== '' ? version : undefined;
}
