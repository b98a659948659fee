import type { AccountAreaPages } from '../target.ts';
import type { NewApplication, ShownCredentials } from './user-agent.ts';

export const CONTROLS = 'a[href], button, input[type=submit]';

export type ElementKey = Exclude<keyof AccountAreaPages, 'path' | 'fields'>;

/** Returns the key that matches nothing on a successful page with controls. Any other page is the service's fault. */
export function wrongKeyOf<Key extends keyof AccountAreaPages>(
  page: { readonly status: number; readonly hasControls: boolean; readonly found: ReadonlySet<Key> },
  keys: readonly Key[],
): Key | undefined {
  const { status, hasControls, found } = page;
  if (status < 200 || status > 299 || !hasControls) return undefined;
  return keys.find((key) => !found.has(key));
}

/** Text that may be an id or a secret: long, without blanks, hexadecimal or mixing letters and digits. */
const LIKE_CREDENTIALS = /(?<![\w./:@-])(?=[\w-]*\d)[A-Za-z0-9_-]{12,}(?![\w./@-])/g;

export function shownCredentials(
  clientId: string | undefined,
  clientSecret: string | undefined,
  text: string,
  wanted: NewApplication,
): ShownCredentials {
  const absent = [...(clientId ? [] : ['no client id']), ...(clientSecret ? [] : ['no client secret'])];
  const others = (text.match(LIKE_CREDENTIALS) ?? []).filter(
    (one) => one !== clientId && one !== clientSecret && !wanted.redirectUri.includes(one),
  );
  const isMisled = absent.length > 0 && others.length > 0;
  return {
    clientId: clientId || undefined,
    clientSecret: clientSecret || undefined,
    page: text,
    instead: absent.join(' and '),
    ...(isMisled && { misled: clientId ? 'clientSecret' : 'clientId' }),
  };
}
