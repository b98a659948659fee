import type { Refusal } from './refusal.ts';

/** One header line: name as it goes onto the wire, and value. */
export type HeaderLine = readonly [name: string, value: string];

/** An answer to a client, before it becomes a `Response` or bytes on a socket. */
export interface ServiceAnswer {
  readonly status: number;
  readonly headers: readonly HeaderLine[];
  /** Empty for no body. */
  readonly body: string;
  /** The reason of the refusal, with details for the journal only. */
  readonly refusal?: Refusal;
}

/** Statuses whose answers have no body (RFC 9110 section 6.4.1): the socket drops one. Bytes after a 204 are the wire fault `204-bytes`. */
export const BODILESS: ReadonlySet<number> = new Set([204, 205, 304]);

export function withHeader(answer: ServiceAnswer, name: string, value: string | undefined): ServiceAnswer {
  const unwanted = name.toLowerCase();
  const headers = answer.headers.filter(([candidate]) => candidate.toLowerCase() !== unwanted);
  return { ...answer, headers: value === undefined ? headers : [...headers, [name, value]] };
}

export function emptyAnswer(status: number, headers: readonly HeaderLine[] = []): ServiceAnswer {
  return { status, headers, body: '' };
}

/** Builds an answer with or without a content type; with an empty body it may still have one. */
export function bodyAnswer(
  status: number,
  contentType: string | null,
  body: string,
  headers: readonly HeaderLine[] = [],
): ServiceAnswer {
  const typed: readonly HeaderLine[] = contentType === null ? [] : [['Content-Type', contentType]];
  return { status, headers: [...typed, ...headers], body };
}
