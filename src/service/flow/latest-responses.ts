import type { WireRequest } from '../../http/exchange.ts';

/**
 * Knows the refresh token of each application's latest token response: the document promises to honour no other (clause 4.3), so a
 * service may end those of earlier grants.
 */
export class LatestResponses {
  readonly #latest = new Map<string, string>();
  readonly #outdated = new WeakSet<WireRequest>();
  /** Becomes true if the service honours the refresh tokens of earlier grants; undefined until a check asks. */
  keepsEarlier: Promise<boolean> | undefined;

  sent(request: WireRequest): void {
    const [client, token] = partsOf(request);
    if (token !== null && token !== this.#latest.get(client)) this.#outdated.add(request);
  }

  answered(request: WireRequest, refreshToken: string): void {
    const [client] = partsOf(request);
    this.#latest.set(client, refreshToken);
  }

  /** True for a refresh that was sent with the token of an earlier token response. */
  isOutdated(request: WireRequest): boolean {
    return this.#outdated.has(request);
  }
}

function partsOf({ body }: WireRequest): readonly [client: string, refreshToken: string | null] {
  const parameters = new URLSearchParams(body);
  return [parameters.get('client_id') ?? '', parameters.get('refresh_token')];
}
