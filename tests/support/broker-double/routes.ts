import { pactsForVerification } from './for-verification.ts';
import { contentDiff, type PactContent, pactSha, withIds } from './pact-content.ts';
import type { BrokerStore, Publication } from './store.ts';
import {
  type ArrivedAtBroker,
  type BrokerAnswer,
  type Call,
  contentHref,
  hal,
  json,
  NOT_FOUND,
  pactHref,
} from './wire.ts';

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
function publishContracts(call: Call): BrokerAnswer {
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

const PACT = '/pacts/provider/*/consumer/*';

const ROUTES: readonly (readonly [method: string, path: string, answer: (call: Call) => BrokerAnswer])[] = [
  ['GET', '/', index],
  ['POST', '/contracts/publish', publishContracts],
  ['GET', `${PACT}/version/*`, getPact],
  ['GET', `${PACT}/pact-version/*`, getContent],
  ['GET', `${PACT}/pact-version/*/metadata/*`, getContent],
  ['POST', `${PACT}/pact-version/*/verification-results`, postResults],
  ['POST', `${PACT}/pact-version/*/metadata/*/verification-results`, postResults],
  ['POST', '/pacts/provider/*/for-verification', pactsForVerification],
  ['GET', '/pacticipants/*/versions/*', getVersion],
  ['PUT', '/pacticipants/*/branches/*/versions/*', putBranchVersion],
];

export function answerRequest(store: BrokerStore, request: ArrivedAtBroker): BrokerAnswer {
  const href = (...segments: readonly string[]) =>
    [`http://${request.headers.host}`, ...segments.map(encodeURIComponent)].join('/');
  for (const [method, path, answer] of ROUTES) {
    const match = new RegExp(`^${path.replaceAll('*', '([^/]+)')}$`).exec(request.path);
    if (match === null || method !== request.method) continue;
    const body = request.body === '' ? {} : JSON.parse(request.body);
    return answer({ store, href, body, at: match.slice(1).map(decodeURIComponent) });
  }
  return NOT_FOUND;
}

function index({ href }: Call): BrokerAnswer {
  const link = (path: string) => ({ href: `${href()}${path}` });
  return hal(200, {
    _links: {
      'pb:publish-contracts': link('/contracts/publish'),
      'pb:pacticipant-branch-version': link(
        '/pacticipants/{pacticipant}/branches/{branch}/versions/{version}',
      ),
      'pb:pacticipant-version': link('/pacticipants/{pacticipant}/versions/{version}'),
      'pb:provider-pacts-for-verification': link('/pacts/provider/{provider}/for-verification'),
    },
  });
}

function getPact(call: Call): BrokerAnswer {
  const [provider = '', consumer = '', version = ''] = call.at;
  return pactAnswer(call, call.store.publication(consumer, version, provider));
}

function getContent(call: Call): BrokerAnswer {
  const [provider = '', consumer = '', sha = '', metadata] = call.at;
  return pactAnswer(call, call.store.bySha(consumer, provider, sha), metadata);
}

function pactAnswer(call: Call, found: Publication | undefined, metadata?: string): BrokerAnswer {
  if (found === undefined) return NOT_FOUND;
  return hal(200, {
    ...withIds(found.content),
    _links: {
      self: { href: pactHref(call, found) },
      'pb:publish-verification-results': {
        href: `${contentHref(call, found, metadata)}/verification-results`,
      },
    },
  });
}

function postResults({ store, body, at: [provider = '', consumer = '', sha = ''] }: Call): BrokerAnswer {
  const found = store.bySha(consumer, provider, sha);
  if (found === undefined) return NOT_FOUND;
  const { success, providerApplicationVersion } = body;
  if (typeof success !== 'boolean' || typeof providerApplicationVersion !== 'string')
    return json(400, { errors: { success: ['is missing'] } });
  store.verify(found, { success, providerVersion: providerApplicationVersion, published: body });
  return hal(201, { success });
}

function getVersion(call: Call): BrokerAnswer {
  const { store, at } = call;
  const [name = '', number = ''] = at;
  if (store.version(name, number) === undefined) return NOT_FOUND;
  const pacts = store.publications.filter((p) => p.consumer === name && p.version === number);
  return hal(200, {
    number,
    _links: {
      'pb:pact-versions': pacts.map((pact) => ({ href: pactHref(call, pact) })),
    },
  });
}

function putBranchVersion({ store, href, at: [name = '', branch = '', number = ''] }: Call): BrokerAnswer {
  store.ensureVersion(name, number, branch);
  return hal(201, { _links: { 'pb:version': { href: href('pacticipants', name, 'versions', number) } } });
}
