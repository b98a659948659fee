import type { ServerResponse } from 'node:http';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { ServiceAnswer } from './answer.ts';

/** Statuses whose answers have no body (RFC 9110 section 6.4.1). */
export const BODILESS = new Set([204, 205, 304]);

/** Where an answer goes. */
interface Destination {
  readonly outgoing?: ServerResponse;
  readonly onAnswer?: (answer: ServiceAnswer) => void;
}

/** Writes an answer to a socket, with header names as they are; or hands it over, or makes a `Response`, where there is no socket. */
export function deliver(answer: ServiceAnswer, { outgoing, onAnswer }: Destination): Response {
  if (onAnswer !== undefined) {
    onAnswer(answer);
    return RESPONSE_ALREADY_SENT;
  }
  if (outgoing === undefined) return toResponse(answer);
  writeHead(answer, outgoing);
  outgoing.end(BODILESS.has(answer.status) ? '' : answer.body);
  return RESPONSE_ALREADY_SENT;
}

/** Writes an answer's head and half of its body, and drops the connection. */
export function deliverTruncated(answer: ServiceAnswer, outgoing: ServerResponse | undefined): Response {
  const half = answer.body.slice(0, Math.floor(answer.body.length / 2));
  if (outgoing === undefined) return toResponse(answer, brokenStream(half));
  writeHead(answer, outgoing);
  outgoing.write(half, () => outgoing.socket?.destroy());
  return RESPONSE_ALREADY_SENT;
}

function writeHead({ status, headers, body }: ServiceAnswer, outgoing: ServerResponse): void {
  const lines: string[] = [];
  for (const [name, value] of headers) lines.push(name, value);
  if (!BODILESS.has(status)) lines.push('Content-Length', String(Buffer.byteLength(body)));
  outgoing.writeHead(status, lines);
}

function toResponse({ status, headers, body }: ServiceAnswer, stream?: ReadableStream): Response {
  const whole = BODILESS.has(status) || body === '' ? null : body;
  return new Response(stream ?? whole, {
    status,
    headers: headers.map(([name, value]): [string, string] => [name, value]),
  });
}

function brokenStream(text: string): ReadableStream {
  let sent = false;
  return new ReadableStream({
    pull(controller) {
      if (sent) controller.error(new TypeError('terminated'));
      else controller.enqueue(new TextEncoder().encode(text));
      sent = true;
    },
  });
}
