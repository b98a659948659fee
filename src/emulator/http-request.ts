/** A request as handlers see it: read whole, and neither normalized nor decoded. */
export interface HttpRequest {
  readonly method: string;
  /** Path below the listener's own prefix, percent-encoded as sent. */
  readonly path: string;
  /** Query as sent, without its question mark; empty for none. */
  readonly query: string;
  readonly body: string;
  /** A header's value, name in lower case; empty for none. */
  header(name: string): string;
}
