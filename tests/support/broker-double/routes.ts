import type { Call } from './call.ts';
import { pactsForVerification } from './for-verification.ts';
import { Links } from './links.ts';
import { getContent, getPact, postResults } from './pact-routes.ts';
import { getPacticipant, latestProviderPacts, listIntegrations } from './pacticipant-routes.ts';
import { publishContracts } from './publish.ts';
import { recordDeployment, versionBody } from './resources.ts';
import type { BrokerStore } from './store.ts';
import { listDeployed, listEnvironments, putBranchVersion } from './version-routes.ts';
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
  { method: 'GET', path: '/pacticipants/*', answer: getPacticipant },
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
  { method: 'GET', path: '/environments', answer: listEnvironments },
  {
    method: 'GET',
    path: '/environments/*/deployed-versions/currently-deployed',
    answer: listDeployed,
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
  if (type !== 'application/json') return { answer: { status: 415 } };
  if (body === '') return { body: {} };
  try {
    return { body: JSON.parse(body) };
  } catch {
    const quoted = body.slice(0, 20);
    return { answer: json(400, { error: `JSON::ParserError - unexpected character: '${quoted}'` }) };
  }
}
