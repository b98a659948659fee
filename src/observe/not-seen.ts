/** A prerequisite is missing; the message completes "not observable:". */
export class NotObservable extends Error {
  override readonly name = 'NotObservable';
}

export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}
