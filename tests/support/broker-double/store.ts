import { randomUUID } from 'node:crypto';
import { type PactContent, pactSha } from './pact-content.ts';

/** One version of a pacticipant. */
export interface Version {
  readonly number: string;
  branches: readonly string[];
  tags: readonly string[];
  buildUrl?: string;
  readonly createdAt: Date;
}

/** A consumer or provider, its versions oldest first. */
export interface Pacticipant {
  readonly name: string;
  mainBranch?: string;
  displayName?: string;
  repositoryUrl?: string;
  versions: Version[];
  /** The number of verifications that there were when a branch was made, by its name. */
  readonly branches: Map<string, number>;
  readonly createdAt: Date;
}

/** A pact of one consumer version. */
export interface Publication {
  readonly consumer: string;
  readonly provider: string;
  readonly version: string;
  sha: string;
  content: PactContent;
  readonly createdAt: Date;
}

/** A verification result of one content by one provider version. */
export interface Verification {
  readonly number: number;
  readonly consumer: string;
  readonly provider: string;
  readonly sha: string;
  readonly providerVersion: string;
  readonly success: boolean;
  readonly at: Date;
  /** The rest of what was published, as it came. */
  readonly published: Readonly<Record<string, unknown>>;
}

/** Where versions are deployed to. */
export interface Environment {
  readonly uuid: string;
  readonly name: string;
  readonly displayName: string;
  readonly production: boolean;
  readonly contacts?: unknown;
  readonly createdAt: Date;
}

/** A version in an environment. */
export interface Deployment {
  readonly uuid: string;
  readonly pacticipant: string;
  readonly version: string;
  readonly environment: Environment;
  readonly instance: string | undefined;
  currentlyDeployed: boolean;
  readonly createdAt: Date;
}

/** A version that was released in an environment, beside others. */
export interface Release {
  readonly uuid: string;
  readonly pacticipant: string;
  readonly version: string;
  readonly environment: Environment;
  currentlySupported: boolean;
  readonly createdAt: Date;
}

const MAIN_BRANCHES = new Set(['develop', 'main', 'master']);
/** Numbering of verification results starts here. */
const FIRST_VERIFICATION = 101;

/** What the broker has been told. Lists are oldest first. */
export class BrokerStore {
  pacticipants: Pacticipant[] = [];
  publications: Publication[] = [];
  verifications: Verification[] = [];
  environments: Environment[] = [];
  deployments: Deployment[] = [];
  releases: Release[] = [];

  pacticipant(name: string): Pacticipant | undefined {
    return this.pacticipants.find((p) => p.name === name);
  }

  version(name: string, number: string): Version | undefined {
    return this.pacticipant(name)?.versions.find((v) => v.number === number);
  }

  ensurePacticipant(name: string): Pacticipant {
    const known = this.pacticipant(name);
    if (known !== undefined) return known;
    const pacticipant = { name, versions: [], branches: new Map<string, number>(), createdAt: new Date() };
    this.pacticipants.push(pacticipant);
    return pacticipant;
  }

  /** The version, made when it is new, on the branch if one is given. */
  ensureVersion(name: string, number: string, branch?: string): Version {
    const pacticipant = this.ensurePacticipant(name);
    let version = this.version(name, number);
    if (version === undefined) {
      version = { number, branches: [], tags: [], createdAt: new Date() };
      pacticipant.versions.push(version);
    }
    if (branch !== undefined && !version.branches.includes(branch)) {
      version.branches = [...version.branches, branch];
      if (!pacticipant.branches.has(branch)) pacticipant.branches.set(branch, this.verifications.length);
      if (pacticipant.mainBranch === undefined && MAIN_BRANCHES.has(branch)) pacticipant.mainBranch = branch;
    }
    return version;
  }

  publication(consumer: string, version: string, provider: string): Publication | undefined {
    return this.publications.find(
      (p) => p.consumer === consumer && p.version === version && p.provider === provider,
    );
  }

  publicationsOf(consumer: string, version: string): readonly Publication[] {
    return this.publications.filter((p) => p.consumer === consumer && p.version === version);
  }

