import type { ConsoleMessage, Locator, Page, Request } from 'playwright-core';
import { pageAddress, shortPageText } from '../page-address.ts';
import { firstErrorLine, PageSilent, PageTrouble, withDriverDeadline } from './deadline.ts';
import { demandedIn } from './failed-page.ts';

const ALERT_MS = 500;

/** Clicks. @throws PageTrouble saying what covers the element, that it is disabled, or what the driver says */
export async function click(element: Locator, key: string, timeout: number): Promise<void> {
  try {
    await withDriverDeadline(element.click({ timeout }), timeout, 'clicked');
  } catch (error) {
    if (error instanceof PageSilent) throw error;
    const look = element.evaluate(hindrance, undefined, { timeout: ALERT_MS });
    const why = await withDriverDeadline(look, ALERT_MS, 'looked at a button').catch(() => undefined);
    const at = `at ${pageLocation(element.page())}`;
    if (why === undefined) throw new PageTrouble(`${key}: ${firstErrorLine(error as Error)}, ${at}`);
    const { cover, text } = why;
    if (cover === undefined)
      throw new PageTrouble(
        `${key}: the button stays disabled for ${timeout} ms, ${at}`,
        'correct the step: fill or tick before it what the page demands',
      );
    const says = text && `, and says "${shortPageText(text)}"`;
    throw new PageTrouble(
      `${key}: ${shortPageText(cover)} covers the button, ${at}${says}`,
      undefined,
      'covered',
    );
  }
}

function hindrance(node: Element): { readonly cover?: string; readonly text?: string } | undefined {
  if (node.matches(':disabled, [aria-disabled=true]')) return {};
  const { left, top, width, height } = node.getBoundingClientRect();
  const above = document.elementFromPoint(left + width / 2, top + height / 2);
  if (above === null || above.contains(node) || node.contains(above)) return undefined;
  const { localName, id, innerText } = above as HTMLElement;
  return { cover: id === '' ? `<${localName}>` : `<${localName} id="${id}">`, text: innerText.trim() };
}

/** Request types that a click on a form's button causes; pages load images and report statistics by themselves. */
const BY_CLICK = ['document', 'fetch', 'xhr'];

/** Watches a page from a click on, to tell why nothing follows. */
export function watchClick(page: Page) {
  let opened: Page | undefined;
  let sent: Request | undefined;
  let blocked = false;
  const onPopup = (popup: Page) => {
    opened = popup;
  };
  const onRequest = (request: Request) => {
    if (BY_CLICK.includes(request.resourceType())) sent = request;
  };
  // Chromium tells only here that it blocks a form's redirect.
  const onConsole = (message: ConsoleMessage) => {
    blocked ||= message.type() === 'error' && /^(?!.*report.only).*form-action/is.test(message.text());
  };
  page.on('popup', onPopup).on('request', onRequest).on('console', onConsole);
  const trouble = async (key: string, timeout: number): Promise<PageTrouble> => {
    const at = `${key}, at ${pageLocation(page)}${await alertOn(page)}`;
    if (blocked) {
      const policy = "the page's Content-Security-Policy (`form-action`)";
      const who = 'so users of Chromium cannot finish either';
      const observed = `${at}: ${policy} blocks what the click sends or where it leads, ${who}`;
      return new PageTrouble(observed, undefined, 'form-action');
    }
    if (opened) {
      const observed = `${at}: the click opened another window (${pageLocation(opened)}), and the suite follows one`;
      return new PageTrouble(observed, undefined, 'other window');
    }
    if (sent)
      return new PageTrouble(
        `${at}: the click sent ${sent.method()} ${pageAddress(sent.url())}, and no other page followed within ${timeout} ms`,
      );
    const demanded = await demandedIn(page.locator('form'));
    if (demanded.length > 0)
      return new PageTrouble(
        `${at}: the page sends nothing before it has ${demanded.join(', ')}`,
        'correct the step',
      );
    const silent = `two clicks sent nothing within ${timeout} ms: the page's script does not listen, or not yet`;
    return new PageTrouble(`${at}: ${silent}`, 'if it starts later, add a `wait` step');
  };
  return {
    sentNothing: () => sent === undefined && opened === undefined,
    stop: () => void page.off('popup', onPopup).off('request', onRequest).off('console', onConsole),
    trouble,
  };
}

/** Returns what the page's alert says, to be appended to a message. */
export async function alertOn(page: Page): Promise<string> {
  const alert = page.locator('[role=alert]:visible').first();
  const reading = withDriverDeadline(alert.innerText({ timeout: ALERT_MS }), ALERT_MS, 'read what it says');
  const text = await reading.catch(() => '');
  const words = text.replace(/\s+/g, ' ').trim().slice(0, 200);
  return words === '' ? '' : `, which says "${words}"`;
}

export function pageLocation(page: Page): string {
  return pageAddress(page.url());
}
