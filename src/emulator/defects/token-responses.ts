import type { ServiceAnswer } from '../answer.ts';
import type { IssuedTokens } from '../policy.ts';
import { type Changes, changing } from './define-defect.ts';

export type TokenResponseOf = 'exchange' | 'refresh';

/** Changes token responses: all, or `only` those of one kind. */
export function changingResponses(
  change: (answer: ServiceAnswer, issued: IssuedTokens) => ServiceAnswer,
  only?: TokenResponseOf,
): Changes {
  return changing('answer.tokens', (base) => (issued) => {
    const answer = base(issued);
    return only === undefined || (only === 'refresh') === issued.refreshed ? change(answer, issued) : answer;
  });
}

/** Changes the fields of token responses; undefined removes a field. */
export function changingFields(
  change: (fields: Fields, issued: IssuedTokens) => Readonly<Record<string, unknown>>,
  only?: TokenResponseOf,
): Changes {
  return changingResponses((answer, issued) => {
    const fields = JSON.parse(answer.body) as Fields;
    return { ...answer, body: JSON.stringify({ ...fields, ...change(fields, issued) }) };
  }, only);
}

export interface Fields {
  readonly access_token: string;
  readonly token_type: string;
  readonly expires_in: number;
  readonly refresh_token: string;
  readonly [more: string]: unknown;
}
