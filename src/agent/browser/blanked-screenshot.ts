import type { Page } from 'playwright-core';
import { answered, driven } from './deadline.ts';

const BLANKING_MS = 2_000;

const PICTURE_MS = 2_000;

/**
 * A picture of a page on which nothing was left that was typed: fields are emptied, and texts that repeat the login are
 * struck out. The page is of no further use.
 *
 * @param hidden texts that must not be seen, such as the login
 * @returns PNG; undefined when there is no page to draw any more
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
    // It explains a failure; without it the words have to do.
    return undefined;
  }
}
