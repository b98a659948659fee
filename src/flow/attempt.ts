export interface Failed {
  readonly ok: false;
  /** `wrong`: answered with wrong content; `no-answer`: no answer, or a request to retry later. */
  readonly status: 'wrong' | 'refused' | 'no-answer';
  readonly message: string;
}

export type Attempt<T> = { readonly ok: true; readonly value: T } | Failed;
