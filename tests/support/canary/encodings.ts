import { deflateSync, gzipSync } from 'node:zlib';

/**
 * How software spells a text by itself, written apart from the suite's own decoding: what both overlook alike, no test finds.
 * Each is reversible, so a reader of a report could get the text back.
 */
export const ENCODINGS: Readonly<Record<string, (text: string) => string>> = {
  raw: (s) => s,
  'upper case': (s) => s.toUpperCase(),
  'lower case': (s) => s.toLowerCase(),
  'percent-encoded': encodeURIComponent,
  'percent-encoded, lower-case digits': (s) =>
    encodeURIComponent(s).replace(/%[0-9A-F]{2}/g, (hex) => hex.toLowerCase()),
  'percent-encoded, every byte': (s) => bytesOf(s, (byte) => `%${hexOf(byte).toUpperCase()}`),
  'percent-encoded, every other byte': (s) =>
    bytesOf(s, (byte, index) =>
      index % 2 === 0 || !/[a-z0-9]/i.test(String.fromCharCode(byte))
        ? `%${hexOf(byte)}`
        : String.fromCharCode(byte),
    ),
  'percent-encoded twice': (s) => encodeURIComponent(encodeURIComponent(s)),
  'by escape()': (s) => units(s, (unit) => `%u${unit.toString(16).padStart(4, '0')}`),
  'form-encoded': (s) => new URLSearchParams({ s }).toString().slice(2),
  'in JSON': (s) => JSON.stringify({ s }),
  'in JSON within JSON': (s) => JSON.stringify(JSON.stringify({ s })),
  'in JSON with slashes escaped': (s) => JSON.stringify({ s }).replaceAll('/', '\\/'),
  '\\uXXXX': (s) => units(s, (unit) => `\\u${unit.toString(16).padStart(4, '0')}`),
  '\\u{X}': (s) => [...s].map((c) => `\\u{${c.codePointAt(0)?.toString(16)}}`).join(''),
  '\\xXX': (s) => bytesOf(s, (byte) => `\\x${hexOf(byte)}`),
  'octal escapes': (s) => bytesOf(s, (byte) => `\\${byte.toString(8).padStart(3, '0')}`),
  'HTML, as templates escape': html,
  'HTML, decimal': (s) => [...s].map((c) => `&#${c.codePointAt(0)};`).join(''),
  'HTML, hexadecimal': (s) =>
    [...s].map((c) => `&#x${c.codePointAt(0)?.toString(16).toUpperCase()};`).join(''),
  'HTML, named': (s) => s.replace(/[&<>"'+/=%~ü]/g, (c) => NAMED[c] ?? c),
  'JSON in HTML': (s) => html(JSON.stringify({ s })),
  Markdown: (s) => html(s).replace(/[\\`*_{}[\]()#+!|~]/g, (c) => `\\${c}`),
  base64: (s) => Buffer.from(s).toString('base64'),
  'base64 without padding': (s) => Buffer.from(s).toString('base64').replace(/=+$/, ''),
  'base64 in a Basic header': (s) => `Basic ${Buffer.from(`client-id:${s}`).toString('base64')}`,
  'base64, one byte further': (s) => Buffer.from(`x${s}yz`).toString('base64'),
  'base64, two bytes further': (s) => Buffer.from(`xy${s}z`).toString('base64'),
  base64url: (s) => Buffer.from(`x${s}`).toString('base64url'),
  'base64, wrapped': (s) => wrapped(Buffer.from(`${'x '.repeat(25)}${s}`).toString('base64'), '\r\n'),
  'base64, wrapped and quoted': (s) =>
    wrapped(Buffer.from(`${'x '.repeat(25)}${s}`).toString('base64'), '\n  | '),
  'base64, wrapped, in JSON': (s) =>
    JSON.stringify({ s: wrapped(Buffer.from(`${'x '.repeat(25)}${s}`).toString('base64'), '\n') }),
  'base64 in a path': (s) => `/data/${Buffer.from(s).toString('base64url')}/x`,
  'base64 twice': (s) => base64(base64(s)),
  'percent-encoded base64 of JSON': (s) => encodeURIComponent(base64(JSON.stringify({ s }))),
  'gzip in base64': (s) => gzipSync(`some words ${s}`).toString('base64'),
  'deflate in base64url': (s) => deflateSync(`some words ${s}`).toString('base64url'),
  hexadecimal: (s) => Buffer.from(s).toString('hex'),
  'hexadecimal, upper case': (s) => Buffer.from(s).toString('hex').toUpperCase(),
  'a buffer as Node prints it': (s) =>
    `<Buffer ${Buffer.from(s)
      .toString('hex')
      .replace(/..(?=.)/g, '$& ')}>`,
  'a buffer as JSON': (s) => JSON.stringify(Buffer.from(s)),
  base32: (s) => base32(Buffer.from(s)),
  'base32, lower case, three bytes further': (s) => base32(Buffer.from(`abc${s}`)).toLowerCase(),
  'quoted-printable': quotedPrintable,
  'UTF-8 read as Latin-1': (s) => Buffer.from(s).toString('latin1'),
  'percent-encoded Latin-1': (s) => [...Buffer.from(s, 'latin1')].map((byte) => `%${hexOf(byte)}`).join(''),
  'Unicode decomposed': (s) => s.normalize('NFD'),
};

const NAMED: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  '+': '&plus;',
  '/': '&sol;',
  '=': '&equals;',
  '%': '&percnt;',
  ü: '&uuml;',
};

function html(text: string): string {
  return text.replace(/[&<>"']/g, (c) => NAMED[c]?.replace('&apos;', '&#39;') ?? c);
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

function wrapped(text: string, lineBreak: string): string {
  return text.replace(/.{76}(?=.)/g, (line) => `${line}${lineBreak}`);
}

function hexOf(byte: number): string {
  return byte.toString(16).padStart(2, '0');
}

function bytesOf(text: string, spell: (byte: number, index: number) => string): string {
  return [...Buffer.from(text)].map(spell).join('');
}

function units(text: string, spell: (unit: number) => string): string {
  return Array.from({ length: text.length }, (_, index) => spell(text.charCodeAt(index))).join('');
}

/** RFC 4648, section 6. */
function base32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const groups = bits.match(/.{1,5}/g) ?? [];
  const text = groups
    .map((group) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[Number.parseInt(group.padEnd(5, '0'), 2)])
    .join('');
  return text.padEnd(Math.ceil(text.length / 8) * 8, '=');
}

/** RFC 2045, section 6.7, with soft line breaks. */
function quotedPrintable(text: string): string {
  const spelled = [...Buffer.from(text)].map((byte) => {
    const plain = byte >= 0x20 && byte < 0x7f && byte !== 0x3d;
    return plain ? String.fromCharCode(byte) : `=${hexOf(byte).toUpperCase()}`;
  });
  const lines = [''];
  for (const part of spelled) {
    if ((lines.at(-1) ?? '').length + part.length > 20) lines.push('');
    lines[lines.length - 1] += part;
  }
  return lines.join('=\r\n');
}
