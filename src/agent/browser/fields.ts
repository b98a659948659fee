import type { Locator, Page } from '@playwright/test';
import type { Selector } from '../../targets/page-actions.ts';

/** Longest that one page may take to load or to show what is waited for, in milliseconds, where nothing else is said. */
export const PAGE_DEADLINE_MS = 10_000;

/** The first element that a selector means. */
export function locate(page: Page, selector: Selector): Locator {
  if ('css' in selector) return page.locator(selector.css).first();
  if ('label' in selector) return page.getByLabel(selector.label).first();
  return page
    .getByRole('button', { name: selector.button })
    .or(page.getByRole('link', { name: selector.button }))
    .first();
}

/** Whether an element is shown now; false where nobody can tell, as while the page moves on. */
export function visible(page: Page, selector: Selector): Promise<boolean> {
  return locate(page, selector)
    .isVisible()
    .catch(() => false);
}

/** A selector as it stands in the configuration. */
export function inWords(selector: Selector): string {
  return 'css' in selector ? selector.css : JSON.stringify(selector);
}

/**
 * Types into a field through the page's own properties: the runner's `fill` writes its value into reports and logs,
 * and this may be a password.
 */
export async function type(
  field: Locator,
  value: string,
  deadlineMs: number = PAGE_DEADLINE_MS,
): Promise<void> {
  await field.waitFor({ timeout: deadlineMs });
  await field.evaluate((element, text) => {
    const input = element as HTMLInputElement;
    const prototype = Object.getPrototypeOf(input) as object;
    Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(input, text);
    input.dispatchEvent(new Event('input', { bubbles: true }));
    input.dispatchEvent(new Event('change', { bubbles: true }));
  }, value);
}
