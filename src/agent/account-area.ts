import type { AccountAreaPages } from '../targets/page-actions.ts';
import type { NewApplication, ShownCredentials } from './user-agent.ts';

/** A page of the account area, as far as it tells whether a selector or the service is at fault. */
export interface AccountPage {
  readonly status: number;
  /** True if there is anything to press: links, buttons. */
  readonly hasControls: boolean;
  /** Keys of `accountArea` whose selectors find something. */
  readonly found: ReadonlySet<keyof AccountAreaPages>;
}

/** CSS of what can be pressed. */
export const CONTROLS = 'a[href], button, input[type=submit]';

/**
 * Which of some selectors finds nothing on a page that the service shows well and that offers something to press: then the selector is
 * wrong, or the form is another. A page with nothing to press, or an error, is the service's fault.
 */
export function misledAt<Key extends keyof AccountAreaPages>(
  { status, hasControls, found }: AccountPage,
  keys: readonly Key[],
): Key | undefined {
  if (status < 200 || status > 299 || !hasControls) return undefined;
  return keys.find((key) => !found.has(key));
}

/** What looks like an id or a secret: long, without blanks, letters and digits mixed or hexadecimal. */
const LIKE_CREDENTIALS = /(?<![\w./:@-])(?=[\w-]*\d)[A-Za-z0-9_-]{12,}(?![\w./@-])/g;

/**
 * What the page showed after the form was sent. Where a selector finds nothing, and the page shows a further text that looks like
 * what is missing, the selector is wrong; where there is none the service does not show it.
 *
 * @param text of the whole page
 */
export function shownCredentials(
  clientId: string | undefined,
  clientSecret: string | undefined,
  text: string,
  wanted: NewApplication,
): ShownCredentials {
  const absent = [clientId ? '' : 'no client id', clientSecret ? '' : 'no client secret'].filter(
    (s) => s !== '',
  );
  const others = (text.match(LIKE_CREDENTIALS) ?? []).filter(
    (one) => one !== clientId && one !== clientSecret && !wanted.redirectUri.includes(one),
  );
  const missing = clientId ? (clientSecret ? undefined : 'clientSecret') : 'clientId';
  const misled = missing !== undefined && others.length > 0 ? missing : undefined;
  return {
    ...(clientId ? { clientId } : {}),
    ...(clientSecret ? { clientSecret } : {}),
    instead: absent.join(' and '),
    ...(misled && { misled }),
  };
}
