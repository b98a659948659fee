import type { Page } from 'playwright-core';
import { answered, driven } from './deadline.ts';

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
