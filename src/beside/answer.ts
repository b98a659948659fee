/** An answer without values that differ between any two services: both sides can be compared, and no secret is in it. */
export interface StoryAnswer {
  /** Part of an `at once` step, from 0. */
  readonly part: number;
  readonly outcome: AnswerOutcome;
  /** Everything else that a client can tell, by name: `status`, `content type`, `header etag`. */
  readonly facets: Readonly<Record<string, string>>;
  /** Own users in a list by place, as often as listed, in the order of the list. */
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

/** Names of the facets that say where a value was first met. */
export const MET = ['access token', 'refresh token', 'code'] as const;

/** Facets of a user's record: a list without own users does not show them. */
export const OF_RECORDS = ['fields of a record', 'order of fields', 'envelope'] as const;

export function isAnswered({ outcome }: StoryAnswer): boolean {
  return outcome !== 'trouble' && outcome !== 'no answer';
}
