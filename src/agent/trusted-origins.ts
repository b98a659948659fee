/**
 * Which origins may get the owner's credentials. Every user agent asks here before it types or sends one, so that a page
 * elsewhere that looks like the sign-in page gets nothing.
 */

/** A credential would have gone to an origin that may not get it. Nothing was typed or sent there. */
export class ForeignOrigin extends Error {
  override readonly name = 'ForeignOrigin';
  /** Scheme, host and port of who asked; `null` for pages without an origin. */
  readonly origin: string;

  constructor(origin: string, asked: 'asks for' | 'would be sent', trusted: ReadonlySet<string>) {
    const place = origin === 'null' ? 'a page without an origin of its own' : origin;
    const what =
      asked === 'asks for'
        ? `${place} asks for the owner's credentials`
        : `the sign-in form sends the owner's credentials to ${place}`;
    super(
      `${what}, and only ${[...trusted].join(', ')} may get them; nothing was sent there. If that origin belongs to the service, add it to \`signIn.origins\``,
    );
    this.origin = origin;
  }
}

/** Origins that may get the owner's credentials. */
export class TrustedOrigins {
  readonly #origins: ReadonlySet<string>;

  /**
   * @param authUrl address of the authorization server
   * @param others further origins, as `signIn.origins` has them
   */
  constructor(authUrl: string, others: readonly string[] = []) {
    this.#origins = new Set([authUrl, ...others].map(originOf));
  }

  /** Returns whether an address belongs to one of them. */
  has(address: string): boolean {
    return this.#origins.has(originOf(address));
  }

  /** @throws ForeignOrigin when a page at this address may not get credentials */
  demandPage(address: string): void {
    if (!this.has(address)) throw this.refusal(address, 'asks for');
  }

  /** @throws ForeignOrigin when credentials may not be sent to this address */
  demandRecipient(address: string): void {
    if (!this.has(address)) throw this.refusal(address, 'would be sent');
  }

  refusal(address: string, asked: 'asks for' | 'would be sent'): ForeignOrigin {
    return new ForeignOrigin(originOf(address), asked, this.#origins);
  }

  /** Returns whether a cookie of this domain goes to one of them alone, or to the domain that one of them belongs to. */
  holdsCookieOf(domain: string): boolean {
    const bare = domain.replace(/^\./, '').toLowerCase();
    const hosts = [...this.#origins].map((origin) => new URL(origin).hostname);
    return hosts.some((host) => host === bare || (domain.startsWith('.') && host.endsWith(`.${bare}`)));
  }
}

/** Scheme, host and port; `null` for addresses that have none, such as `about:blank` and `data:`. */
function originOf(address: string): string {
  return URL.canParse(address) ? new URL(address).origin : 'null';
}
