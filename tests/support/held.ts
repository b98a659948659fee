/**
 * Throws with a text when something does not hold. For properties and long loops: the runner's `expect` takes half a millisecond each time, which ten
 * thousand of them feel.
 */
export function held(truth: boolean, otherwise: () => string): void {
  if (!truth) throw new Error(otherwise());
}
