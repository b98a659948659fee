import { html as honoHtml } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';

/** A piece of HTML whose values were escaped when it was made. */
export type PageMarkup = HtmlEscapedString;

/** What may stand in a template: text (escaped), markup (taken as it is), lists of both; `false`, `null` and `undefined` vanish. */
export type Fragment = PageMarkup | string | number | boolean | null | undefined | readonly Fragment[];

/**
 * Template tag for escaped HTML: hono's `html`, narrowed to values that are known at once, so that a page is a string and
 * not perhaps a promise of one.
 *
 * @throws TypeError when hono still returns a promise, which only a value outside {@link Fragment} can cause.
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
