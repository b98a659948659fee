import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate as soon } from 'node:timers/promises';
import { BODILESS, type ServiceAnswer } from '../answer.ts';
import type { WireForm } from '../control/control-types.ts';

/** Clients that read an answer: curl 7.88, and `fetch` of Node 24 (undici 7.29). */
type ReadBy = 'both' | 'curl' | 'neither';

/** A status or coding of the answer before the edit. */
type As = 204 | 304 | 'chunked';

/** The part of an answer's text that changes, and its replacement. */
type WireFault = readonly [readBy: ReadBy, part: RegExp, by: string, as?: As];

/** Answers that HTTP/1.1 (RFC 9112) forbids or seldom has, with the clients that read them. */
export const WIRE_FAULTS: Readonly<Record<WireForm, WireFault>> = {
  '204-bytes': ['both', /$/, 'null', 204],
  '204-chunked': ['both', /\r\n\r\n/, '\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n', 204],
  '204-terminator': ['both', /$/, '0\r\n\r\n', 204],
  '204-close-bytes': ['both', /\r\n\r\n/, '\r\nConnection: close\r\n\r\nnull', 204],
  '304-bytes': ['both', /$/, '{}', 304],
  'lower-case': ['both', /Content-Length/, 'content-length'],
  'empty-reason': ['both', /(?<=^\S+ \S+ ).*/, ''],
  'no-reason': ['both', /(?<=^\S+ \S+) .*/, ''],
  'http-1.0': ['both', /1\.1/, '1.0'],
  'trailing-bytes': ['both', /$/, 'odd'],
  'trailing-answer': ['both', /.+$/s, '$&$&'],
  'close-for-length': ['both', /Content-Length.*\r\n/, ''],
  'early-103': ['both', /^/, 'HTTP/1.1 103 Early Hints\r\nLink: </>; rel=preload\r\n\r\n'],
  trailers: ['both', /(?=\r\n$)/, 'X-Odd: 1\r\n', 'chunked'],
  pieces: ['both', /^/, ''],
  'two-lengths': ['curl', /Content-Length.*\r\n/, '$&$&'],
  'length-and-chunked': ['curl', /Transfer-/, 'Content-Length: 4\r\n$&', 'chunked'],
  'folded-header': ['curl', /\r\n/, '\r\nX-Odd: one\r\n two\r\n'],
  'blank-before-colon': ['curl', /\r\n/, '\r\nX-Odd : one\r\n'],
  'bare-lf': ['curl', /\r\n/g, '\n'],
  'long-header': ['curl', /\r\n/, `\r\nX-Odd: ${'a'.repeat(20_000)}\r\n`],
  'early-100': ['curl', /^/, 'HTTP/1.1 100 Continue\r\n\r\n'],
  'length-too-long': ['neither', /(?<=Content-Length: )/, '1'],
  'http-1.2': ['neither', /1\.1/, '1.2'],
  'no-terminator': ['neither', /0\r\n\r\n$/, '', 'chunked'],
};

/** Returns the bytes of an answer as Latin-1. */
function wireText({ status, headers, body }: ServiceAnswer, form: WireForm): string {
  const [, part, by, as = status] = WIRE_FAULTS[form];
  const sent = as === 'chunked' ? status : as;
  const bytes = BODILESS.has(sent) ? '' : Buffer.from(body).toString('latin1');
  const [length, content] =
    as === 'chunked'
      ? ['Transfer-Encoding: chunked', `${bytes.replace(/./gs, '1\r\n$&\r\n')}0\r\n\r\n`]
      : [`Content-Length: ${bytes.length}`, bytes];
  const lines = [`HTTP/1.1 ${sent} ${STATUS_CODES[sent]}`, ...headers.map((header) => header.join(': '))];
  if (!BODILESS.has(sent)) lines.push(length);
  return [...lines, '', content].join('\r\n').replace(part, by);
}

/** Writes {@link wireText}, for `pieces` one byte at a time, and closes the connection. */
export async function writeWire(socket: Socket, answer: ServiceAnswer, form: WireForm): Promise<void> {
  const text = wireText(answer, form);
  for (const piece of form === 'pieces' ? text : [text]) {
    socket.write(piece, 'latin1');
    await soon();
  }
  socket.end();
}
