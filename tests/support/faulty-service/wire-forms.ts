import type { ServerResponse } from 'node:http';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import type { Fault } from './faults.ts';

interface Answered {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly cookies: readonly string[];
  readonly content: Buffer;
}

type Lines = readonly (readonly [name: string, value: string])[];

type Form = (res: ServerResponse, answer: Answered, lines: Lines) => void;

/** Names of which a second one would be another matter, or an error. */
const ONCE = ['content-length', 'content-type', 'location', 'set-cookie', 'etag', 'last-modified'];

/** Ways in which a service, or what stands before it, may write an answer: no client may mind any (RFC 9110, RFC 9112). */
export const WIRE_FORMS: Readonly<Record<string, Form>> = {
  'HTTP/1.0, and the connection ends with the answer': (res, { status, content }, lines) =>
    raw(res, `HTTP/1.0 ${status} Said`, lines, content),
  'the body ends with the connection': (res, { status, content }, lines) =>
    raw(res, `HTTP/1.1 ${status} `, [...lines, ['Connection', 'close']], content),
  'each answer closes its connection': (res, { status, content }, lines) => {
    write(res, status, [...lines, ['Connection', 'close']]).end(content);
  },
  gzip: compressed('gzip', gzipSync),
  'deflate, as the standard has it': compressed('deflate', deflateSync),
  'deflate, as many servers have it': compressed('deflate', deflateRawSync),
  brotli: compressed('br', brotliCompressSync),
  'zstd, within gzip': compressed('zstd, gzip', (content) => gzipSync(zstdCompressSync(content))),
  'chunks of a byte, and trailers': (res, { status, content }, lines) => {
    if (content.length === 0) return void write(res, status, lines).end();
    const without = lines.filter(([name]) => name.toLowerCase() !== 'content-length');
    write(res, status, [...without, ['Transfer-Encoding', 'chunked'], ['Trailer', 'X-Checksum']]);
    for (const byte of content) res.write(Buffer.of(byte));
    res.addTrailers({ 'X-Checksum': '1' });
    res.end();
  },
  'interim answers first': (res, { status, content }, lines) => {
    res.writeContinue();
    res.writeProcessing();
    res.writeEarlyHints({ link: '</style.css>; rel=preload; as=style' });
    write(res, status, lines).end(content);
  },
  'headers twice': (res, { status, content }, lines) => {
    const again = lines.filter(([name]) => !ONCE.includes(name.toLowerCase()));
    write(res, status, [...lines, ...again, ['Vary', 'Accept'], ['Vary', 'Accept-Encoding']]).end(content);
  },
  'header names in small letters': (res, { status, content }, lines) => {
    write(
      res,
      status,
      lines.map(([name, value]) => [name.toLowerCase(), value]),
    ).end(content);
  },
  'header names in capitals': (res, { status, content }, lines) => {
    write(
      res,
      status,
      lines.map(([name, value]) => [name.toUpperCase(), value]),
    ).end(content);
  },
  'twelve thousand bytes of headers': (res, { status, content }, lines) => {
    const long = [1, 2, 3].map((i) => [`X-Long-${i}`, 'x'.repeat(4_000)] as const);
    write(res, status, [...lines, ...long]).end(content);
  },
  'an entity tag and a date of change': (res, { status, content }, lines) => {
    const tagged = [
      ['ETag', '"1"'],
      ['Last-Modified', 'Sat, 21 Nov 2026 00:00:00 GMT'],
    ] as const;
    write(res, status, [...lines, ...tagged]).end(content);
  },
  'a byte order mark before JSON': (res, { status, content }, lines) => {
    const isJson = lines.some(([name, value]) => /^content-type$/i.test(name) && /json/.test(value));
    const marked = isJson ? Buffer.concat([Buffer.from('\ufeff'), content]) : content;
    const without = lines.filter(([name]) => name.toLowerCase() !== 'content-length');
    write(res, status, [...without, ['Content-Length', String(marked.length)]]).end(marked);
  },
  'no date and no length': (res, { status, content }, lines) => {
    res.sendDate = false;
    const without = lines.filter(([name]) => !/^(?:content-length|date)$/i.test(name));
    write(res, status, without).end(content);
  },
};

export function writtenAs(form: Form): Fault {
  return async (_req, res, passOn) => {
    const answer = (await passOn()) as Answered;
    form(res, answer, [
      ...answer.headers,
      ...answer.cookies.map((cookie) => ['Set-Cookie', cookie] as const),
    ]);
    return true;
  };
}

function write(res: ServerResponse, status: number, lines: Lines): ServerResponse {
  return res.writeHead(status, lines.flat());
}

/** Past Node's own writing of answers; the connection ends. */
function raw(res: ServerResponse, first: string, lines: Lines, content: Buffer): void {
  const head = lines
    .filter(([name]) => name.toLowerCase() !== 'content-length')
    .map(([name, value]) => `${name}: ${value}\r\n`);
  res.socket?.end(Buffer.concat([Buffer.from(`${first}\r\n${head.join('')}\r\n`, 'latin1'), content]));
}

function compressed(name: string, compress: (content: Buffer) => Buffer): Form {
  return (res, { status, content }, lines) => {
    if (content.length === 0) return void write(res, status, lines).end();
    const packed = compress(content);
    const without = lines.filter(([header]) => header.toLowerCase() !== 'content-length');
    write(res, status, [
      ...without,
      ['Content-Encoding', name],
      ['Vary', 'Accept-Encoding'],
      ['Content-Length', String(packed.length)],
    ]).end(packed);
  };
}
