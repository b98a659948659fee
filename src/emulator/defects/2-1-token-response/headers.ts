import { withHeader } from '../../answer.ts';
import type { Defect } from '../../defect.ts';
import { defect } from '../define-defect.ts';
import { changeResponses, type TokenResponseOf } from '../token-responses.ts';

/** A defect that gives a header another value, or takes it away, in the responses to both requests or to one. */
function header(id: string, name: string, value: string | undefined, only?: TokenResponseOf): Defect {
  return defect(id, (policy) =>
    changeResponses(policy, (answer, of) =>
      only === undefined || of === only ? withHeader(answer, name, value) : answer,
    ),
  );
}

/** Faults of the headers of a token response (RFC 6749 section 5.1). */
export const headers: readonly Defect[] = [
  header('token-content-type-html', 'Content-Type', 'text/html; charset=utf-8'),
  header('token-content-type-text-on-refresh', 'Content-Type', 'text/plain; charset=utf-8', 'refresh'),
  header('token-cacheable', 'Cache-Control', undefined),
  header('token-cacheable-on-refresh', 'Cache-Control', 'private, max-age=7200', 'refresh'),
];
