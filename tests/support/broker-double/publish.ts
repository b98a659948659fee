import { contentDiff, type PactContent, pactSha } from './pact-content.ts';
import type { BrokerStore } from './store.ts';
import { type BrokerAnswer, type Call, hal, json, pactHref } from './wire.ts';

interface Notice {
  readonly type: 'debug' | 'success' | 'prompt' | 'error' | 'info';
  readonly text: string;
}

/** The request of `contracts publish`. */
interface Publishing {
  readonly pacticipantName: string;
  readonly pacticipantVersionNumber: string;
  readonly branch?: string;
  readonly contracts: readonly { readonly providerName: string; readonly content: string }[];
}

/** `POST /contracts/publish`: all of a consumer's pacts, or none. */
export function publishContracts(call: Call): BrokerAnswer {
  const { store, body } = call;
  const { pacticipantName, pacticipantVersionNumber, branch, contracts } = body as unknown as Publishing;
  const [consumer, version] = [pacticipantName, pacticipantVersionNumber];
  const pacts = contracts.map(({ providerName, content }) => ({
    of: { consumer, version, provider: providerName },
    content: JSON.parse(Buffer.from(content, 'base64').toString('utf8')) as PactContent,
  }));
  const refusals = pacts.flatMap(({ of, content }) => contentConflict(store, of, content));
  if (refusals.length > 0) {
    const errors = refusals.filter(({ type }) => type === 'error').map(({ text }) => text);
    return json(409, { notices: refusals, errors: { contracts: errors } });
  }
  const created = store.version(consumer, version) === undefined ? 'Created' : 'Updated';
  const on = branch === undefined ? '' : ` with branch ${branch}`;
  store.ensureVersion(consumer, version, branch);
  const notices: Notice[] = [
    { type: 'debug', text: `${created} ${consumer} version ${version}${on}` },
    ...(branch === undefined ? [NO_BRANCH] : []),
    ...pacts.flatMap(({ of, content }) => publishOne(call, of, content)),
  ];
  return hal(200, { notices, _embedded: { version: { number: version } } });
}

interface PactOf {
  readonly consumer: string;
  readonly version: string;
  readonly provider: string;
}

const NO_BRANCH: Notice = {
  type: 'prompt',
  text: '  Next steps:\n    Configure the version branch to be the value of your repository branch.',
};

/** The content of a version's pact is fixed, also with `onConflict: merge`. */
function contentConflict(
  store: BrokerStore,
  { consumer, version, provider }: PactOf,
  content: PactContent,
): readonly Notice[] {
  const known = store.publication(consumer, version, provider);
  if (known === undefined || known.sha === pactSha(content)) return [];
  const text = `Cannot change the content of the pact for ${consumer} version ${version} and provider ${provider}, as race conditions will cause unreliable results for can-i-deploy. Each pact must be published with a unique consumer version number.`;
  return [
    { type: 'error', text },
    { type: 'info', text: contentDiff(known.content, content) },
  ];
}

function publishOne(call: Call, { consumer, version, provider }: PactOf, content: PactContent) {
  const { store } = call;
  const known = store.publication(consumer, version, provider) !== undefined;
  const publication = store.publish(consumer, version, provider, content);
  const of = `for ${consumer} version ${version} and provider ${provider}`;
  const reported: Notice[] = [
    {
      type: 'success',
      text: known
        ? `Pact successfully republished ${of} with no content changes.`
        : `Pact successfully published ${of}.`,
    },
    { type: 'debug', text: `  View the published pact at ${pactHref(call, publication)}` },
    {
      type: 'prompt',
      text: `    * Add Pact verification tests to the ${provider} build. See https://docs.pact.io/go/provider_verification`,
    },
  ];
  return reported;
}
