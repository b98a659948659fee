import type { Page } from 'playwright-core';
import { withoutRandomParts } from '../page-address.ts';
import { answered, driven } from './deadline.ts';

const READING_MS = 1_000;

const MOST_NAMED = 8;

const LONGEST_NAME = 40;

interface Offered {
  readonly fields: readonly string[];
  readonly buttons: readonly string[];
  readonly links: readonly string[];
}

/**
 * Describes a page's labels, buttons and links. Omits typed or chosen values, hidden elements and link addresses, and cuts
 * random-looking text, email addresses and the hidden texts out of names.
 *
 * @returns `field "Email"; buttons "Next", "Cancel"`; `neither fields nor buttons nor links`; undefined if the page does not
 * answer
 */
export async function offeredOn(page: Page, hidden: readonly string[]): Promise<string | undefined> {
  try {
    const offered = await answered(page.evaluate(readOffered), READING_MS, 'read what it offers');
    return inWords(offered, hidden);
  } catch {
    // The description only illustrates a failure: a missing one is no error.
    return undefined;
  }
}

function inWords({ fields, buttons, links }: Offered, hidden: readonly string[]): string {
  const kinds = [
    named('field', fields, hidden),
    named('button', buttons, hidden),
    named('link', links, hidden),
  ];
  const some = kinds.filter((kind) => kind !== '');
  return some.length === 0 ? 'neither fields nor buttons nor links' : some.join('; ');
}

function named(kind: string, names: readonly string[], hidden: readonly string[]): string {
  const different = [...new Set(names.map((name) => cleaned(name, hidden)))];
  if (different.length === 0) return '';
  const reported = different.slice(0, MOST_NAMED).map((name) => `"${name}"`);
  const left = different.length - reported.length;
  return `${kind}${different.length === 1 ? '' : 's'} ${reported.join(', ')}${left === 0 ? '' : ` and ${left} more`}`;
}

function cleaned(name: string, hidden: readonly string[]): string {
  const without = hidden.reduce(
    (text, secret) => (secret === '' ? text : text.replaceAll(secret, '…')),
    name,
  );
  const cut = withoutRandomParts(without.replace(/\S+@\S+/g, '…'));
  return cut.length > LONGEST_NAME ? `${cut.slice(0, LONGEST_NAME)}…` : cut;
}

/** Runs in the page. Describes a field without a label by its selector, which a configuration then needs. */
function readOffered(): Offered {
  const words = (text: string | null | undefined) => (text ?? '').replace(/\s+/g, ' ').trim();
  const shown = (element: Element) => {
    const { width, height } = element.getBoundingClientRect();
    return width > 0 && height > 0 && getComputedStyle(element).visibility !== 'hidden';
  };
  const labelledBy = (element: Element) =>
    words(
      (element.getAttribute('aria-labelledby') ?? '')
        .split(/\s+/)
        .map((id) => document.getElementById(id)?.textContent ?? '')
        .join(' '),
    );
  const nameOf = (element: Element) => labelledBy(element) || words(element.getAttribute('aria-label'));
  const fieldName = (field: Element) => {
    // A label may contain the field itself, with its typed value or its options.
    const texts = [...((field as HTMLInputElement).labels ?? [])].map((label) => {
      const copy = label.cloneNode(true) as Element;
      for (const inner of copy.querySelectorAll('input, select, textarea, button, script, style'))
        inner.remove();
      return copy.textContent;
    });
    const kind = field.tagName.toLowerCase();
    const name = field.getAttribute('name');
    return (
      nameOf(field) ||
      words(texts.join(' ')) ||
      (name === null ? `${kind}[type=${field.getAttribute('type') ?? 'text'}]` : `${kind}[name=${name}]`)
    );
  };
  const buttonName = (button: Element) =>
    nameOf(button) ||
    words(
      button instanceof HTMLInputElement ? button.value || button.alt || button.type : button.textContent,
    ) ||
    words(button.getAttribute('title')) ||
    'without a name';
  const all = (selector: string) => [...document.querySelectorAll(selector)].filter(shown);
  const BUTTONS = 'button, input[type=submit], input[type=button], input[type=image], [role=button]';
  return {
    fields: all('input, select, textarea')
      .filter((field) => !field.matches(BUTTONS))
      .map(fieldName),
    buttons: all(BUTTONS).map(buttonName),
    links: all('a[href]')
      .map((link) => nameOf(link) || words(link.textContent))
      .filter((name) => name !== ''),
  };
}

const BLANKING_MS = 2_000;

const PICTURE_MS = 2_000;

/**
 * Screenshots a page after emptying its fields and striking out the hidden texts. The page is unusable afterwards.
 *
 * @returns PNG; undefined if the page is gone
 */
export async function blankedScreenshot(
  page: Page,
  hidden: readonly string[],
): Promise<Uint8Array | undefined> {
  try {
    const blanking = page.evaluate((texts) => {
      for (const field of document.querySelectorAll('input, textarea, select')) {
        (field as HTMLInputElement).value = '';
        field.removeAttribute('value');
      }
      const walker = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
        for (const text of texts) {
          if (text !== '') node.nodeValue = (node.nodeValue ?? '').replaceAll(text, '•••');
        }
      }
    }, hidden);
    await answered(blanking, BLANKING_MS, 'blanked it');
    const drawing = page.screenshot({ timeout: PICTURE_MS, animations: 'disabled' });
    return await driven(drawing, PICTURE_MS, 'drew it');
  } catch {
    // The picture only illustrates a failure: a missing one is no error.
    return undefined;
  }
}
