import { type HTMLElement, parse } from 'node-html-parser';
import type { Header } from '../../http/exchange.ts';
import type { Selector } from '../target.ts';

export interface HtmlPage {
  readonly url: string;
  readonly root: HTMLElement;
  readonly typed: Map<HTMLElement, string>;
}

export interface Submission {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly body?: string;
}

/** Returns the headers that a browser adds to a form's body. */
export function headersFor({ url, body }: Submission): readonly Header[] {
  if (body === undefined) return [];
  return [
    ['Content-Type', 'application/x-www-form-urlencoded'],
    ['Origin', new URL(url).origin],
  ];
}

export function htmlPage(url: string, html: string): HtmlPage {
  return { url, root: parse(readableHtml(html)), typed: new Map() };
}

export function find(page: HtmlPage, selector: Selector): HTMLElement | undefined {
  if (typeof selector === 'string') return page.root.querySelector(selector) ?? undefined;
  if ('css' in selector) return find(page, selector.css);
  if ('label' in selector) return byLabel(page, selector.label);
  return byButton(page, selector.button);
}

function byLabel(page: HtmlPage, text: string): HTMLElement | undefined {
  const label = page.root.querySelectorAll('label').find((l) => sameText(l.text, text));
  if (label === undefined) return undefined;
  const target = label.getAttribute('for');
  if (target === undefined) return label.querySelector('input, textarea, select') ?? undefined;
  return page.root.querySelectorAll('[id]').find((e) => e.getAttribute('id') === target);
}

function byButton(page: HtmlPage, name: string): HTMLElement | undefined {
  return page.root
    .querySelectorAll('button, input[type=submit], a')
    .find((e) => sameText(e.tagName === 'INPUT' ? (e.getAttribute('value') ?? '') : e.text, name));
}

function sameText(a: string, b: string): boolean {
  const fold = (s: string) => s.replace(/\s+/g, ' ').trim().toLowerCase();
  return fold(a) === fold(b);
}

/** Returns the request that a click on a button or link sends; undefined if only script would send one. */
export function click(page: HtmlPage, element: HTMLElement): Submission | undefined {
  const href = element.tagName === 'A' ? element.getAttribute('href') : undefined;
  if (href !== undefined) {
    return URL.canParse(href, page.url) ? { method: 'GET', url: new URL(href, page.url).href } : undefined;
  }
  const form = element.closest('form');
  if (form === null) return undefined;
  const action = element.getAttribute('formaction') ?? form.getAttribute('action') ?? page.url;
  const method = (element.getAttribute('formmethod') ?? form.getAttribute('method') ?? 'get').toUpperCase();
  const fields = new URLSearchParams(fieldsOf(page, form, element));
  if (!URL.canParse(action, page.url)) return undefined;
  const url = new URL(action, page.url);
  if (method === 'POST') return { method: 'POST', url: url.href, body: fields.toString() };
  url.search = fields.toString();
  return { method: 'GET', url: url.href };
}

/** Returns where the header `Refresh`, or else `<meta http-equiv="refresh">`, leads within these seconds. */
export function refresh({ url, root }: HtmlPage, seconds: number, header?: string): Submission | undefined {
  const text = header ?? root.querySelector('meta[http-equiv="refresh" i]')?.getAttribute('content') ?? '';
  const [, delay, to = ''] = /^\s*([\d.]+)\s*[;,\s]\s*(?:url\s*=\s*)?["']?([^"']+)/i.exec(text) ?? [];
  if (to === '' || Number.parseFloat(delay ?? '') > seconds || !URL.canParse(to, url)) return undefined;
  return { method: 'GET', url: new URL(to, url).href };
}

/** Returns the target of the field's form; the page's address without a form or an `action`. */
export function actionOf(page: HtmlPage, field: HTMLElement): string {
  const action = field.closest('form')?.getAttribute('action') ?? '';
  return URL.canParse(action, page.url) ? new URL(action, page.url).href : action;
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
  return option === undefined ? undefined : (option.getAttribute('value') ?? option.text);
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

export function readableHtml(html: string): string {
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
