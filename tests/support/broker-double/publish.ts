import { contentDiff } from './content-diff.ts';
import type { Links } from './links.ts';
import { pactSha } from './pact-content.ts';
import { type ContractInput, type PublishInput, readPublishInput } from './publish-input.ts';
import type { BrokerStore, Publication } from './store.ts';
import { type BrokerAnswer, hal, invalid, json } from './wire.ts';

interface Notice {
  readonly type: 'debug' | 'success' | 'prompt' | 'error' | 'info';
  readonly text: string;
}

/** `POST /contracts/publish`. */
export function publishContracts(store: BrokerStore, links: Links, body: unknown): BrokerAnswer {
  const read = readPublishInput(body);
  if ('errors' in read) return invalid(read.errors);
  const { input } = read;
  if (input.contracts.length === 0) throw new Error('no contracts: the broker fails on this too');
  const conflicts = [
    ...input.contracts.flatMap((contract) => contentConflict(store, input, contract)),
    ...similarNames(store, input),
  ];
  if (conflicts.length > 0) {
    const errors = conflicts.filter(({ type }) => type === 'error').map(({ text }) => text);
    return json(409, { notices: conflicts, errors: { contracts: errors } });
  }
  const created = store.version(input.consumer, input.version) === undefined;
  const version = store.ensureVersion(input.consumer, input.version, input.branch);
  version.tags = [...new Set([...version.tags, ...input.tags])];
  if (input.buildUrl !== undefined) version.buildUrl = input.buildUrl;
  const notices = [versionNotice(input, created), ...branchPrompt(input)];
  const publications = input.contracts.map((contract) => {
    const { publication, told } = publishOne(store, links, input, contract);
    notices.push(...told);
    return publication;
  });
  return hal(200, {
    logs: notices.map(({ type, text }) => ({
      level: type,
      message: text,
      deprecationWarning: 'Replaced by notices',
    })),
    notices,
    _embedded: {
      pacticipant: { name: input.consumer, _links: { self: { href: links.pacticipant(input.consumer) } } },
      version: {
        number: input.version,
        _links: {
          self: {
            title: 'Version',
            name: input.version,
            href: links.version(input.consumer, input.version),
          },
        },
      },
    },
    _links: {
      'pb:pacticipant': {
        title: 'Pacticipant',
        name: input.consumer,
        href: links.pacticipant(input.consumer),
      },
      'pb:pacticipant-version': {
        title: 'Pacticipant version',
        name: input.version,
        href: links.version(input.consumer, input.version),
      },
      'pb:pacticipant-version-tags': input.tags.map((name) => ({
        title: 'Tag',
        name,
        href: `${links.version(input.consumer, input.version)}/tags/${encodeURIComponent(name)}`,
      })),
      'pb:contracts': publications.map((publication) => ({
        title: 'Pact',
        name: pactName(publication),
        href: links.pact(publication),
      })),
    },
  });
}

/** The name of a pact in links. */
export function pactName({ consumer, version, provider }: Publication): string {
  return `Pact between ${consumer} (${version}) and ${provider}`;
}

/** The refusal of changed content under a known version, `onConflict: merge` included: that is its default. */
function contentMayNotChange(consumer: string, version: string, provider: string): string {
  return (
    `Cannot change the content of the pact for ${consumer} version ${version} and provider ${provider}, as race ` +
    'conditions will cause unreliable results for can-i-deploy. Each pact must be published with a unique consumer ' +
    'version number. Some Pact libraries generate random data when a concrete value for a type matcher is not ' +
    'specified, and this can cause the contract to mutate - ensure you have given example values for all type ' +
    'matchers. For more information see https://docs.pact.io/go/versioning'
  );
}

function contentConflict(store: BrokerStore, input: PublishInput, contract: ContractInput): Notice[] {
  const { consumer, version } = input;
  const known = store.publication(consumer, version, contract.provider);
  if (known === undefined || known.sha === pactSha(contract.content)) return [];
  return [
    { type: 'error', text: contentMayNotChange(consumer, version, contract.provider) },
    { type: 'info', text: contentDiff(known.content, contract.content) },
  ];
}

function publishOne(store: BrokerStore, links: Links, input: PublishInput, contract: ContractInput) {
  const { consumer, version } = input;
  const { provider } = contract;
  const known = store.publication(consumer, version, provider);
  const fresh = store.bySha(consumer, provider, pactSha(contract.content)) === undefined;
  const publication = store.publish(consumer, version, provider, contract.content);
  const of = `for ${consumer} version ${version} and provider ${provider}`;
  const told: Notice[] = [
    {
      type: 'success',
      text:
        known === undefined
          ? `Pact successfully published ${of}.`
          : `Pact successfully republished ${of} with no content changes.`,
    },
    { type: 'debug', text: `  View the published pact at ${links.pact(publication)}` },
    {
      type: 'debug',
      text: fresh
        ? '  Events detected: contract_published, contract_content_changed (first time untagged pact published)'
        : '  Events detected: contract_published',
    },
  ];
  const nextSteps: Notice[] = [];
  if (store.verifications.every((v) => v.consumer !== consumer || v.provider !== provider)) {
    nextSteps.push({
      type: 'prompt',
      text: `    * Add Pact verification tests to the ${provider} build. See https://docs.pact.io/go/provider_verification`,
    });
  }
  if (nextSteps.length > 0) told.push({ type: 'prompt', text: '  Next steps:' }, ...nextSteps);
  return { publication, told };
}

function versionNotice({ consumer, version, branch, tags }: PublishInput, created: boolean): Notice {
  const parts = [
    ...(branch === undefined ? [] : [`branch ${branch}`]),
    ...(tags.length === 0 ? [] : [`tags ${tags.join(', ')}`]),
  ];
  const by = parts.length === 0 ? '' : ` with ${parts.join(' and ')}`;
  return { type: 'debug', text: `${created ? 'Created' : 'Updated'} ${consumer} version ${version}${by}` };
}

function branchPrompt({ branch }: PublishInput): Notice[] {
  if (branch !== undefined) return [];
  const text = '  Next steps:\n    Configure the version branch to be the value of your repository branch.';
  return [{ type: 'prompt', text }];
}

/** The broker refuses a new name that is an old one but for case, hyphens, plural, or a word such as `api`. */
function similarNames(store: BrokerStore, { consumer, contracts }: PublishInput): Notice[] {
  const known = store.pacticipants.map(({ name }) => name);
  return [consumer, ...contracts.map(({ provider }) => provider)]
    .filter((name) => !known.includes(name))
    .flatMap((name) => {
      const similar = known.filter((other) => words(other).join() === words(name).join());
      if (similar.length === 0) return [];
      const text = [
        `This is the first time a pact has been published for "${name}".`,
        `The name "${name}" is very similar to the following existing pacticipants:`,
        ...similar.map((other) => `* ${other}`),
        'If you meant to specify one of the above names, please correct the pact configuration, and re-publish the pact.',
      ].join('\n');
      return [{ type: 'error', text }];
    });
}

function words(name: string): readonly string[] {
  return name
    .replaceAll(/\s/g, '_')
    .replaceAll(/([A-Z]+)([A-Z][a-z])/g, '$1_$2')
    .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toLowerCase()
    .split('_')
    .map((word) => word.replace(/s$/, ''))
    .filter((word) => !['api', 'provider', 'service'].includes(word));
}
