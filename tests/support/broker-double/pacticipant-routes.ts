import type { Call } from './call.ts';
import { pactName } from './publish.ts';
import { pacticipantBody } from './resources.ts';
import { type BrokerAnswer, hal, NOT_FOUND } from './wire.ts';

export function getPacticipant({ store, links, at: [name = ''] }: Call): BrokerAnswer {
  const found = store.pacticipant(name);
  return found === undefined ? NOT_FOUND : hal(200, pacticipantBody(links, found));
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
