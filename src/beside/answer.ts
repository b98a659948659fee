/** An answer without values that differ between services, so that both sides can be compared. Holds no secret. */
export interface StoryAnswer {
  /** Part of an `at once` step, from 0. */
  readonly part: number;
  readonly outcome: AnswerOutcome;
  /** Everything else that a client can tell, by name: `status`, `content type`, `header etag`. */
  readonly facets: Readonly<Record<string, string>>;
  /** Places of own users in a list, in its order, repetitions included. */
  readonly listed?: readonly string[];
  /** Number of other users in the list. Only for services whose users nobody else changes. */
  readonly others?: number;
}

export type AnswerOutcome =
  | 'tokens'
  | 'code'
  | 'done'
  | 'refused'
  | 'redirect'
  | 'page'
  | 'not modified'
  | 'trouble'
  | 'no answer';

/** Facets that name the step where a value was first seen. */
export const MET = ['access token', 'refresh token', 'code'] as const;

/** Facets of a user's record: a list without own users does not show them. */
export const OF_RECORDS = ['fields of a record', 'order of fields', 'envelope'] as const;

export function isAnswered({ outcome }: StoryAnswer): boolean {
  return outcome !== 'trouble' && outcome !== 'no answer';
}
