export interface SeenAtOpenPoints {
  readonly answers: readonly (readonly [aspect: string, answer: unknown])[];
  readonly unseen: readonly (readonly [
    aspect: string,
    { readonly why: 'not-asked' | 'not-observable' | 'no-answer'; readonly reason: string },
  ])[];
  readonly evidence: readonly (readonly [aspect: string, line: string])[];
}
