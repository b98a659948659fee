import { type HTMLElement, parse } from 'node-html-parser';
import type { Header } from '../../http/exchange.ts';
import type { AccountAreaPages, Selector } from '../target.ts';
import { AmbiguousName, type NameMatch, patternOf } from './names.ts';
import { elementOf } from './sign-in-values.ts';

export interface HtmlPage {
  readonly url: string;
  readonly root: HTMLElement;
  readonly typed: Map<HTMLElement, string>;
}

export interface Submission {
  readonly method: 'GET' | 'POST' | 'HEAD';
  readonly url: string;
  readonly body?: string;
}

/** Returns the headers that a browser adds to a form's body. */
export function formHeaders({ url, body }: Submission): readonly Header[] {
  if (body === undefined) return [];
  return [
    ['Content-Type', 'application/x-www-form-urlencoded'],
    ['Origin', new URL(url).origin],
  ];
}

export function htmlPage(url: string, html: string): HtmlPage {
  return { url, root: parse(readableHtml(html)), typed: new Map() };
}

/** Returns an element that a selector matches: with the whole name first, else with a part of it. */
export function findElement(
  page: HtmlPage,
  selector: Selector,
  match: NameMatch = 'part',
): HTMLElement | undefined {
  return matching(page, selector, 'whole')[0]?.[0] ?? matching(page, selector, match)[0]?.[0];
}

/** Like {@link findElement}. @throws AmbiguousName if several elements have a part of the name and none the whole */
export function findOnlyElement(
  page: HtmlPage,
  selector: Selector,
  key: string,
  match: NameMatch = 'part',
): HTMLElement | undefined {
  const [whole] = matching(page, selector, 'whole');
  const parts = matching(page, selector, match);
  const names = parts.map(([, name]) => name);
  if (whole === undefined && parts.length > 1) throw new AmbiguousName(key, selector, names);
  return (whole ?? parts[0])?.[0];
}

type Named = readonly [element: HTMLElement, name: string];

function matching(page: HtmlPage, selector: Selector, match: NameMatch): readonly Named[] {
  if (typeof selector === 'string')
    return page.root.querySelectorAll(selector).map((element) => [element, '']);
  if ('css' in selector) return matching(page, selector.css, match);
  const [all, name] = 'label' in selector ? [fields(page), selector.label] : [buttons(page), selector.button];
  const pattern = patternOf(name, match);
  return all.filter(([, one]) => pattern.test(one));
}

const NO_FIELD = /^(?:hidden|submit|button|image|reset)$/i;

function fields({ root }: HtmlPage): readonly Named[] {
  const labels = root.querySelectorAll('label');
  return root
    .querySelectorAll('input, textarea, select')
    .filter((field) => !NO_FIELD.test(field.getAttribute('type') ?? ''))
    .flatMap((field) =>
      labels
        .filter((label) => {
          const id = label.getAttribute('for');
          return id === undefined ? field.closest('label') === label : field.getAttribute('id') === id;
        })
        .map((label) => [field, label.text.trim()] as const),
    );
}

function buttons({ root }: HtmlPage): readonly Named[] {
  const nameOf = (e: HTMLElement) => (e.tagName === 'INPUT' ? e.getAttribute('value') : e.text);
  return root
    .querySelectorAll('button, input[type=submit], a')
    .map((e) => [e, (e.getAttribute('aria-label') ?? nameOf(e) ?? '').trim()]);
}

/** Serves a field as a step of `accountArea.fields` says. Returns true if the page has the field and the option. */
export function fillField(page: HtmlPage, step: AccountAreaPages['fields'][number], key: string): boolean {
  const field = findOnlyElement(page, 'choose' in step ? step.choose : elementOf(step), key);
  if (field === undefined) return false;
  if ('fill' in step) page.typed.set(field, step.with.text);
  if ('click' in step) {
    const { type, name } = field.attributes;
    const on = type === 'radio' || !field.hasAttribute('checked');
    const off = page.root.querySelectorAll(`[type=radio][name="${name}"]`);
    for (const one of [field, ...off]) one.removeAttribute('checked');
    if (on) field.setAttribute('checked', '');
  }
  if (!('choose' in step)) return true;
  const options = field.querySelectorAll('option');
  const option = options.find((one) => [one.text.trim(), valueIn(one)].includes(step.option));
  if (option !== undefined) page.typed.set(field, valueIn(option));
  return option !== undefined;
}

/** Returns the request that a click on a button or link sends; undefined if only script would send one. */
export function requestOfClick(page: HtmlPage, element: HTMLElement): Submission | undefined {
  const href = element.tagName === 'A' ? element.getAttribute('href') : undefined;
  if (href !== undefined) return linkTo(href, page);
  const form = element.closest('form');
  if (form === null) return undefined;
  const action = element.getAttribute('formaction') ?? form.getAttribute('action') ?? page.url;
  const method = (element.getAttribute('formmethod') ?? form.getAttribute('method') ?? 'get').toUpperCase();
  const fields = new URLSearchParams(fieldsOf(page, form, element));
  const url = URL.parse(action, page.url);
  if (url === null) return undefined;
  if (method === 'POST') return { method: 'POST', url: url.href, body: fields.toString() };
  url.search = fields.toString();
  return { method: 'GET', url: url.href };
}

