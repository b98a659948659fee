import { headerOf, headersOf } from '../../http/exchange.ts';
import { type AuthorizeOutcome, redirectParameters, type ShownPage } from '../../service/agent/user-agent.ts';
import { isClientAddress } from '../../service/redirect-address.ts';
import { Blocked, ConformanceFailure } from './outcome.ts';

/**
 * All characters allowed in `state` (RFC 6749 appendix A.5: printable ASCII, with a space first and last), values that
 * some languages treat as empty, and 1000 characters, longer than common database columns, as in signed states.
 */
export const STATES = [
  `${Array.from({ length: 95 }, (_, i) => String.fromCharCode(0x20 + i)).join('')}%20 `,
  '0',
  // A service that decodes twice keeps the first one unchanged, because its percent signs start no escape.
  '%2Fback%3Fto%3Da%2Bb%26c%20d',
  'abcdefgh'.repeat(125),
] as const;

/** Requires `state` to be returned once and unchanged (RFC 6749 sections 4.1.2 and 4.1.2.1). */
export function expectState(caught: AuthorizeOutcome['caught'], sent: string): void {
  const received = caught === undefined ? [] : redirectParameters(caught).query.getAll('state');
  if (received.length === 1 && received[0] === sent) return;
  const came = received.length > 1 ? 'it more than once' : 'another value';
  const got = received.length === 0 ? 'none' : came;
  throw new ConformanceFailure('`state` to come back unchanged', got);
}

/** Requires that the client receives `access_denied` after a denial (RFC 6749 section 4.1.2.1). */
export function expectDenialTold(outcome: AuthorizeOutcome): void {
  const error = outcome.caught && redirectParameters(outcome.caught).query.get('error');
  if (error === 'access_denied') return;
  throw new ConformanceFailure('a redirect to the client with error=access_denied', outcomeText(outcome));
}

export function expectNoDelivery(
  outcome: AuthorizeOutcome,
  address: string,
  authorized: readonly [string, ...string[]],
): void {
  const { caught } = outcome;
  if (caught === undefined) return;
  const [reached] = caught.url.split(/[?#]/);
  if (authorized.some((uri) => uri.split('?')[0] === reached)) return;
  if (!isClientAddress(caught.url, [address], [])) return;
  throw new ConformanceFailure(
    'no redirect to an address that is not authorized',
    `a redirect to ${reached}`,
  );
}

export function expectFramingForbidden(pages: readonly ShownPage[]): void {
  const forms = pages.filter((page) => page.shows !== 'other');
  if (forms.length === 0) {
    throw new Blocked(
      'see the sign-in or the consent page',
      'authorize.redirects-with-code',
      'neither was shown',
    );
  }
  for (const page of forms) {
    if (forbidsFraming(page)) continue;
    throw new ConformanceFailure(
      `the ${page.shows} page to forbid framing`,
      'neither X-Frame-Options nor a Content-Security-Policy with frame-ancestors that does',
    );
  }
}

/** Ignores `X-Frame-Options` if a policy is also present, as browsers do (CSP level 3, section 6.4.2). */
function forbidsFraming(page: ShownPage): boolean {
  const policies = headersOf(page, 'content-security-policy').join(',').split(',');
  const ancestors = policies.flatMap(
    (policy) => /(?:^|;)\s*frame-ancestors\s+([^;]+)/i.exec(policy)?.[1]?.trim().toLowerCase() ?? [],
  );
  if (ancestors.length > 0) return ancestors.some((sources) => sources === "'none'" || sources === "'self'");
  const option = headerOf(page, 'x-frame-options')?.trim().toUpperCase();
  return option === 'DENY' || option === 'SAMEORIGIN';
}

export function outcomeText(outcome: AuthorizeOutcome): string {
  if (outcome.caught === undefined) {
    const last = outcome.pages.at(-1);
    return last === undefined
      ? 'nothing shown'
      : `a page with status ${last.status} and no redirect to the client`;
  }
  const { query, fragment } = redirectParameters(outcome.caught);
  const carried = [
    ...[...query.keys()].map((name) => (name === 'error' ? `error=${query.get('error')}` : name)),
    ...[...fragment.keys()].map((name) => `${name} in the fragment`),
  ];
  const to = outcome.caught.url.split(/[?#]/)[0];
  return `a redirect to ${to} with ${carried.length === 0 ? 'no parameters' : carried.join(', ')}`;
}

/** Requires exactly one code in a redirect, with no error or token, because clients differ in what they read first. */
export function expectNothingBesideCode(outcome: AuthorizeOutcome): void {
  if (outcome.caught === undefined) return;
  const { query, fragment } = redirectParameters(outcome.caught);
  const beside = ['error', 'access_token', 'refresh_token'].find(
    (name) => query.has(name) || fragment.has(name),
  );
  const once = query.getAll('code').length === 1 && !fragment.has('code');
  if (beside === undefined && once) return;
  const got = beside === undefined ? 'the code more than once' : `\`${beside}\` beside it`;
  throw new ConformanceFailure('a redirect with one code, no error and no token', got);
}

export function withoutConsentPage(outcome: AuthorizeOutcome): Blocked {
  return new Blocked('be asked for consent', 'authorize.grant-needed', outcomeText(outcome));
}
