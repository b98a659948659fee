import type { Environment, Publication } from './store.ts';

/** Addresses of the broker's resources. They are absolute and made from the Host that a request was sent to. */
export class Links {
  readonly #base: string;

  /** @param base `http://` and the request's Host */
  constructor(base: string) {
    this.#base = base;
  }

  to(...segments: readonly (string | number)[]): string {
    return [this.#base, ...segments.map((s) => encodeURIComponent(s))].join('/');
  }

  pacticipant(name: string): string {
    return this.to('pacticipants', name);
  }

  version(name: string, number: string): string {
    return this.to('pacticipants', name, 'versions', number);
  }

  branchVersion(name: string, branch: string, number: string): string {
    return this.to('pacticipants', name, 'branches', branch, 'versions', number);
  }

  pact({ provider, consumer, version }: Publication): string {
    return this.to('pacts', 'provider', provider, 'consumer', consumer, 'version', version);
  }

  /** The permalink of a content, with metadata that say why it was asked for. */
  pactVersion({ provider, consumer, sha }: Publication, metadata?: string): string {
    const plain = this.to('pacts', 'provider', provider, 'consumer', consumer, 'pact-version', sha);
    return metadata === undefined ? plain : `${plain}/metadata/${metadata}`;
  }

  environment({ uuid }: Environment): string {
    return this.to('environments', uuid);
  }

  recordDeployment(name: string, number: string, { uuid }: Environment): string {
    return `${this.version(name, number)}/deployed-versions/environment/${uuid}`;
  }

  /** The links of the index, as far as clients follow them. */
  index(): Readonly<Record<string, unknown>> {
    const link = (path: string, title: string) => ({
      href: `${this.#base}${path}`,
      title,
      templated: path.includes('{'),
    });
    return {
      self: { href: this.#base, title: 'Index', templated: false },
      'pb:publish-pact': link(
        '/pacts/provider/{provider}/consumer/{consumer}/version/{consumerApplicationVersion}',
        'Publish a pact',
      ),
      'pb:publish-contracts': link('/contracts/publish', 'Publish contracts'),
      'pb:latest-provider-pacts': link('/pacts/provider/{provider}/latest', 'Latest pacts by provider'),
      'pb:integrations': link('/integrations', 'Integrations'),
      'pb:pacticipants': link('/pacticipants', 'Pacticipants'),
      'pb:pacticipant': link('/pacticipants/{pacticipant}', 'Fetch pacticipant by name'),
      'pb:pacticipant-branch-version': link(
        '/pacticipants/{pacticipant}/branches/{branch}/versions/{version}',
        'Get or add/create a pacticipant version for a branch',
      ),
      'pb:pacticipant-version': link(
        '/pacticipants/{pacticipant}/versions/{version}',
        'Get, create or delete a pacticipant version',
      ),
      'pb:provider-pacts-for-verification': link(
        '/pacts/provider/{provider}/for-verification',
        'Pact versions to be verified for the specified provider',
      ),
      curies: [{ name: 'pb', href: `${this.#base}/doc/{rel}?context=index`, templated: true }],
      'pb:environments': link('/environments', 'Environments'),
      'pb:environment': link('/environments/{uuid}', 'Environment'),
    };
  }
}