/** Returns where the header `Refresh`, or else `<meta http-equiv="refresh">`, leads within these seconds. */
export function requestOfRefresh(page: HtmlPage, seconds: number, header?: string): Submission | undefined {
  const text =
    header ?? page.root.querySelector('meta[http-equiv="refresh" i]')?.getAttribute('content') ?? '';
  const [, delay, to = ''] = /^\s*([\d.]+)\s*[;,\s]\s*(?:url\s*=\s*)?["']?([^"']+)/i.exec(text) ?? [];
  return to === '' || Number.parseFloat(delay ?? '') > seconds ? undefined : linkTo(to, page);
}

function linkTo(address: string, page: HtmlPage): Submission | undefined {
  const url = URL.parse(address, page.url);
  return url === null ? undefined : { method: 'GET', url: url.href };
}

/** Returns the target of the field's form; the page's address without a form or an `action`. */
export function actionOf(page: HtmlPage, field: HTMLElement): string {
  const action = field.closest('form')?.getAttribute('action') ?? '';
  return URL.parse(action, page.url)?.href ?? action;
}

function fieldsOf(page: HtmlPage, form: HTMLElement, button: HTMLElement): [string, string][] {
  const fields: [string, string][] = [];
  for (const element of form.querySelectorAll('input, textarea, select, button')) {
    const name = element.getAttribute('name');
    if (name === undefined || element.hasAttribute('disabled')) continue;
    const value = submittedValue(page, element, button);
    if (value !== undefined) fields.push([name, value]);
  }
  return fields;
}

/** Returns the value of a field, or the text of another element. */
export function shownIn(element: HTMLElement): string {
  return (element.tagName === 'INPUT' ? element.getAttribute('value') : element.text)?.trim() ?? '';
}

/** Returns the page's text, values of its fields included. */
export function pageText({ root }: HtmlPage): string {
  const inputs = root.querySelectorAll('input').filter((input) => input.getAttribute('type') !== 'hidden');
  return [root.structuredText, ...inputs.map(shownIn)].join('\n');
}

function submittedValue(page: HtmlPage, element: HTMLElement, button: HTMLElement): string | undefined {
  const type = (
    element.getAttribute('type') ?? (element.tagName === 'BUTTON' ? 'submit' : 'text')
  ).toLowerCase();
  if (element.tagName === 'BUTTON' || ['submit', 'image', 'button', 'reset'].includes(type)) {
    return element === button ? (element.getAttribute('value') ?? '') : undefined;
  }
  if (type === 'checkbox' || type === 'radio') {
    return element.hasAttribute('checked') ? (element.getAttribute('value') ?? 'on') : undefined;
  }
  const typed = page.typed.get(element);
  if (typed !== undefined) return typed;
  if (element.tagName === 'TEXTAREA') return element.text;
  if (element.tagName === 'SELECT') return selected(element);
  return element.getAttribute('value') ?? '';
}

function selected(select: HTMLElement): string | undefined {
  const options = select.querySelectorAll('option');
  const option = options.find((o) => o.hasAttribute('selected')) ?? options[0];
  return option && valueIn(option);
}

function valueIn(option: HTMLElement): string {
  return option.getAttribute('value') ?? option.text;
}

/** Maximum page size in characters. A page with a form has a few thousand. */
const LONGEST_PAGE = 1024 * 1024;

/** Maximum nesting, as in browsers. The parser's time grows with its square. */
const DEEPEST_NESTING = 512;

/** Elements that are empty or that the next one of their kind closes. */
const NEVER_NEST = new Set(
  'area base br col embed hr img input link meta param source track wbr p li td th h1 h2 h3 h4 h5 h6'.split(
    ' ',
  ),
);

export class PageUnreadable extends Error {
  override readonly name = 'PageUnreadable';
}

function readableHtml(html: string): string {
  if (html.length > LONGEST_PAGE)
    throw new PageUnreadable(`the page has more than ${LONGEST_PAGE} characters`);
  // Unclosed, they reach to the end.
  const text = html.replace(/<!--[\s\S]*?(?:-->|$)/g, '').replace(/<style>[\s\S]*?(?:<\/style>|$)/g, '');
  let depth = 0;
  for (const [, slash, name = ''] of text.matchAll(/<(\/?)([a-zA-Z][a-zA-Z0-9-]*)/g)) {
    if (NEVER_NEST.has(name.toLowerCase())) continue;
    depth = slash === '' ? depth + 1 : Math.max(0, depth - 1);
    if (depth > DEEPEST_NESTING)
      throw new PageUnreadable(`the page has more than ${DEEPEST_NESTING} elements in one another`);
  }
  return text;
}
