import { deflateSync, gzipSync } from 'node:zlib';

/** Encodings that SECURITY.md lists, written apart from the suite's own decoding. Each is reversible. */
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
  'form-encoded': (s) => new URLSearchParams({ s }).toString().slice(2),
  'in JSON': (s) => JSON.stringify({ s }),
  'in JSON within JSON': (s) => JSON.stringify(JSON.stringify({ s })),
  'in JSON with slashes escaped': (s) => JSON.stringify({ s }).replaceAll('/', '\\/'),
  '\\uXXXX': (s) => units(s, (unit) => `\\u${unit.toString(16).padStart(4, '0')}`),
  '\\xXX': (s) => bytesOf(s, (byte) => `\\x${hexOf(byte)}`),
  'HTML, as templates escape': html,
  'HTML, decimal': (s) => [...s].map((c) => `&#${c.codePointAt(0)};`).join(''),
  'HTML, hexadecimal': (s) =>
    [...s].map((c) => `&#x${c.codePointAt(0)?.toString(16).toUpperCase()};`).join(''),
  'JSON in HTML': (s) => html(JSON.stringify({ s })),
  Markdown: (s) => html(s).replace(/[\\`*_{}[\]()#+!|~]/g, (c) => `\\${c}`),
  base64: (s) => Buffer.from(s).toString('base64'),
  'base64 without padding': (s) => Buffer.from(s).toString('base64').replace(/=+$/, ''),
  'base64 in a Basic header': (s) => `Basic ${Buffer.from(`client-id:${s}`).toString('base64')}`,
  'base64, one byte further': (s) => Buffer.from(`x${s}yz`).toString('base64'),
  'base64, two bytes further': (s) => Buffer.from(`xy${s}z`).toString('base64'),
  base64url: (s) => Buffer.from(`x${s}`).toString('base64url'),
  'base64 in a path': (s) => `/data/${Buffer.from(s).toString('base64url')}/x`,
  'base64 twice': (s) => base64(base64(s)),
  'base64 of JSON': (s) => base64(JSON.stringify({ s })),
  'zlib in base64': (s) => `.${deflateSync(`some words ${s}`).toString('base64url')}.sig`,
  'gzip in base64': (s) => gzipSync(`some words ${s}`).toString('base64'),
  hexadecimal: (s) => Buffer.from(s).toString('hex'),
  'hexadecimal, upper case': (s) => Buffer.from(s).toString('hex').toUpperCase(),
  'UTF-8 read as Latin-1': (s) => Buffer.from(s).toString('latin1'),
  'percent-encoded Latin-1': (s) => [...Buffer.from(s, 'latin1')].map((byte) => `%${hexOf(byte)}`).join(''),
  'Unicode decomposed': (s) => s.normalize('NFD'),
};

/** Those that are one encoding in another already. */
export const TWO_LEVELS: ReadonlySet<string> = new Set([
  'percent-encoded twice',
  'in JSON within JSON',
  'JSON in HTML',
  'Markdown',
  'base64 twice',
  'base64 of JSON',
  'gzip in base64',
  'zlib in base64',
]);

const NAMED: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

function html(text: string): string {
  return text.replace(/[&<>"']/g, (c) => NAMED[c]?.replace('&apos;', '&#39;') ?? c);
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
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
