import type { ShownPage } from '../agent/user-agent.ts';
import { headerOf, headersOf } from '../exchange/exchange.ts';
import { Blocked, ConformanceFailure } from './outcome.ts';

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
