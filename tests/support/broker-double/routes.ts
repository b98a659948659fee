import type { Call } from './call.ts';
import { pactsForVerification } from './for-verification.ts';
import { Links } from './links.ts';
import { matrix, placeIn, selectorsIn } from './matrix.ts';
import { getContent, getPact, postResults, putPact } from './pact-routes.ts';
import {
  deletePacticipant,
  getPacticipant,
  latestProviderPacts,
  listIntegrations,
  patchPacticipant,
  postPacticipant,
} from './pacticipant-routes.ts';
import { publishContracts } from './publish.ts';
import { createEnvironment, environmentBody, recordDeployment, versionBody } from './resources.ts';
import type { BrokerStore } from './store.ts';
import {
  canIDeploy,
  deleteBranch,
  getBranch,
  listDeployed,
  listEnvironments,
  listReleased,
  patchDeployment,
  patchRelease,
  postRelease,
  putBranchVersion,
  putVersion,
} from './version-routes.ts';
import { deleteWebhook, postWebhook } from './webhooks.ts';
import { type ArrivedAtBroker, type BrokerAnswer, hal, json, NOT_FOUND } from './wire.ts';

interface Route {
  readonly method: string;
  /** Segments; `*` is variable. */
  readonly path: string;
  readonly answer: (call: Call) => BrokerAnswer;
}

const PACT = '/pacts/provider/*/consumer/*';

const ROUTES: readonly Route[] = [
  { method: 'GET', path: '/', answer: ({ links }) => hal(200, { _links: links.index() }) },
  {
    method: 'POST',
    path: '/contracts/publish',
    answer: ({ store, links, body }) => publishContracts(store, links, body),
  },
  { method: 'GET', path: `${PACT}/version/*`, answer: getPact },
  { method: 'PUT', path: `${PACT}/version/*`, answer: putPact },
  { method: 'PATCH', path: `${PACT}/version/*`, answer: putPact },
  { method: 'GET', path: `${PACT}/pact-version/*`, answer: getContent },
  { method: 'GET', path: `${PACT}/pact-version/*/metadata/*`, answer: getContent },
  { method: 'POST', path: `${PACT}/pact-version/*/verification-results`, answer: postResults },
  { method: 'POST', path: `${PACT}/pact-version/*/metadata/*/verification-results`, answer: postResults },
  {
    method: 'POST',
    path: '/pacts/provider/*/for-verification',
    answer: ({ store, links, body, at }) => pactsForVerification(store, links, at[0] ?? '', body),
  },
  { method: 'GET', path: '/pacts/provider/*/latest', answer: latestProviderPacts },
  { method: 'GET', path: '/integrations', answer: listIntegrations },
  { method: 'POST', path: '/pacticipants', answer: postPacticipant },
  { method: 'GET', path: '/pacticipants/*', answer: getPacticipant },
  { method: 'PATCH', path: '/pacticipants/*', answer: patchPacticipant },
  { method: 'DELETE', path: '/pacticipants/*', answer: deletePacticipant },
  { method: 'PUT', path: '/pacticipants/*/versions/*', answer: putVersion },
  { method: 'GET', path: '/pacticipants/*/branches/*', answer: getBranch },
  { method: 'DELETE', path: '/pacticipants/*/branches/*', answer: deleteBranch },
  {
    method: 'GET',
    path: '/pacticipants/*/versions/*',
    answer: ({ store, links, at: [name = '', number = ''] }) => {
      const found = store.version(name, number);
      return found === undefined ? NOT_FOUND : hal(200, versionBody(store, links, name, found));
    },
  },
  { method: 'PUT', path: '/pacticipants/*/branches/*/versions/*', answer: putBranchVersion },
  {
    method: 'POST',
    path: '/pacticipants/*/versions/*/deployed-versions/environment/*',
    answer: ({ store, links, body, at: [name = '', number = '', uuid] }) => {
      const environment = store.environments.find((e) => e.uuid === uuid);
      if (environment === undefined || store.version(name, number) === undefined) return NOT_FOUND;
      return recordDeployment(store, links, name, number, environment, body);
    },
  },
  { method: 'POST', path: '/pacticipants/*/versions/*/released-versions/environment/*', answer: postRelease },
  { method: 'PATCH', path: '/released-versions/*', answer: patchRelease },
  { method: 'PATCH', path: '/deployed-versions/*', answer: patchDeployment },
  { method: 'POST', path: '/webhooks', answer: postWebhook },
  { method: 'DELETE', path: '/webhooks/*', answer: deleteWebhook },
  { method: 'GET', path: '/environments', answer: listEnvironments },
  {
    method: 'POST',
    path: '/environments',
    answer: ({ store, links, body }) => createEnvironment(store, links, body),
  },
  {
    method: 'GET',
    path: '/environments/*',
    answer: ({ store, links, at: [uuid] }) => {
      const found = store.environments.find((e) => e.uuid === uuid);
      return found === undefined ? NOT_FOUND : hal(200, environmentBody(links, found));
    },
  },
  {
    method: 'DELETE',
    path: '/environments/*',
    answer: ({ store, at: [uuid = ''] }) => {
      if (store.environments.every((e) => e.uuid !== uuid)) return NOT_FOUND;
      store.removeEnvironment(uuid);
      return { status: 204 };
    },
  },
  {
    method: 'GET',
    path: '/environments/*/deployed-versions/currently-deployed',
    answer: listDeployed,
  },
  {
    method: 'GET',
    path: '/environments/*/released-versions/currently-supported',
    answer: listReleased,
  },
  {
    method: 'GET',
    path: '/matrix',
    answer: ({ store, links, request: { query } }) =>
      matrix(store, links, selectorsIn(query), placeIn(query, 'tag')),
  },
  { method: 'GET', path: '/can-i-deploy', answer: canIDeploy },
  {
    method: 'GET',
    path: '/diagnostic/status/heartbeat',
    answer: ({ links }) =>
      hal(200, { ok: true, _links: { self: { href: links.to('diagnostic', 'status', 'heartbeat') } } }),
  },
];

