/** Throws with a text when something does not hold: for long loops, in which the runner's `expect` takes too long. */
export function held(truth: boolean, otherwise: () => string): void {
  if (!truth) throw new Error(otherwise());
}
