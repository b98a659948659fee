import type { Call } from './call.ts';
import { matrix, placeIn } from './matrix.ts';
import { isObject } from './pact-content.ts';
import { deploymentBody, environmentBody, releaseBody, versionBody } from './resources.ts';
import { type BrokerAnswer, hal, invalid, NOT_FOUND } from './wire.ts';

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

export function patchDeployment({ store, links, body, at: [uuid] }: Call): BrokerAnswer {
  const found = store.deployments.find((d) => d.uuid === uuid);
  if (found === undefined) return NOT_FOUND;
  if (isObject(body) && body.currentlyDeployed === true && !found.currentlyDeployed) {
    return invalid({
      currentlyDeployed: [
        'The currentlyDeployed property cannot be set back to true. Please record a new deployment.',
      ],
    });
  }
  if (isObject(body) && body.currentlyDeployed === false) found.currentlyDeployed = false;
  return hal(200, deploymentBody(links, found));
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

/** `GET /can-i-deploy`: the matrix, with a validation of its own before it. */
export function canIDeploy({ store, links, request: { query } }: Call): BrokerAnswer {
  const selector = { pacticipant: query.get('pacticipant') ?? '', version: query.get('version') ?? '' };
  const place = placeIn(query, 'to');
  const errors: Record<string, string[]> = {};
  if (store.pacticipant(selector.pacticipant) === undefined)
    errors.pacticipant = ['does not match an existing pacticipant'];
  if (place !== undefined && 'environment' in place && store.environment(place.environment) === undefined)
    errors.environment = [`with name '${place.environment}' does not exist`];
  return Object.keys(errors).length > 0 ? invalid(errors) : matrix(store, links, [selector], place);
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

/** `GET /environments/UUID/released-versions/currently-supported`. */
export function listReleased({ store, links, at: [uuid = ''] }: Call): BrokerAnswer {
  const environment = store.environments.find((e) => e.uuid === uuid);
  if (environment === undefined) return NOT_FOUND;
  const released = store.releases.filter((r) => r.currentlySupported && r.environment === environment);
  const href = `${links.environment(environment)}/released-versions/currently-supported`;
  return hal(200, {
    _embedded: { releasedVersions: released.map((release) => releaseBody(links, release)) },
    _links: { self: { href, title: `Currently supported versions for ${environment.displayName}` } },
  });
}

/** `POST …/released-versions/environment/UUID`. */
export function postRelease({ store, links, at: [name = '', number = '', uuid] }: Call): BrokerAnswer {
  const environment = store.environments.find((e) => e.uuid === uuid);
  if (environment === undefined || store.version(name, number) === undefined) return NOT_FOUND;
  const answer = releaseBody(links, store.release(name, number, environment));
  return hal(201, answer, { Location: answer._links.self.href });
}

export function patchRelease({ store, links, body, at: [uuid] }: Call): BrokerAnswer {
  const found = store.releases.find((r) => r.uuid === uuid);
  if (found === undefined) return NOT_FOUND;
  if (isObject(body) && typeof body.currentlySupported === 'boolean')
    found.currentlySupported = body.currentlySupported;
  return hal(200, releaseBody(links, found));
}

/** A version can be made by itself: its pacticipant comes with it. */
export function putVersion({ store, links, at: [name = '', number = ''] }: Call): BrokerAnswer {
  const known = store.version(name, number) !== undefined;
  const answer = versionBody(store, links, name, store.ensureVersion(name, number));
  return known ? hal(200, answer) : hal(201, answer, { Location: links.version(name, number) });
}

export function getBranch({ store, links, at: [name = '', branch = ''] }: Call): BrokerAnswer {
  const known = store.pacticipant(name)?.versions.some(({ branches }) => branches.includes(branch)) ?? false;
  if (!known) return NOT_FOUND;
  return hal(200, {
    name: branch,
    _links: { self: { title: 'Branch', href: links.to('pacticipants', name, 'branches', branch) } },
  });
}

/** The versions stay. */
export function deleteBranch({ store, at: [name = '', branch = ''] }: Call): BrokerAnswer {
  for (const version of store.pacticipant(name)?.versions ?? [])
    version.branches = version.branches.filter((one) => one !== branch);
  return { status: 204 };
}
