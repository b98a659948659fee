import { type BrokerAnswer, denied, granted, troubled } from './answer.ts';
import type { Build } from './build.ts';
import type { Broker } from './hal-client.ts';
import type { PactFile } from './pact-files.ts';
import { noticesIn, type Resource } from './resource.ts';
import { BrokerFailed, type BrokerTrouble } from './trouble.ts';

/** What is published, and how. */
export interface Publication extends Build {
  readonly tags: readonly string[];
  /** Whether interactions are added to a pact that this version has already, in place of refusing other content. */
  readonly merge: boolean;
}

/**
 * Publishes pacts as of one version. The files are taken as looked at (`readPactFiles`). The pacts of one consumer go in one
 * request, of which the broker takes all or none.
 */
export async function publishPacts(
  broker: Broker,
  files: readonly PactFile[],
  publication: Publication,
): Promise<BrokerAnswer> {
  const { access } = broker;
  const { version, branch } = publication;
  const published: string[] = [];
  const details: string[] = [];
  const answers: Resource[] = [];
  for (const [consumer, pacts] of Map.groupBy(files, (file) => file.consumer)) {
    try {
      const answer = await publishOf(broker, consumer, pacts, publication);
      answers.push(answer);
      details.push(...noticesIn(answer).map(({ text }) => text));
      published.push(...pacts.map(({ provider }) => `${consumer} → ${provider}`));
      details.push(...(await howItIsSelected(broker, consumer, branch)));
    } catch (error) {
      const kept =
        published.length === 0
          ? 'Nothing was published'
          : `Published before it, and kept: ${published.join(', ')}`;
      if (isMisspelling(error)) {
        const [sentence, ...rest] = misspelling(error);
        return denied(access, `${sentence}. ${kept}`, rest);
      }
      return troubled(
        access,
        error,
        (trouble) => `${explained(trouble, error, version)}. ${kept}${unless(trouble)}`,
      );
    }
  }
  const as = `version ${version}${branch === undefined ? '' : ` (branch ${branch})`}`;
  return { ...granted(access, `published as ${as}: ${published.join(', ')}`, details), body: answers };
}

async function publishOf(
  broker: Broker,
  consumer: string,
  pacts: readonly PactFile[],
  { version, branch, buildUrl, tags, merge }: Publication,
): Promise<Resource> {
  return broker.send(await broker.link('pb:publish-contracts'), {
    method: 'POST',
    // The same content once more is no conflict.
    repeatable: true,
    done: (answer) => answer !== undefined && noticesIn(answer).length > 0,
    body: {
      pacticipantName: consumer,
      pacticipantVersionNumber: version,
      branch,
      ...(tags.length === 0 ? {} : { tags }),
      buildUrl,
      contracts: pacts.map(({ provider, text }) => ({
        consumerName: consumer,
        providerName: provider,
        specification: 'pact',
        contentType: 'application/json',
        content: Buffer.from(text).toString('base64'),
        onConflict: merge ? 'merge' : 'overwrite',
      })),
    },
  });
}

/** Why a provider's job may leave the pact out, with the command that ends it. */
async function howItIsSelected(
  broker: Broker,
  consumer: string,
  branch: string | undefined,
): Promise<readonly string[]> {
  if (branch === undefined) {
    return [
      `${consumer}: published without a branch, because HEAD is on none: a provider's job that selects branches leaves this pact out. Give --branch`,
    ];
  }
  const pacticipant = await broker.find(await broker.link('pb:pacticipant', { pacticipant: consumer }));
  return noMainBranch(consumer, pacticipant);
}

/** What to say where the broker does not know the main branch of a consumer. */
export function noMainBranch(consumer: string, pacticipant: Resource | undefined): readonly string[] {
  if (typeof pacticipant?.mainBranch === 'string') return [];
  return [
    `${consumer}: the broker does not know its main branch, so a provider's job leaves the pacts of main out: legacy-conformance contracts create-or-update-pacticipant --name ${JSON.stringify(consumer)} --main-branch NAME`,
  ];
}

function explained(trouble: BrokerTrouble, error: unknown, version: string): string {
  const changed = /Cannot change the content of the pact for .* and provider (.*?), as race/.exec(
    trouble.message,
  )?.[1];
  if (changed === undefined) return trouble.message;
  const diff =
    error instanceof BrokerFailed && error.details.length > 0
      ? '. The diff, - what it has, + what was sent'
      : '';
  return `the pact with ${changed} differs from the one that was published as version ${version} before (409): a version's pact is fixed; publish from a new commit, and make sure that the pact holds no random values${diff}`;
}

function unless({ kind }: BrokerTrouble): string {
  return kind === 'unreachable' || kind === 'failing'
    ? ', unless the answer alone was lost: publishing it again does no harm'
    : '';
}

function isMisspelling(error: unknown): error is BrokerFailed {
  return error instanceof BrokerFailed && error.trouble.message.includes('" is very similar');
}

function misspelling({ trouble }: BrokerFailed): readonly string[] {
  const name = /The name "(.*?)" is very similar/.exec(trouble.message)?.[1] ?? '';
  return [
    `the broker takes ${name} for a misspelt name that it has already (409): use that name, or create it with legacy-conformance contracts create-or-update-pacticipant --name ${JSON.stringify(name)}`,
    trouble.message,
  ];
}
