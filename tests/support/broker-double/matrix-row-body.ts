import type { Links } from './links.ts';
import type { Row } from './matrix-rows.ts';
import type { BrokerStore, Version } from './store.ts';
import { timestamp } from './wire.ts';

/** A row as it is served. */
export function rowBody(store: BrokerStore, links: Links, { pact, providerVersion, verification }: Row) {
  const version = (name: string, number: string, found: Version | undefined) => {
    const branches = (found?.branches ?? []).map((branch) => ({
      name: branch,
      latest: store.pacticipant(name)?.versions.findLast((v) => v.branches.includes(branch)) === found,
      _links: { self: { href: links.branchVersion(name, branch, number) } },
    }));
    const environments = store.environments
      .filter((e) => store.deployedIn(e.name, name).includes(number))
      .map((e) => ({
        uuid: e.uuid,
        name: e.name,
        displayName: e.displayName,
        production: e.production,
        _links: { self: { title: 'Environment', name: e.name, href: links.environment(e) } },
      }));
    return {
      number,
      branch: branches.at(-1)?.name ?? null,
      branches,
      branchVersions: branches,
      environments,
      _links: { self: { href: links.version(name, number) } },
      tags: (found?.tags ?? []).map((tag) => ({ name: tag, latest: true })),
    };
  };
  const party = (name: string, number: string | undefined) => ({
    name,
    version: number === undefined ? null : version(name, number, store.version(name, number)),
    _links: { self: { href: links.pacticipant(name) } },
  });
  return {
    consumer: party(pact.consumer, pact.version),
    provider: party(pact.provider, providerVersion),
    pact: { createdAt: timestamp(pact.createdAt), _links: { self: { href: links.pact(pact) } } },
    verificationResult:
      verification === undefined
        ? null
        : {
            success: verification.success,
            verifiedAt: timestamp(verification.at),
            _links: {
              self: { href: `${links.pactVersion(pact)}/verification-results/${verification.number}` },
            },
          },
  };
}
