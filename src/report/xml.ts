import { printableMarkup } from './printable.ts';

export interface Xml {
  readonly xml: string;
}

export type Attributes = Readonly<Record<string, string | number | undefined>>;

/**
 * Builds one element. The only place that escapes attribute values and text.
 *
 * @param children elements, or text
 */
export function element(
  name: string,
  attributes: Attributes = {},
  children: readonly (Xml | string)[] = [],
): Xml {
  const open = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}="${attribute(String(value))}"`)
    .join('');
  if (children.length === 0) return { xml: `<${name}${open}/>` };
  const inner = children.map((child) => (typeof child === 'string' ? escaped(child) : `\n${child.xml}`));
  const close = children.some((child) => typeof child !== 'string') ? '\n' : '';
  return { xml: `<${name}${open}>${inner.join('')}${close}</${name}>` };
}

export function xmlDocument(root: Xml): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${printableMarkup(root.xml)}\n`;
}

/** XML 1.0 cannot represent these even as references, so they appear as `\u0000`. */
const NOT_IN_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu;

function escaped(text: string): string {
  return text
    .replace(NOT_IN_XML, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\r', '&#13;');
}

/** Escapes line breaks, which XML parsers turn into spaces in attributes. */
function attribute(text: string): string {
  return escaped(text).replaceAll('\n', '&#10;').replaceAll('\t', '&#9;');
}
