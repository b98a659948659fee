import type { Call } from './call.ts';
import { isObject } from './pact-content.ts';
import { pactName } from './publish.ts';
import { pacticipantBody } from './resources.ts';
import type { Pacticipant } from './store.ts';
import { type BrokerAnswer, hal, invalid, json, NOT_FOUND } from './wire.ts';

export function getPacticipant({ store, links, at: [name = ''] }: Call): BrokerAnswer {
  const found = store.pacticipant(name);
  return found === undefined ? NOT_FOUND : hal(200, pacticipantBody(links, found));
}

export function postPacticipant({ store, links, body }: Call): BrokerAnswer {
  const { name } = isObject(body) ? body : {};
  if (typeof name !== 'string' || name === '') return invalid({ name: ['is missing'] });
  if (store.pacticipant(name) !== undefined)
    return json(409, { errors: [`A pacticipant with name '${name}' already exists`] });
  const created = store.ensurePacticipant(name);
  describe(created, body);
  return hal(201, pacticipantBody(links, created), { Location: links.pacticipant(name) });
}

/** Only what is given changes. */
export function patchPacticipant({ store, links, body, at: [name = ''] }: Call): BrokerAnswer {
  const found = store.ensurePacticipant(name);
  describe(found, body);
  return hal(200, pacticipantBody(links, found));
}

export function deletePacticipant({ store, at: [name = ''] }: Call): BrokerAnswer {
  if (store.pacticipant(name) === undefined) return NOT_FOUND;
  store.removePacticipant(name);
  return { status: 204 };
}

/** `GET /pacts/provider/P/latest`: the newest pact of each consumer. */
export function latestProviderPacts({ store, links, at: [provider = ''] }: Call): BrokerAnswer {
  if (store.pacticipant(provider) === undefined) return NOT_FOUND;
  const pacts = store.publications.filter((p) => p.provider === provider);
  const latest = [...new Map(pacts.map((pact) => [pact.consumer, pact])).values()];
  return hal(200, {
    _links: {
      self: {
        href: links.to('pacts', 'provider', provider, 'latest'),
        title: `Latest pact versions for the provider ${provider}`,
      },
      'pb:provider': { href: links.pacticipant(provider), name: provider },
      'pb:pacts': latest.map((pact) => ({
        href: links.pact(pact),
        title: pactName(pact),
        name: pact.consumer,
      })),
    },
  });
}

/** `GET /integrations`: every pair that has a pact. */
export function listIntegrations({ store, links }: Call): BrokerAnswer {
  const pairs = new Map(store.publications.map((one) => [`${one.consumer}\n${one.provider}`, one]));
  return hal(200, {
    _embedded: {
      integrations: [...pairs.values()].map(({ consumer, provider }) => ({
        consumer: { name: consumer },
        provider: { name: provider },
      })),
    },
    _links: { self: { href: links.to('integrations'), title: 'All integrations' } },
  });
}

function describe(pacticipant: Pacticipant, body: unknown): void {
  const { mainBranch, displayName, repositoryUrl } = isObject(body) ? body : {};
  if (typeof mainBranch === 'string') pacticipant.mainBranch = mainBranch;
  if (typeof displayName === 'string') pacticipant.displayName = displayName;
  if (typeof repositoryUrl === 'string') pacticipant.repositoryUrl = repositoryUrl;
}
