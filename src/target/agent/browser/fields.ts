import type { Locator, Page } from 'playwright-core';
import type { Selector } from '../../target.ts';
import type { FieldPlace } from '../sign-in-values.ts';
import { answered, driven, PageTrouble } from './deadline.ts';

export const PAGE_DEADLINE_MS = 10_000;

export function locate(page: Page, selector: Selector): Locator {
  if (typeof selector === 'string') return page.locator(selector).first();
  if ('css' in selector) return locate(page, selector.css);
  if ('label' in selector) return page.getByLabel(selector.label).first();
  return page
    .getByRole('button', { name: selector.button })
    .or(page.getByRole('link', { name: selector.button }))
    .first();
}

/** True if an element is shown now; false while the page navigates. @throws PageTrouble if the page does not answer */
export async function visible(
  page: Page,
  selector: Selector,
  deadlineMs: number = PAGE_DEADLINE_MS,
): Promise<boolean> {
  try {
    return await answered(locate(page, selector).isVisible(), deadlineMs, 'looked for a form');
  } catch (error) {
    if (error instanceof PageTrouble) throw error;
    return false;
  }
}

/** Types through the page's own properties: the runner's `fill` writes the value, perhaps a password, into reports and logs. */
export async function type(field: Locator, value: string, deadlineMs?: number): Promise<void> {
  await typeFor(field, async () => value, deadlineMs);
}

/** Types a value after checking the field's document and its form's target. If the page navigates meanwhile, types nothing. */
export async function typeFor(
  field: Locator,
  valueFor: (place: FieldPlace) => Promise<string>,
  deadlineMs: number = PAGE_DEADLINE_MS,
): Promise<void> {
  await driven(field.waitFor({ timeout: deadlineMs }), deadlineMs, 'waited for a field');
  const element = await driven(field.elementHandle({ timeout: deadlineMs }), deadlineMs, 'took a field');
  if (element === null) throw new Error('Timeout: the field is gone');
  const inTime = <T>(look: Promise<T>) => answered(look, deadlineMs, 'typed into a field');
  const frame = await inTime(element.ownerFrame());
  const page = frame?.url() ?? '';
  const reading = element.evaluate((node) => {
    const written = (node as HTMLInputElement).form?.getAttribute('action') ?? '';
    if (written.trim() === '' || /^\s*javascript:/i.test(written)) return '';
    return URL.canParse(written, document.baseURI) ? new URL(written, document.baseURI).href : written;
  });
  const action = await inTime(reading);
  const value = await valueFor({ page, action: action === '' ? page : action });
  const typing = element.evaluate((node, text) => {
    const input = node as HTMLInputElement;
    const prototype = Object.getPrototypeOf(input) as object;
    Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(input, text);
    input.dispatchEvent(new Event('input', { bubbles: true }));
    input.dispatchEvent(new Event('change', { bubbles: true }));
  }, value);
  await inTime(typing);
}
