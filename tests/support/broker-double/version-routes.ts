import type { Call } from './call.ts';
import { deploymentBody, environmentBody } from './resources.ts';
import { type BrokerAnswer, hal, NOT_FOUND } from './wire.ts';

export function putBranchVersion({
  store,
  links,
  at: [name = '', branch = '', number = ''],
}: Call): BrokerAnswer {
  const known = store.version(name, number)?.branches.includes(branch) ?? false;
  store.ensureVersion(name, number, branch);
  const href = links.branchVersion(name, branch, number);
  const answer = {
    _links: {
      self: { title: 'Branch version', href },
      'pb:branch': {
        title: 'Branch',
        name: branch,
        href: links.to('pacticipants', name, 'branches', branch),
      },
      'pb:version': { title: 'Version', name: number, href: links.version(name, number) },
    },
  };
  return known ? hal(200, answer) : hal(201, answer, { Location: href });
}

export function listEnvironments({ store, links }: Call): BrokerAnswer {
  return hal(200, {
    _embedded: { environments: store.environments.map((e) => environmentBody(links, e)) },
    _links: {
      self: { title: 'Environments', href: links.to('environments') },
      'pb:environments': store.environments.map((e) => ({
        title: 'Environment',
        name: e.displayName,
        href: links.environment(e),
      })),
    },
  });
}

/** `GET /environments/UUID/deployed-versions/currently-deployed`, of one pacticipant where the query names it. */
export function listDeployed({ store, links, request, at: [uuid = ''] }: Call): BrokerAnswer {
  const environment = store.environments.find((e) => e.uuid === uuid);
  if (environment === undefined) return NOT_FOUND;
  const pacticipant = request.query.get('pacticipant');
  const deployed = store.deployments.filter(
    (d) =>
      d.currentlyDeployed &&
      d.environment === environment &&
      (pacticipant === null || d.pacticipant === pacticipant),
  );
  const search = request.target.includes('?') ? `?${request.query}` : '';
  return hal(200, {
    _embedded: { deployedVersions: deployed.map((deployment) => deploymentBody(links, deployment)) },
    _links: {
      self: {
        href: `${links.environment(environment)}/deployed-versions/currently-deployed${search}`,
        title: `Currently deployed versions for ${environment.displayName}`,
      },
    },
  });
}
