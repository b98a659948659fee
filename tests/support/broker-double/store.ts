import { type PactContent, pactSha } from './pact-content.ts';

export interface Version {
  readonly number: string;
  branches: readonly string[];
}

/** A consumer or provider, its versions oldest first. */
export interface Pacticipant {
  readonly name: string;
  mainBranch?: string;
  readonly versions: Version[];
  /** The number of verifications that there were when a branch was made, by its name. */
  readonly branches: Map<string, number>;
}

export interface Publication {
  readonly consumer: string;
  readonly provider: string;
  readonly version: string;
  readonly sha: string;
  readonly content: PactContent;
  readonly createdAt: Date;
}

/** A verification result of one content by one provider version. */
export interface Verification {
  readonly consumer: string;
  readonly provider: string;
  readonly sha: string;
  readonly providerVersion: string;
  readonly success: boolean;
  /** All that was published, as it came. */
  readonly published: Readonly<Record<string, unknown>>;
}

export interface Deployment {
  readonly pacticipant: string;
  readonly version: string;
  readonly environment: string;
  /** Released versions stay beside newer ones; a deployed one replaces the one before it. */
  readonly how: 'deployed' | 'released';
}

const MAIN_BRANCHES = new Set(['develop', 'main', 'master']);

export class BrokerStore {
  readonly pacticipants: Pacticipant[] = [];
  readonly publications: Publication[] = [];
  readonly verifications: Verification[] = [];
  readonly environments = ['test', 'production'];
  deployments: Deployment[] = [];

  pacticipant(name: string): Pacticipant | undefined {
    return this.pacticipants.find((p) => p.name === name);
  }

  version(name: string, number: string): Version | undefined {
    return this.pacticipant(name)?.versions.find((v) => v.number === number);
  }

  ensurePacticipant(name: string): Pacticipant {
    const known = this.pacticipant(name);
    if (known !== undefined) return known;
    const pacticipant = { name, versions: [], branches: new Map<string, number>() };
    this.pacticipants.push(pacticipant);
    return pacticipant;
  }

  /** The version, made when it is new, on the branch if one is given. */
  ensureVersion(name: string, number: string, branch?: string): Version {
    const pacticipant = this.ensurePacticipant(name);
    let version = this.version(name, number);
    if (version === undefined) {
      version = { number, branches: [] };
      pacticipant.versions.push(version);
    }
    if (branch !== undefined && !version.branches.includes(branch)) {
      version.branches = [...version.branches, branch];
      if (!pacticipant.branches.has(branch)) pacticipant.branches.set(branch, this.verifications.length);
      if (MAIN_BRANCHES.has(branch)) pacticipant.mainBranch ??= branch;
    }
    return version;
  }

  publication(consumer: string, version: string, provider: string): Publication | undefined {
    return this.publications.find(
      (p) => p.consumer === consumer && p.version === version && p.provider === provider,
    );
  }

  bySha(consumer: string, provider: string, sha: string): Publication | undefined {
    return this.publications.findLast(
      (p) => p.consumer === consumer && p.provider === provider && p.sha === sha,
    );
  }

  publish(
    consumer: string,
    version: string,
    provider: string,
    content: PactContent,
    branch?: string,
  ): Publication {
    this.ensureVersion(consumer, version, branch);
    this.ensurePacticipant(provider);
    const known = this.publication(consumer, version, provider);
    if (known !== undefined) return known;
    const sha = pactSha(content);
    const publication = { consumer, provider, version, sha, content, createdAt: new Date() };
    this.publications.push(publication);
    return publication;
  }

  verificationsOf({ consumer, provider, sha }: Publication): readonly Verification[] {
    return this.verifications.filter(
      (v) => v.consumer === consumer && v.provider === provider && v.sha === sha,
    );
  }

  verify(
    { consumer, provider, sha }: Publication,
    result: Pick<Verification, 'providerVersion' | 'success'> & Partial<Verification>,
  ): void {
    this.ensureVersion(provider, result.providerVersion);
    this.verifications.push({ published: {}, ...result, consumer, provider, sha });
  }

  deploy(pacticipant: string, version: string, environment: string): void {
    this.ensureVersion(pacticipant, version);
    const deployment = { pacticipant, version, environment, how: 'deployed' } as const;
    const others = this.deployments.filter(
      (d) => d.how === 'released' || d.pacticipant !== pacticipant || d.environment !== environment,
    );
    this.deployments = [...others, deployment];
  }

  release(pacticipant: string, version: string, environment: string): void {
    this.deployments.push({ pacticipant, version, environment, how: 'released' });
  }

  deployedIn(
    environment: string,
    pacticipant: string,
    how: Deployment['how'] = 'deployed',
  ): readonly string[] {
    return this.deployments
      .filter((d) => d.how === how && d.environment === environment && d.pacticipant === pacticipant)
      .map((d) => d.version);
  }
}