  /** Any publication with this content. */
  bySha(consumer: string, provider: string, sha: string): Publication | undefined {
    return this.publications.findLast(
      (p) => p.consumer === consumer && p.provider === provider && p.sha === sha,
    );
  }

  publish(consumer: string, version: string, provider: string, content: PactContent): Publication {
    this.ensurePacticipant(provider);
    const known = this.publication(consumer, version, provider);
    const sha = pactSha(content);
    if (known !== undefined) {
      known.content = content;
      known.sha = sha;
      return known;
    }
    const publication = { consumer, provider, version, sha, content, createdAt: new Date() };
    this.publications.push(publication);
    return publication;
  }

  /** The newest result of a content, by one provider version or by any. */
  latestVerification(pact: Pick<Publication, 'consumer' | 'provider' | 'sha'>, providerVersion: string) {
    return this.verificationsOf(pact).findLast((v) => v.providerVersion === providerVersion);
  }

  verificationsOf(pact: Pick<Publication, 'consumer' | 'provider' | 'sha'>): readonly Verification[] {
    return this.verifications.filter(
      (v) => v.consumer === pact.consumer && v.provider === pact.provider && v.sha === pact.sha,
    );
  }

  verify(result: Omit<Verification, 'number' | 'at'>): Verification {
    this.ensureVersion(result.provider, result.providerVersion);
    const number = FIRST_VERIFICATION + this.verifications.length;
    const verification = { ...result, number, at: new Date() };
    this.verifications.push(verification);
    return verification;
  }

  environment(name: string): Environment | undefined {
    return this.environments.find((e) => e.name === name);
  }

  addEnvironment(described: Pick<Environment, 'name' | 'displayName' | 'production' | 'contacts'>) {
    const environment = { ...described, uuid: randomUUID(), createdAt: new Date() };
    this.environments.push(environment);
    return environment;
  }

  /** A newer version in the same environment and instance replaces the one before it. Repeating changes nothing. */
  deploy(pacticipant: string, version: string, environment: Environment, instance?: string): Deployment {
    const here = this.deployments.filter(
      (d) => d.pacticipant === pacticipant && d.environment === environment && d.instance === instance,
    );
    const current = here.find((d) => d.currentlyDeployed);
    if (current?.version === version) return current;
    if (current !== undefined) current.currentlyDeployed = false;
    const deployment = {
      uuid: randomUUID(),
      pacticipant,
      version,
      environment,
      instance,
      currentlyDeployed: true,
      createdAt: new Date(),
    };
    this.deployments.push(deployment);
    return deployment;
  }

  /** Repeating changes nothing; what was released before stays. */
  release(pacticipant: string, version: string, environment: Environment): Release {
    const known = this.releases.find(
      (r) => r.pacticipant === pacticipant && r.version === version && r.environment === environment,
    );
    if (known !== undefined) {
      known.currentlySupported = true;
      return known;
    }
    const release = {
      uuid: randomUUID(),
      pacticipant,
      version,
      environment,
      currentlySupported: true,
      createdAt: new Date(),
    };
    this.releases.push(release);
    return release;
  }

  /** With everything that hangs on it. */
  removePacticipant(name: string): void {
    this.pacticipants = this.pacticipants.filter((p) => p.name !== name);
    const about = (one: { consumer: string; provider: string }) =>
      one.consumer === name || one.provider === name;
    this.publications = this.publications.filter((p) => !about(p));
    this.verifications = this.verifications.filter((v) => !about(v));
    this.deployments = this.deployments.filter((d) => d.pacticipant !== name);
    this.releases = this.releases.filter((r) => r.pacticipant !== name);
  }

  /** Versions of a pacticipant that are deployed in an environment now. */
  deployedIn(environment: string, pacticipant: string): readonly string[] {
    return this.deployments
      .filter(
        (d) => d.currentlyDeployed && d.environment.name === environment && d.pacticipant === pacticipant,
      )
      .map((d) => d.version);
  }

  /** Versions of a pacticipant that were released in an environment and are supported. */
  releasedIn(environment: string, pacticipant: string): readonly string[] {
    return this.releases
      .filter(
        (r) => r.currentlySupported && r.environment.name === environment && r.pacticipant === pacticipant,
      )
      .map((r) => r.version);
  }
}