/** Answers one request as the broker's application does. */
export function answerRequest(store: BrokerStore, request: ArrivedAtBroker): BrokerAnswer {
  const here = ROUTES.flatMap((route) => {
    const at = variablesIn(route.path, request.path);
    return at === undefined ? [] : [{ route, at }];
  });
  if (here.length === 0) return NOT_FOUND;
  const match = here.find(({ route }) => route.method === request.method);
  if (match === undefined) {
    const allowed = [...new Set(here.map(({ route }) => route.method))].join(', ');
    return { status: 405, headers: { Allow: `${allowed}, OPTIONS` } };
  }
  const parsed = bodyOf(request);
  if ('answer' in parsed) return parsed.answer;
  const links = new Links(`http://${request.headers.host}`);
  return match.route.answer({ store, links, request, body: parsed.body, at: match.at });
}

function variablesIn(pattern: string, path: string): readonly string[] | undefined {
  const wanted = pattern.split('/');
  const came = path.split('/');
  if (wanted.length !== came.length) return undefined;
  const variables: string[] = [];
  for (const [index, segment] of wanted.entries()) {
    const value = came[index] ?? '';
    if (segment === '*') variables.push(decodeURIComponent(value));
    else if (segment !== value) return undefined;
  }
  return variables;
}

function bodyOf({ method, headers, body }: ArrivedAtBroker): { body: unknown } | { answer: BrokerAnswer } {
  if (method === 'GET' || method === 'DELETE') return { body: {} };
  const type = headers['content-type']?.split(';')[0]?.trim();
  if (type !== 'application/json' && type !== 'application/merge-patch+json')
    return { answer: { status: 415 } };
  if (body === '') return { body: {} };
  try {
    return { body: JSON.parse(body) };
  } catch {
    const quoted = body.slice(0, 20);
    return { answer: json(400, { error: `JSON::ParserError - unexpected character: '${quoted}'` }) };
  }
}
