import { html as honoHtml } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';

export type PageMarkup = HtmlEscapedString;

/**
 * Values that a template accepts: text (escaped), markup (unchanged), and lists; `false`, `null` and `undefined` render
 * nothing.
 */
export type Fragment = PageMarkup | string | number | boolean | null | undefined | readonly Fragment[];

/**
 * Template tag for escaped HTML: hono's `html`, limited to synchronous values, so that a page is a string and never a promise.
 *
 * @throws TypeError if hono returns a promise, which only a value outside {@link Fragment} can cause
 */
export function html(strings: TemplateStringsArray, ...values: readonly Fragment[]): PageMarkup {
  const markup = honoHtml(strings, ...values);
  if (markup instanceof Promise) {
    throw new TypeError(
      'A page template expected finished values and got a promise: await it before the page is made.',
    );
  }
  return markup;
}
