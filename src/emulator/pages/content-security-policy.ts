import { stylesheetSource } from './styles.ts';

const SOURCE = /^[a-z][a-z0-9+.-]*:(?:\/\/[^\s;,'"]+)?$/i;

/**
 * The value of the `Content-Security-Policy` header that every page is made for: the one inlined stylesheet, images from
 * `data:` (the icon), nothing else; never in a frame (RFC 6749 section 10.13).
 *
 * Without `formTargets` there is no `form-action`, and that is what the sign-in and consent pages need: Chromium applies
 * the directive to the redirects that follow a form's POST as well, and those lead to the client's address and to wherever
 * the client redirects from there, which nobody can list beforehand. `default-src` does not cover forms. Pages whose forms
 * stay here (the account area) may pass a list, empty too: `'self'` is always in it.
 *
 * @param formTargets origins (`https://client.example`) or schemes (`app:`) that forms may lead to besides this one
 * @throws TypeError when a form target is neither
 */
export function contentSecurityPolicy(formTargets?: readonly string[]): string {
  const directives = [
    "default-src 'none'",
    `style-src ${stylesheetSource}`,
    'img-src data:',
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ];
  if (formTargets !== undefined) {
    for (const target of formTargets) {
      if (!SOURCE.test(target)) {
        throw new TypeError(
          `Content-Security-Policy: a form target must be an origin (https://client.example) or a scheme (app:), got ${JSON.stringify(target)}.`,
        );
      }
    }
    directives.push(['form-action', "'self'", ...formTargets].join(' '));
  }
  return directives.join('; ');
}
