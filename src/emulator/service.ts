import type { TokenForm } from './control/control-types.ts';
import type { Policy } from './policy/policy.ts';
import type { WholeProfile } from './policy/profile.ts';
import type { RehearsedEnd } from './simulation/retirement.ts';
import type { Clock } from './store/clock.ts';
import type { Randomness } from './store/randomness.ts';
import type { ResourceOwner } from './store/records.ts';
import type { ResolvedSeed } from './store/seed.ts';
import type { Store } from './store/store.ts';

/** The handlers' context. A reset replaces `policy` and `store`, so handlers read them for each request and never keep them. */
export interface Service {
  readonly profile: WholeProfile;
  readonly clock: Clock;
  readonly randomness: Randomness;
  policy: Policy;
  store: Store;
  seed: ResolvedSeed;
  defects: readonly string[];
  addresses: { readonly authUrl: string; readonly baseUrl: string; readonly controlUrl?: string };
  /** Lifetime of access tokens in seconds, if it differs from the document's. */
  expiresIn: number | undefined;
  readonly retirement: RehearsedEnd;
  tokenForm: TokenForm;
  /** The owner who decides on authorization requests without a form; undefined shows the forms. */
  autoConsent: OwnerDecision | undefined;
}

export interface OwnerDecision {
  readonly owner: ResourceOwner;
  readonly decision: 'grant' | 'deny';
}

/** The path of {auth_url}: empty, or a path that starts with a slash and does not end in one. */
export function authPathOf({ addresses }: Service): string {
  const { pathname } = new URL(addresses.authUrl);
  return pathname === '/' ? '' : pathname;
}

/** Returns an authorization request of the first application, for all scopes (clause 4.1). */
export function authorizeUrlOf({ addresses, seed }: Service): string {
  const [{ clientId, redirectUris }] = seed.applications;
  const query = new URLSearchParams({
    client_id: clientId,
    redirect_uri: redirectUris[0] ?? '',
    response_type: 'code',
    scope: 'read write destroy',
  });
  return `${addresses.authUrl}/oauth/authorize?${query}`;
}
