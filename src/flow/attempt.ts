/** Why the target did not give what it was asked for. */
export interface Failed {
  readonly ok: false;
  /** `wrong`: answered with wrong content; `refused`; `no-answer`: none came, or one that asks to come back later. */
  readonly status: 'wrong' | 'refused' | 'no-answer';
  readonly message: string;
}

/** What asking the target for something gave: it, or why there is none. */
export type Attempt<T> = { readonly ok: true; readonly value: T } | Failed;
