import type { ResultsUsed } from '../../generated/schemas.d.ts';
import { withoutMark } from './bodies.ts';
import { headerOf, type ProtocolFault, type WireRequest, type WireResponse } from './exchange.ts';

type ToleratedFault = ProtocolFault | 'byteOrderMarks' | 'unaskedEncodings';

const WORDS: Readonly<Record<ToleratedFault, string>> = {
  byteOrderMarks: 'begin with a byte order mark, which RFC 8259 section 8.1 forbids; the suite reads over it',
  strayBytes:
    'are followed by bytes that belong to no answer, such as a body after a 204 or a HEAD (RFC 9112 section 6.3); the suite, curl and `fetch` read over them',
  unaskedEncodings:
    'are compressed although the request accepts `identity` alone (RFC 9110 section 12.5.3), as from a cache that ignores Accept-Encoding; the suite decodes them',
  unaskedContinues:
    'follow a 100 (Continue) that no request asked for (RFC 9110 section 10.1.1); the suite and curl read over it, `fetch` refuses the answer',
};

/** Returns the fault of an answer that the suite reads over; undefined for none. */
export function toleratedFaultOf(request: WireRequest, response: WireResponse): ToleratedFault | undefined {
  const { body, protocolFault } = response;
  const isAsked = headerOf(request, 'accept-encoding') !== 'identity';
  if (!isAsked && (headerOf(response, 'content-encoding') ?? 'identity') !== 'identity')
    return 'unaskedEncodings';
  return withoutMark(body) === body ? protocolFault : 'byteOrderMarks';
}

/** Says which faults the suite read over, and in how many answers. @param used of {@link Ledger}; absent in-process */
export function toleratedFaultTexts(used?: Partial<ResultsUsed>): readonly string[] {
  return (Object.keys(WORDS) as ToleratedFault[]).flatMap((name) =>
    used?.[name] ? `tolerated: ${used[name]} answers of the service ${WORDS[name]}` : [],
  );
}
