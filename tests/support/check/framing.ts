import { headerOf } from '../../../src/exchange/exchange.ts';
import type { ShownPage } from '../../../src/target/user-agent.ts';
import { Blocked, ConformanceFailure } from './outcome.ts';

/** Demands that no sign-in or consent page among these can be framed by another site (RFC 6749 section 10.13). */
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

function forbidsFraming(page: ShownPage): boolean {
  const option = headerOf(page, 'x-frame-options')?.trim().toUpperCase();
  if (option === 'DENY' || option === 'SAMEORIGIN') return true;
  const policy = headerOf(page, 'content-security-policy') ?? '';
  const ancestors = /(?:^|;)\s*frame-ancestors\s+([^;]+)/i.exec(policy)?.[1]?.trim().toLowerCase();
  return ancestors === "'none'" || ancestors === "'self'";
}
