import { isJsonObject, type JsonObject } from '../../document/input/plain-data.ts';
import { UsageError } from '../../document/input/usage-error.ts';
import { atPaths, nameIn, PactRefused, pactDocument } from '../pact/read-pact.ts';

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
      throw new PactRefused([
        `${second.path} is a second pact between ${pair}: one version has one; merge them, or leave one out`,
      ]);
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
    throw new PactRefused([`${path}: expected ${expected}`]);
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
