import { connect, type Socket } from 'node:net';

const HEAD_END = '\r\n\r\n';

/**
 * One kept connection: sends a request and reads its answer, one after the other. Does far less than a general client, so that
 * the server limits the load.
 */
export class Connection {
  readonly #socket: Socket;
  readonly #host: string;
  #chunks: Buffer[] = [];
  #received = 0;
  /** Bytes of the complete answer, known after its head. */
  #expected = Number.POSITIVE_INFINITY;
  #settle: { resolve(body: string): void; reject(error: Error): void } | undefined;

  constructor(origin: string) {
    const { hostname, port, host } = new URL(origin);
    this.#host = host;
    this.#socket = connect(Number(port), hostname);
    this.#socket.setNoDelay(true);
    this.#socket.on('data', (chunk) => this.#read(chunk));
    this.#socket.on('error', (error) => this.#settle?.reject(error));
    this.#socket.on('close', () => this.#settle?.reject(new Error(`${origin} closed the connection.`)));
  }

  /**
   * Sends a request. `headers` are whole lines, each with its line break.
   *
   * @returns the body
   * @throws Error unless the answer is 2xx, or if its head has no length
   */
  exchange(method: string, path: string, headers: string, body = ''): Promise<string> {
    const length = body === '' ? '' : `Content-Length: ${Buffer.byteLength(body)}\r\n`;
    return new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
      this.#socket.write(
        `${method} ${path} HTTP/1.1\r\nHost: ${this.#host}\r\n${headers}${length}\r\n${body}`,
      );
    });
  }

  close(): void {
    this.#settle = undefined;
    this.#socket.destroy();
  }

  #read(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#received += chunk.length;
    if (this.#expected === Number.POSITIVE_INFINITY) this.#readHead();
    if (this.#received < this.#expected) return;
    const answer = Buffer.concat(this.#chunks);
    this.#chunks = [];
    this.#received = 0;
    this.#expected = Number.POSITIVE_INFINITY;
    const text = answer.toString('utf8', answer.indexOf(HEAD_END) + HEAD_END.length);
    const status = answer.toString('latin1', 9, 12);
    if (status.startsWith('2')) this.#settle?.resolve(text);
    else this.#settle?.reject(new Error(`Expected 2xx, got ${status}: ${text}`));
  }

  #readHead(): void {
    const head = Buffer.concat(this.#chunks);
    const end = head.indexOf(HEAD_END);
    if (end < 0) return;
    const text = head.toString('latin1', 0, end);
    const length =
      /^content-length: *(\d+)/im.exec(text)?.[1] ?? (text.startsWith('204', 9) ? '0' : undefined);
    if (length === undefined) this.#settle?.reject(new Error(`Expected a Content-Length, got ${text}`));
    else this.#expected = end + HEAD_END.length + Number(length);
  }
}
