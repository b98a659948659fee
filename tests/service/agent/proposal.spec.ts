/** Which fields ask for a credential, and which buttons submit, grant and deny, by what a page shows of them. */
import { expect, test } from '@playwright/test';
import {
  askedIn,
  decidersIn,
  type SeenElement,
  submitOf,
} from '../../../src/service/agent/browser/seen-elements.ts';

/** An element of the page's only form, unless it says otherwise. */
const seen = (own: Partial<SeenElement>) =>
  ({
    type: 'text',
    autocomplete: '',
    name: '',
    id: '',
    label: '',
    text: '',
    form: 0,
    editable: true,
    ...own,
  }) as SeenElement;
const PASSWORD = seen({ type: 'password' });

const FORMS: readonly (readonly [title: string, fields: readonly SeenElement[], roles: readonly string[]])[] =
  [
    ['a name that says it', [seen({ name: 'user' }), PASSWORD], ['login', 'password']],
    [
      'a text field before the password',
      [seen({ label: 'Benutzer' }), PASSWORD, seen({ label: 'Remark' })],
      ['login', 'password'],
    ],
    ['a text field alone', [seen({ label: 'Who?' })], ['login']],
    ['two unknown text fields', [seen({ label: 'Who?' }), seen({ label: 'Where?' })], []],
    ['a search field alone', [seen({ name: 'q' })], []],
    [
      'a search field before the login',
      [seen({ form: 1, label: 'Search users' }), seen({ type: 'email' })],
      ['login'],
    ],
    ['a code by its token', [seen({ autocomplete: 'section-a one-time-code' })], ['totp']],
    ['a code by its label', [seen({ label: 'Enter the 6-digit code:' })], ['totp']],
    [
      'a hidden code, in a field for passwords',
      [seen({ type: 'password', label: 'One-time code' })],
      ['totp'],
    ],
    ['a company code, which is no one-time code', [seen({ label: 'Company code' }), seen({})], []],
    ['a form that registers', [seen({ type: 'email' }), PASSWORD, PASSWORD], []],
    ['a login that cannot be changed', [seen({ name: 'user', editable: false }), PASSWORD], ['password']],
  ];
for (const [title, fields, roles] of FORMS)
  test(`${title}: ${roles.join(', ') || 'nothing'} is asked for`, () => {
    expect(askedIn(fields).map(({ role }) => role)).toEqual(roles);
  });

const named = (names: readonly string[]) => names.map((text) => seen({ text, type: 'submit' }));

test('a form is submitted by the button that says so, else by its first', () => {
  const chosen = (...names: readonly string[]) => submitOf(named(names), 0)?.text;
  expect(chosen('Show password', 'Log in with Google', 'Log in')).toBe('Log in');
  expect(chosen('Los', 'Forgot password?')).toBe('Los');
  expect(submitOf(named(['Log in']), 1)).toBeUndefined();
});

test('a refusal is no grant, whatever words it has', () => {
  const names = [
    'Don’t allow',
    'Do not authorize',
    'Allow',
    'Accept all cookies',
    'Not you? Sign out',
    'Cancel',
  ];
  const { grant, deny } = decidersIn(named(names));
  expect(grant.map(({ text }) => text)).toEqual(['Allow']);
  expect(deny.map(({ text }) => text)).toEqual(['Don’t allow', 'Do not authorize', 'Cancel']);
});
