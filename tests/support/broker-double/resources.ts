import type { Links } from './links.ts';
import { isObject } from './pact-content.ts';
import { pactName } from './publish.ts';
import type { BrokerStore, Deployment, Environment, Pacticipant, Version } from './store.ts';
import { type BrokerAnswer, hal, timestamp } from './wire.ts';

/** A pacticipant with its links. */
export function pacticipantBody(links: Links, pacticipant: Pacticipant) {
  const { name, displayName, mainBranch, repositoryUrl, createdAt } = pacticipant;
  const self = links.pacticipant(name);
  return {
    name,
    displayName: displayName ?? name,
    repositoryUrl,
    mainBranch,
    createdAt: timestamp(createdAt),
    _embedded: { labels: [] },
    _links: {
      self: { href: self },
      'pb:versions': { href: `${self}/versions` },
      'pb:version': {
        title: 'Get, create or delete a pacticipant version',
        href: `${self}/versions/{version}`,
        templated: true,
      },
      'pb:version-tag': {
        title: `Get, create or delete a tag for a version of ${name}`,
        href: `${self}/versions/{version}/tags/{tag}`,
        templated: true,
      },
      'pb:branch-version': {
        title: `Get or add/create a version for a branch of ${name}`,
        href: `${self}/branches/{branch}/versions/{version}`,
        templated: true,
      },
    },
  };
}

/** A version with a link for recording its deployment to each environment. */
export function versionBody(store: BrokerStore, links: Links, name: string, version: Version) {
  const { number } = version;
  const branches = version.branches.map((branch) => ({
    name: branch,
    _links: { self: { href: links.branchVersion(name, branch, number) } },
  }));
  return {
    number,
    buildUrl: version.buildUrl,
    createdAt: timestamp(version.createdAt),
    _embedded: { branches, branchVersions: branches, tags: version.tags.map((tag) => ({ name: tag })) },
    _links: {
      self: { title: 'Version', name: number, href: links.version(name, number) },
      'pb:pacticipant': { title: 'Pacticipant', name, href: links.pacticipant(name) },
      'pb:pact-versions': store.publicationsOf(name, number).map((publication) => ({
        title: 'Pact',
        name: pactName(publication),
        href: links.pact(publication),
      })),
      'pb:record-deployment': store.environments.map((environment) => ({
        title: `Record deployment to ${environment.displayName}`,
        name: environment.name,
        href: links.recordDeployment(name, number, environment),
      })),
    },
  };
}

/** An environment. */
export function environmentBody(links: Links, environment: Environment) {
  const { uuid, name, displayName, production, contacts, createdAt } = environment;
  const self = links.environment(environment);
  return {
    uuid,
    name,
    displayName,
    production,
    contacts,
    createdAt: timestamp(createdAt),
    _links: {
      self: { title: 'Environment', name, href: self },
      'pb:currently-deployed-deployed-versions': {
        title: `Versions currently deployed to ${displayName} environment`,
        href: `${self}/deployed-versions/currently-deployed`,
      },
      'pb:environments': { title: 'Environments', href: links.to('environments') },
    },
  };
}

/** `uat` becomes `Uat`. */
export function titleOf(name: string): string {
  const words = name.replaceAll(/[-_]/g, ' ');
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

/** A deployment. */
export function deploymentBody(links: Links, deployment: Deployment) {
  const { uuid, pacticipant, version, environment, instance, currentlyDeployed, createdAt } = deployment;
  return {
    uuid,
    currentlyDeployed,
    ...(instance === undefined ? {} : { target: instance, applicationInstance: instance }),
    createdAt: timestamp(createdAt),
    _embedded: {
      pacticipant: { name: pacticipant, _links: { self: { href: links.pacticipant(pacticipant) } } },
      version: {
        number: version,
        _links: { self: { title: 'Version', name: version, href: links.version(pacticipant, version) } },
      },
      environment: environmentBody(links, environment),
    },
    _links: { self: { href: links.to('deployed-versions', uuid) } },
  };
}

/** `POST …/deployed-versions/environment/UUID`. */
export function recordDeployment(
  store: BrokerStore,
  links: Links,
  name: string,
  number: string,
  environment: Environment,
  body: unknown,
): BrokerAnswer {
  const { applicationInstance, target } = isObject(body) ? body : {};
  const instance = applicationInstance ?? target;
  const deployment = store.deploy(
    name,
    number,
    environment,
    instance === undefined ? undefined : String(instance),
  );
  const answer = deploymentBody(links, deployment);
  return hal(201, answer, { Location: answer._links.self.href });
}
