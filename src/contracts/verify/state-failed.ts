/**
 * A provider state could not be brought about, so nothing of its interaction was sent. `refused`: the target did not do what
 * the document says, and the interaction fails for it; `unheard`: the target could not be heard, or cannot do what the
 * state needs, and nothing can be said.
 */
export class StateFailed extends Error {
  readonly kind: 'refused' | 'unheard';

  constructor(kind: 'refused' | 'unheard', message: string) {
    super(message);
    this.name = 'StateFailed';
    this.kind = kind;
  }
}
