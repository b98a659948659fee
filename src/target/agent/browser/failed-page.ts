import type { Page } from 'playwright-core';
import { withoutRandomParts } from '../page-address.ts';
import { answered } from './deadline.ts';

const READING_MS = 1_000;

const MOST_NAMED = 8;

const LONGEST_NAME = 40;

const KINDS: readonly (readonly [kind: string, roles: RegExp])[] = [
  ['field', /^(?:textbox|searchbox|combobox|listbox|checkbox|radio|spinbutton|switch)$/],
  ['button', /^button$/],
  ['link', /^link$/],
];

/**
 * Describes a page's labels, buttons and links by their accessible names: `field "Email"; buttons "Next", "Cancel"`. Omits typed
 * or chosen values, hidden elements, link addresses, random-looking text, email addresses and the hidden texts. Undefined if the
 * page does not answer.
 */
export async function offeredOn(page: Page, hidden: readonly string[]): Promise<string | undefined> {
  try {
    const reading = page.locator('body').ariaSnapshot({ timeout: READING_MS });
    return inWords(await answered(reading, READING_MS, 'read what it offers'), hidden);
  } catch {
    // The description only illustrates a failure: a missing one is no error.
    return undefined;
  }
}

function inWords(snapshot: string, hidden: readonly string[]): string {
  const elements = [...snapshot.matchAll(/^ *- '?([a-z]+)(?: ("(?:[^"\\]|\\.)*"))?/gm)];
  const some = KINDS.flatMap(([kind, roles]) => {
    const names = elements.flatMap(([, role = '', name = '"without a name"']) =>
      roles.test(role) ? cleaned(JSON.parse(name), hidden) : [],
    );
    return names.length === 0 ? [] : named(kind, [...new Set(names)]);
  });
  return some.length === 0 ? 'neither fields nor buttons nor links' : some.join('; ');
}

function named(kind: string, names: readonly string[]): string {
  const reported = names.slice(0, MOST_NAMED).map((name) => `"${name}"`);
  const left = names.length - reported.length;
  return `${kind}${names.length === 1 ? '' : 's'} ${reported.join(', ')}${left === 0 ? '' : ` and ${left} more`}`;
}

function cleaned(name: string, hidden: readonly string[]): string {
  const without = hidden.reduce(
    (text, secret) => (secret === '' ? text : text.replaceAll(secret, '…')),
    name,
  );
  const cut = withoutRandomParts(without.replace(/\S+@\S+/g, '…'));
  return cut.length > LONGEST_NAME ? `${cut.slice(0, LONGEST_NAME)}…` : cut;
}
