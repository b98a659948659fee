import type { Frame, Locator, Page } from 'playwright-core';
import type { Selector } from '../../target.ts';
import { AmbiguousName, type NameMatch, patternOf } from '../names.ts';
import type { FieldPlace } from '../sign-in-values.ts';
import { PageTrouble, withDriverDeadline, withPageDeadline } from './deadline.ts';

/** Visible fields that take a value. */
export const FIELDS =
  'input:not([type=hidden],[type=submit],[type=button],[type=image],[type=reset]):visible, textarea:visible, select:visible';

/** Returns the elements that a selector matches, the hidden ones too. A label matches visible fields only. */
export function candidates(page: Page | Frame, selector: Selector, match: NameMatch = 'part'): Locator {
  if (typeof selector === 'string') return page.locator(selector);
  if ('css' in selector) return page.locator(selector.css);
  if ('label' in selector) return page.getByLabel(patternOf(selector.label, match)).and(page.locator(FIELDS));
  const name = patternOf(selector.button, match);
  return page.getByRole('button', { name }).or(page.getByRole('link', { name }));
}

/** Like {@link candidates}, without the hidden ones. */
export function visibleCandidates(page: Page | Frame, selector: Selector, match?: NameMatch): Locator {
  return candidates(page, selector, match).filter({ visible: true });
}

/**
 * Waits for the element that a selector means.
 * @throws AmbiguousName if several elements have a part of the name and none the whole; the driver's error if none has a part
 */
export function waitForElement(
  page: Page,
  selector: Selector,
  key: string,
  timeout: number,
  match: NameMatch = 'part',
): Promise<Locator> {
  const whole = visibleCandidates(page, selector, 'whole').first();
  const parts = visibleCandidates(page, selector, match);
  const look = async () => {
    await parts.first().waitFor({ timeout });
    if ((await whole.count()) > 0) return whole;
    if ((await parts.count()) === 1) return parts.first();
    try {
      await whole.waitFor({ timeout });
    } catch {
      const snapshots = await Promise.all((await parts.all()).map((one) => one.ariaSnapshot({ timeout })));
      throw new AmbiguousName(key, selector, snapshots.map(nameIn));
    }
    return whole;
  };
  return withDriverDeadline(look(), 2 * timeout, 'looked for an element');
}

/** Returns the name in a snapshot such as `- button "Sign in"`. */
function nameIn(snapshot: string): string {
  const [, name] = /"((?:[^"\\]|\\.)*)"/.exec(snapshot) ?? [];
  return name ?? 'without a name';
}

/** True if an element is shown now; false while the page navigates. @throws PageTrouble if the page does not answer */
export async function isSelectorVisible(
  page: Page,
  selector: Selector,
  deadlineMs: number,
  match?: NameMatch,
): Promise<boolean> {
  return isVisibleNow(visibleCandidates(page, selector, match).first(), deadlineMs);
}

/** Like {@link isSelectorVisible}, for an element that was found before. */
export async function isVisibleNow(
  element: Pick<Locator, 'isVisible'>,
  deadlineMs: number,
): Promise<boolean> {
  try {
    return await withPageDeadline(element.isVisible(), deadlineMs, 'looked for a form');
  } catch (error) {
    if (error instanceof PageTrouble) throw error;
    return false;
  }
}

/** Types through the page's own properties: the runner's `fill` writes the value, perhaps a password, into reports and logs. */
export async function type(field: Locator, value: string, deadlineMs: number): Promise<void> {
  await typeFor(field, async () => value, deadlineMs);
}

/** Types a value after checking the field's document and its form's target. If the page navigates meanwhile, types nothing. */
export async function typeFor(
  field: Locator,
  valueFor: (place: FieldPlace) => Promise<string>,
  deadlineMs: number,
): Promise<void> {
  await withDriverDeadline(field.waitFor({ timeout: deadlineMs }), deadlineMs, 'waited for a field');
  const element = await withDriverDeadline(
    field.elementHandle({ timeout: deadlineMs }),
    deadlineMs,
    'took a field',
  );
  const inTime = <T>(look: Promise<T>) => withPageDeadline(look, deadlineMs, 'typed into a field');
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
