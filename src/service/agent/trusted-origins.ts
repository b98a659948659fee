import type { BrowserSession } from '../configuration/sealed-file.ts';
import type { ConfigurationFinding } from '../target.ts';

/** Origins that may get the owner's credentials. Every user agent checks here before it types or sends one. */

export class ForeignOrigin extends Error {
  override readonly name = 'ForeignOrigin';
  override readonly cause = undefined;
  /** The origin and the fix apart. */
  readonly finding: ConfigurationFinding;

  constructor(origin: string, asked: 'asks for' | 'would be sent', trusted: ReadonlySet<string>) {
    const place = origin === 'null' ? 'a page without an origin of its own' : origin;
    const what =
      asked === 'asks for'
        ? `${place} asks for the owner's credentials`
        : `the sign-in form sends the owner's credentials to ${place}`;
    const observed = `${what}, and only ${[...trusted].join(', ')} may get them; nothing was sent there`;
    super(`${observed}. If that origin belongs to the service, add it to \`signIn.origins\``);
    const remedy = `if that origin belongs to the service, add it: "origins": ["${origin}"] in \`signIn\``;
    this.finding = { observed, remedy };
  }
}

export class TrustedOrigins {
  readonly #origins: ReadonlySet<string>;

  constructor(authUrl: string, others: readonly string[] = []) {
    this.#origins = new Set([authUrl, ...others].map(originOf));
  }

  has(address: string): boolean {
    return this.#origins.has(originOf(address));
  }

  /** @throws ForeignOrigin if the page, or the target of its form, may not get credentials */
  demand({ page, action }: { readonly page: string; readonly action: string }): void {
    if (!this.has(page)) throw this.refusal(page, 'asks for');
    if (!this.has(action)) throw this.refusal(action, 'would be sent');
  }

  refusal(address: string, asked: 'asks for' | 'would be sent'): ForeignOrigin {
    return new ForeignOrigin(originOf(address), asked, this.#origins);
  }

  /** Returns true if cookies of this domain go only to a trusted origin or to its parent domain. */
  holdsCookieOf(domain: string): boolean {
    const bare = domain.replace(/^\./, '').toLowerCase();
    const hosts = [...this.#origins].map((origin) => new URL(origin).hostname);
    return hosts.some((host) => host === bare || (domain.startsWith('.') && host.endsWith(`.${bare}`)));
  }
}

/** Returns scheme, host and port; `null` for addresses without them, such as `about:blank` and `data:`. */
function originOf(address: string): string {
  return URL.parse(address)?.origin ?? 'null';
}

/** A session without the cookies and storage of untrusted origins. */
export interface UsableSession {
  readonly session: BrowserSession;
  readonly leftOut: readonly string[];
}

export function sessionFor({ cookies, origins }: BrowserSession, trusted: TrustedOrigins): UsableSession {
  const ours = (cookie: BrowserSession['cookies'][number]) => trusted.holdsCookieOf(cookie.domain);
  const own = (stored: BrowserSession['origins'][number]) => trusted.has(stored.origin);
  const foreign = [
    ...cookies.filter((cookie) => !ours(cookie)).map(({ domain }) => domain),
    ...origins.filter((stored) => !own(stored)).map(({ origin }) => origin),
  ];
  return {
    session: { cookies: cookies.filter(ours), origins: origins.filter(own) },
    leftOut: [...new Set(foreign)].sort(),
  };
}
