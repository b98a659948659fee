import type { Locator, Page } from 'playwright-core';
import type { FillValue, Selector } from '../../target.ts';
import { withoutRandomParts } from '../page-address.ts';
import { fieldsIn } from './failed-page.ts';
import { visibleCandidates } from './fields.ts';

/** Visible buttons and links. */
export const BUTTONS = ':is(button, a[href], [role=button], [type=submit], [type=button]):visible';

/** An element that a page shows, as {@link fieldsIn} reads it. */
export type SeenElement = ReturnType<typeof fieldsIn>[number] & { readonly element: Locator };

/** Returns the elements that a CSS selector matches. */
export async function elementsOn(page: Page, css: string): Promise<readonly SeenElement[]> {
  const all = page.locator(css);
  const seen = await all.evaluateAll(fieldsIn);
  return seen.map((one, index) => ({ ...one, element: all.nth(index) }));
}

/** Returns a selector that means this element alone, without random-looking parts and the hidden text. */
export async function selectorFor(
  page: Page,
  { element, tag, type, name, id, label, text }: SeenElement,
  hidden: string,
): Promise<Selector | undefined> {
  const named: readonly (readonly [name: string, selector: Selector])[] = [
    [text, { button: text }],
    [name, `${tag}[name=${JSON.stringify(name)}]`],
    [label, { label }],
    [label, `${tag}[placeholder=${JSON.stringify(label)}]`],
    [id, `#${id}`],
    [type, `${tag}[type=${type}]`],
  ];
  for (const [own, selector] of named) {
    if (own === '' || own.includes(hidden) || withoutRandomParts(own) !== own) continue;
    const all = visibleCandidates(page, selector, 'whole');
    if ((await all.count()) === 1 && (await all.and(element).count()) === 1) return selector;
  }
  return undefined;
}

/** A credential that a field takes. */
export type Role = Extract<FillValue, string>;

/** A field that asks for a credential. */
export type AskedField = SeenElement & { readonly role: Role };

/** By the type, the tokens of `autocomplete` and the names of a field, each on a line; the first that fits counts. */
const ROLES: readonly (readonly [words: RegExp, role: Role | 'other'])[] = [
  [/new-password|search|query|^q$/im, 'other'],
  [/one.?time|\b(?:otp|totp|2fa|mfa)\b|two.?factor|authenticator|(?:verification|security).?code/im, 'totp'],
  [/^(?:enter )?(?:the |your )?(?:(?:6|six).digit )?code\W*$/im, 'totp'],
  [/^(?:current-)?password$/im, 'password'],
  [/user|login|log.in|e-?mail|account|identifier|phone/im, 'login'],
];

/** Returns the fields of the sign-in form that ask for a credential, one for each; none without such a form. */
export function askedIn(fields: readonly SeenElement[]): readonly AskedField[] {
  const usable = fields.filter(
    ({ editable, type }) => editable && /^(?:text|email|tel|number|password)$/.test(type),
  );
  const forms = [...new Set(usable.map(({ form }) => form))]
    .map((form) => rolesIn(usable.filter((field) => field.form === form)))
    // Two passwords register an account, or change its password.
    .filter((asked) => asked.filter(({ role }) => role === 'password').length < 2);
  const first = (['password', 'totp', 'login'] as const)
    .map((wanted) => forms.find((asked) => asked.some(({ role }) => role === wanted)))
    .find((asked) => asked !== undefined);
  return (first ?? []).filter(({ role }, at, all) => all.findIndex((one) => one.role === role) === at);
}

/** A text field without a known name is the login if a password follows, as in browsers, or if it stands alone. */
function rolesIn(fields: readonly SeenElement[]): readonly AskedField[] {
  const roles = fields.map(roleOf);
  const at = roles.length === 1 ? 0 : roles.indexOf('password') - 1;
  if (!roles.includes('login') && at in roles) roles[at] ??= 'login';
  return fields.flatMap((field, index) => {
    const role = roles[index];
    return role === undefined || role === 'other' ? [] : [{ ...field, role }];
  });
}

function roleOf({ type, autocomplete, name, id, label }: SeenElement): Role | 'other' | undefined {
  const words = [type, ...autocomplete.split(' '), name, id, label].join('\n');
  return ROLES.find(([pattern]) => pattern.test(words))?.[1];
}

const SUBMITS = /^(?:sign|log).?in|^(?:continue|next|submit|verify|confirm|proceed|anmelden|weiter)/i;

/** Other ways to sign in, help, and what shows the password. */
const BESIDE =
  /google|apple|microsoft|facebook|github|saml|\bsso\b|single sign|passkey|forgot|reset|cancel|back|show|hide|register|sign up|create|help|resend|cookie/i;

/** A pattern of names. */
export const GRANTS =
  '\\b(?:allow|authori[sz]e|grant|approve|accept|agree|permit|erlauben|zulassen|zustimmen)\\b';

const DENIES =
  /don.?t|do not|not (?:now|allow|agree)|^no\b|disa|deny|decline|reject|refuse|cancel|ablehnen|verweigern|abbrechen/i;

/** Returns the button that submits a form: by its name, else the first. */
export function submitOf(buttons: readonly SeenElement[], form: number): SeenElement | undefined {
  const own = buttons.filter((one) => one.form === form && !BESIDE.test(one.text));
  return own.find(({ text }) => SUBMITS.test(text)) ?? own.find(({ type }) => type === 'submit');
}

/** Returns the buttons whose names grant, and those whose names deny. */
export function decidersIn(buttons: readonly SeenElement[]) {
  const grants = new RegExp(GRANTS, 'i');
  const named = buttons.filter(({ text }) => !/cookie/i.test(text));
  return {
    grant: named.filter(({ text }) => grants.test(text) && !DENIES.test(text)),
    deny: named.filter(({ text }) => DENIES.test(text)),
  };
}
