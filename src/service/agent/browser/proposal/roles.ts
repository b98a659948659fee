import type { FillValue } from '../../../target.ts';
import type { SeenElement } from './seen-elements.ts';

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
