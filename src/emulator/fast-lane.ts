import type { IncomingMessage, ServerResponse } from 'node:http';
import { BODY_LIMIT } from './body.ts';

/** An endpoint that clients call over and over. */
export interface FrequentEndpoint {
  readonly methods: readonly string[];
  /** Whether a path is the endpoint's. */
  fits(path: string): boolean;
  serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void>;
}

/** An address that stands as it is meant: without a query, dots, or anything encoded. */
const PLAIN = /^\/[\w/-]+$/;

/**
 * Serves plain requests to busy endpoints straight from the socket. Making a `Request`, routing it and looking at its
 * `Response` costs more than all that the service does; whatever is out of the ordinary is left to that way.
 */
export class FastLane {
  readonly #lanes: readonly FrequentEndpoint[];
  readonly #quiet: () => boolean;
  readonly #hosts: readonly string[];

  /**
   * @param quiet whether requests are served as they come: no hold or fault is armed
   * @param hosts what an ordinary `Host` header says: the address and port that the listener is bound to, or known by
   */
  constructor(lanes: readonly FrequentEndpoint[], quiet: () => boolean, hosts: readonly string[]) {
    this.#lanes = lanes;
    this.#quiet = quiet;
    this.#hosts = hosts;
  }

  /** Serves the request, or returns false and has not touched it. */
  serve(incoming: IncomingMessage, outgoing: ServerResponse): boolean {
    const { method = '', url = '', headers } = incoming;
    if (!this.#hosts.includes(headers.host ?? '') || !PLAIN.test(url) || !this.#quiet()) return false;
    const lane = this.#lanes.find(({ methods, fits }) => methods.includes(method) && fits(url));
    if (lane === undefined || !isReadable(incoming)) return false;
    void lane.serve(incoming, outgoing);
    return true;
  }
}

/** Whether the body says how long it is, and is within the limit; a GET has none. */
function isReadable({ method, headers }: IncomingMessage): boolean {
  if (headers['transfer-encoding'] !== undefined) return false;
  const length = Number(headers['content-length'] ?? 0);
  return method === 'GET' ? length === 0 : length <= BODY_LIMIT;
}
