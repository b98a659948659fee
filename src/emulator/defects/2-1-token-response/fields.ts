import { withHeader } from '../../answer.ts';
import type { Defect } from '../../defect.ts';
import { formatForm } from '../../parameters.ts';
import { defect } from '../define-defect.ts';
import { changeFields, changeResponses, type TokenResponseOf } from '../token-responses.ts';

/** Milliseconds in a second, for who mistakes one for the other. */
const MILLISECONDS = 1_000;

/** A moment in seconds since the epoch, where a lifetime belongs. */
const MOMENT = 1_800_000_000;

/** A defect that gives a field another value, in the responses to both requests or to one. */
function field(id: string, name: string, value: unknown, only?: TokenResponseOf): Defect {
  return defect(id, (policy) =>
    changeFields(policy, (of) => (only === undefined || of === only ? { [name]: value } : {})),
  );
}

/** Faults of the fields of a token response: the tokens, their type, their lifetime (clause 2.1). */
export const fields: readonly Defect[] = [
  field('exchange-refresh-token-missing', 'refresh_token', undefined, 'exchange'),
  field('exchange-refresh-token-empty', 'refresh_token', '', 'exchange'),

  defect('exchange-refresh-token-first-grant-only', (policy) => {
    const granted = new Set<string>();
    let again = false;
    const changes = changeFields(policy, (of) =>
      of === 'exchange' && again ? { refresh_token: undefined } : {},
    );
    return {
      ...changes,
      token: {
        ...changes.token,
        scopes(code, exchange) {
          const who = `${code.grant.ownerId} ${code.grant.clientId}`;
          again = granted.has(who);
          granted.add(who);
          return policy.token.scopes(code, exchange);
        },
      },
    };
  }),

  defect('exchange-refresh-token-for-writers-only', (policy) => {
    const { tokens } = policy.answer;
    const changes = changeFields(policy, (of) => (of === 'exchange' ? { refresh_token: undefined } : {}));
    return {
      ...changes,
      answer: {
        tokens: (issued) =>
          issued.scopes.includes('write') ? tokens(issued) : (changes.answer?.tokens ?? tokens)(issued),
      },
    };
  }),

  defect('exchange-response-form-encoded', (policy) =>
    changeResponses(policy, (answer) => {
      const pairs = Object.entries(JSON.parse(answer.body) as object);
      return {
        ...withHeader(answer, 'Content-Type', 'application/x-www-form-urlencoded'),
        body: formatForm(pairs.map(([name, value]) => [name, String(value)])),
      };
    }),
  ),

  defect('exchange-response-in-envelope', (policy) =>
    changeResponses(policy, (answer) => ({ ...answer, body: `{"token":${answer.body}}` })),
  ),

  field('exchange-token-type-mac', 'token_type', 'mac'),
  field('exchange-token-type-missing', 'token_type', undefined),
  field('exchange-token-type-capitalised', 'token_type', 'Bearer'),
  field('exchange-token-type-upper-case', 'token_type', 'BEARER', 'exchange'),
  field('refresh-token-type-capitalised', 'token_type', 'Bearer', 'refresh'),

  field('exchange-expires-in-string', 'expires_in', '7200'),
  field('exchange-expires-in-missing', 'expires_in', undefined),
  field('exchange-expires-in-3600', 'expires_in', 3_600),
  field('exchange-expires-in-epoch', 'expires_in', MOMENT),
  field('exchange-expires-in-one-short', 'expires_in', 7_199, 'exchange'),
  field('refresh-expires-in-string', 'expires_in', '7200', 'refresh'),
  defect('exchange-expires-in-milliseconds', (policy) =>
    changeFields(policy, (_of, { expires_in }) => ({ expires_in: expires_in * MILLISECONDS })),
  ),
];
