import { pactsForVerification } from './for-verification.ts';
import { withIds } from './pact-content.ts';
import { publishContracts } from './publish.ts';
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

/** Answers one request as the broker's application does. */
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
