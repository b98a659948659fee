import type { IncomingMessage } from 'node:http';

/** Largest request body in bytes; a larger one is answered with 413 (RFC 9110 section 15.5.14). */
export const BODY_LIMIT = 512 * 1024;

/** Reads a request's body as text. Undefined when it has more than `limit` bytes. */
export async function bodyOf(
  request: Request,
  incoming: IncomingMessage | undefined,
  limit: number = BODY_LIMIT,
): Promise<string | undefined> {
  if (incoming !== undefined) return bodyFromSocket(incoming, limit);
  const bytes = await request.arrayBuffer();
  return bytes.byteLength > limit ? undefined : Buffer.from(bytes).toString('utf8');
}

/**
 * Reads from the socket itself, so that a large body is refused after as many bytes as are allowed and no more.
 *
 * @throws ClientGone when the connection ends before the body does
 */
export function bodyFromSocket(incoming: IncomingMessage, limit: number): Promise<string | undefined> {
  const { headers } = incoming;
  if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) {
    return Promise.resolve('');
  }
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const onData = (chunk: Buffer) => {
      length += chunk.length;
      if (length <= limit) chunks.push(chunk);
      else {
        incoming.off('data', onData).pause();
        resolve(undefined);
      }
    };
    const onEnd = () => resolve((chunks.length === 1 ? chunks[0] : Buffer.concat(chunks))?.toString('utf8'));
    const onClose = () => {
      if (!incoming.readableEnded) reject(new ClientGone());
    };
    // They stay on: taking four listeners off costs as much as parsing the form, and a promise settles once.
    incoming.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose);
  });
}

/** The client went away before its request was whole. */
export class ClientGone extends Error {
  constructor() {
    super('The client closed the connection before its request was whole.');
    this.name = 'ClientGone';
  }
}
