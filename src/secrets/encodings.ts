/**
 * Every spelling in which a secret may turn up in something that is written. A code with `+/=` looks different in a
 * query, in a form, in JSON, in HTML and inside a Basic header; a redaction that knows one spelling misses the rest.
 */

function formEncode(value: string): string {
  return new URLSearchParams({ v: value }).toString().slice(2);
}

function percentEncodeAll(value: string): string {
  return encodeURIComponent(value).replace(
    /[!'()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function htmlEscape(value: string): string {
  return value
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

/**
 * The three base64 spellings of a value's bytes that do not depend on what stands before it in the encoded text
 * (a secret inside `id:secret` starts at any of three offsets). The ragged ends are cut off.
 */
function base64Cores(value: string): string[] {
  const bytes = Buffer.from(value, 'utf8');
  if (bytes.length < 8) return [];
  const cores: string[] = [];
  for (let offset = 0; offset < 3; offset += 1) {
    const padded = Buffer.concat([Buffer.alloc(offset), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    const start = offset === 0 ? 0 : offset + 1;
    const wholeTriples = Math.floor((offset + bytes.length) / 3) * 4;
    cores.push(padded.slice(start, wholeTriples));
  }
  return cores;
}

/**
 * All spellings of a secret, without repetition, longest first, so that a longer one is replaced before a part of it.
 *
 * @param value the secret as it is
 */
export function spellings(value: string): readonly string[] {
  const found = new Set<string>([
    value,
    encodeURIComponent(value),
    percentEncodeAll(value),
    encodeURIComponent(value).toLowerCase() === value.toLowerCase() ? value : lowerCasePercent(value),
    formEncode(value),
    JSON.stringify(value).slice(1, -1),
    JSON.stringify(JSON.stringify(value).slice(1, -1)).slice(1, -1),
    htmlEscape(value),
    encodeURIComponent(encodeURIComponent(value)),
  ]);
  for (const core of base64Cores(value)) {
    found.add(core);
    found.add(core.replaceAll('+', '-').replaceAll('/', '_'));
  }
  return [...found].filter((s) => s.length > 0).sort((a, b) => b.length - a.length);
}

function lowerCasePercent(value: string): string {
  return encodeURIComponent(value).replace(/%[0-9A-F]{2}/g, (hex) => hex.toLowerCase());
}
