import type { Locator, Page } from 'playwright-core';
import type { Selector } from '../../../target.ts';
import { withoutRandomParts } from '../../page-address.ts';
import { fieldsIn } from '../failed-page.ts';
import { visibleCandidates } from '../fields.ts';

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
