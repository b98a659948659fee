import type { Locator, Page } from 'playwright-core';
import type { FormPages, Selector } from '../../target.ts';
import { pageAddress, shortPageText, withoutRandomParts } from '../page-address.ts';
import { elementOf } from '../sign-in-values.ts';
import type { AuthorizeOutcome, ShownPage } from '../user-agent.ts';
import { PageTrouble, withPageDeadline } from './deadline.ts';
import { FIELDS, isSelectorVisible, visibleCandidates } from './fields.ts';

const READING_MS = 1_000;
const MOST_NAMED = 8;
const LONGEST_TEXT = 160;

const DEMANDED = ':invalid, [aria-required=true], [aria-invalid=true]';

/**
 * Reads a page's fields with a selector of each, its buttons and links by their accessible names, and its text. Omits typed or
 * chosen values, hidden elements, link addresses, random-looking text, email addresses and the hidden texts. Undefined if the
 * page does not answer.
 */
async function readOffered(page: Page, hidden: readonly string[]) {
  const clean = (text: string) => shortPageText(text, hidden);
  const read = async () => {
    const snapshot = await page.locator('body').ariaSnapshot({ timeout: READING_MS });
    const elements = [...snapshot.matchAll(/^ *- '?([a-z]+)(?: ("(?:[^"\\]|\\.)*"))?/gm)];
    const names = (wanted: string) =>
      elements.flatMap(([, role, name = '"without a name"']) =>
        role === wanted ? `"${clean(JSON.parse(name))}"` : [],
      );
    const fields = await page.locator(FIELDS).evaluateAll(fieldsIn);
    return {
      fields: fields.map((field) => fieldText(field, hidden)),
      buttons: names('button'),
      links: names('link'),
      says: await textOf(page, hidden),
      title: clean(await page.title()),
      asksForText: fields.some(({ takesText }) => takesText),
    };
  };
  return unlessSilent(read());
}

/** The beginning of the alert, or of the page's text; else its title. Cleaned as by {@link readOffered}. */
async function textOf(page: Page, hidden: readonly string[]): Promise<string> {
  const text = await page.evaluate(() => {
    const place = document.querySelector<HTMLElement>('[role=alert], main') ?? document.body;
    const lines = place.innerText.split('\n').flatMap((line) => line.trim() || []);
    return lines.slice(0, 3).join(' / ') || document.title;
  });
  return shortPageText(text, hidden, LONGEST_TEXT);
}

/** Undefined if the page does not answer: the description only illustrates a failure, so a missing one is no error. */
function unlessSilent<T>(reading: Promise<T>): Promise<T | undefined> {
  return withPageDeadline(reading, READING_MS, 'read what it offers').catch(() => undefined);
}

/** Reads fields, buttons and links in the page, without typed values. `form` numbers the forms; -1 stands for none. */
export function fieldsIn(elements: readonly Element[]) {
  return elements.map((element) => {
    const { labels, placeholder, type = '', name = '', id, value, validity } = element as HTMLInputElement;
    const { autocomplete = '', form, innerText, readOnly, disabled } = element as HTMLInputElement;
    const text = element.ariaLabel || innerText || (/^(?:submit|button)$/.test(type) ? value : '');
    const label = labels?.[0]?.cloneNode(true) as HTMLElement | undefined;
    for (const control of label?.querySelectorAll('input, textarea, select') ?? []) control.remove();
    const shown = label?.textContent?.trim() || element.getAttribute('aria-label') || placeholder || name;
    const takesText = /^(?:text|email|tel|password)$/.test(type);
    const tag = element.tagName.toLowerCase();
    return {
      label: shown || 'without a name',
      tag,
      type,
      name,
      id: CSS.escape(id),
      takesText,
      autocomplete,
      text: text.replace(/\s+/g, ' ').trim(),
      form: [...document.forms].indexOf(form as HTMLFormElement),
      editable: !readOnly && !disabled,
      lacks: !validity?.valid || value === '',
    };
  });
}

function fieldText(field: ReturnType<typeof fieldsIn>[number], hidden: readonly string[] = []): string {
  return `"${shortPageText(field.label, hidden)}" (${selectorOf(field)})`;
}

function selectorOf({ tag, type, name, id }: ReturnType<typeof fieldsIn>[number]): string {
  const isPlain = (text: string) => text !== '' && withoutRandomParts(text) === text;
  if (isPlain(id)) return `#${id}`;
  return isPlain(name) ? `${tag}[name=${JSON.stringify(name)}]` : `${tag}[type=${type}]`;
}

/** Names the shown fields of a form that the browser or the page demands before it sends the form. */
export async function demandedIn(form: Locator): Promise<readonly string[]> {
  const look = async () => {
    const fields = await form.locator(FIELDS).and(form.locator(DEMANDED)).evaluateAll(fieldsIn);
    return fields.filter(({ lacks }) => lacks).map((field) => fieldText(field));
  };
  return (await unlessSilent(look())) ?? [];
}

/** Returns a trouble if a frame of the page has one of these elements. */
export async function frameWith(
  page: Page,
  selectors: readonly Selector[],
  observed = '',
): Promise<PageTrouble | undefined> {
  for (const frame of page.frames().filter((one) => one !== page.mainFrame())) {
    const counts = await Promise.all(
      selectors.map((one) => unlessSilent(visibleCandidates(frame, one).count())),
    );
    if (!counts.some(Boolean)) continue;
    const where = `the form stands in a frame (${pageAddress(frame.url())}), which steps do not reach`;
    return new PageTrouble(`${observed}${where}`, undefined, 'framed');
  }
  return undefined;
}

/** Says what a page has: `field "Email" (#email); buttons "Next", "Cancel"`. Undefined if it does not answer. */
export async function offeredOn(page: Page, hidden: readonly string[]): Promise<string | undefined> {
  const offered = await readOffered(page, hidden);
  if (offered === undefined) return undefined;
  const some = (['field', 'button', 'link'] as const).flatMap((kind) => named(kind, offered[`${kind}s`]));
  return some.join('; ') || 'neither fields nor buttons nor links';
}

/** Says what the service showed in place of the sign-in form, the consent page or a redirect, with the setting that does not fit. */
export async function describeFailedPage(
  page: Page,
  shown: readonly ShownPage[],
  { signIn, signInForm, grant, deny, savedSession, consentShown }: FormPages,
  hidden: readonly string[],
): Promise<Partial<Pick<AuthorizeOutcome, 'instead' | 'cause' | 'says'>>> {
  const last = shown.at(-1);
  if (last === undefined) return {};
  const quoted = (alertText = '') => (alertText === '' ? '' : `; its page says "${alertText}"`);
  if (last.status >= 400) {
    const says = await unlessSilent(textOf(page, hidden));
    return {
      instead: `the service refused the authorization request (${last.status})${quoted(says)}`,
      ...(last.status < 500 && { cause: 'request refused' }),
      says,
    };
  }
  const offered = await readOffered(page, hidden);
  if (offered === undefined) return {};
  const { fields, buttons, says, title, asksForText } = offered;
  const at = `the page at ${pageAddress(last.url)} (${last.status})`;
  const isFirst = !shown.some(({ shows }) => shows === 'sign-in');
  if (isFirst && (asksForText || (buttons.length > 0 && !savedSession))) {
    const others = [...signIn.map(elementOf), ...(deny === undefined ? [] : [deny])];
    const seen = await Promise.all(others.map((one) => isSelectorVisible(page, one, READING_MS)));
    const has = [named('field', fields), named('button', buttons)].flat().join('; ');
    if (!seen.includes(true))
      return {
        instead: `\`authUrl\` answered with the page "${title || says}" (${last.status}), which has none of the configured fields and buttons; it has ${has}`,
        cause: 'authUrl',
      };
    if (asksForText)
      return {
        instead: `\`signIn.form\` is ${written(signInForm)}, which ${at} lacks; it has ${named('field', fields)}`,
        cause: 'signIn.form',
      };
  }
  if (buttons.length > 0) {
    const lacks =
      consentShown === 'never'
        ? 'came, and `consent.shown` is "never"'
        : `has no ${written(grant)} (\`consent.grant\`)`;
    return { instead: `${at} ${lacks}; it has ${named('button', buttons)}`, cause: 'consent.grant' };
  }
  return { instead: `\`authUrl\` leads to ${at}, which has no form${quoted(says)}`, cause: 'no form' };
}

function written(selector: Selector): string {
  if (typeof selector === 'string') return JSON.stringify(selector);
  const [[kind, name] = []] = Object.entries(selector);
  return `${kind === 'css' ? 'element' : kind} ${JSON.stringify(name)}`;
}

function named(kind: string, all: readonly string[]): string[] {
  const names = [...new Set(all)];
  if (names.length === 0) return [];
  const left = names.length - MOST_NAMED;
  const more = left > 0 ? ` and ${left} more` : '';
  return [`${kind}${names.length === 1 ? '' : 's'} ${names.slice(0, MOST_NAMED).join(', ')}${more}`];
}
