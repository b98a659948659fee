import { ReceivedParameters } from '../parameters.ts';

/**
 * Parameters without repetitions: the first value under each name.
 *
 * @param counts names that this is done for; the others keep their repetitions
 */
export function firstOfEach(
  sent: ReceivedParameters,
  counts: (name: string) => boolean = () => true,
): ReceivedParameters {
  const pairs = sent.entries();
  return new ReceivedParameters(
    pairs.filter(([name], index) => !counts(name) || pairs.findIndex(([other]) => other === name) === index),
  );
}

/** Whether a parameter comes twice with the same value. */
export function isRepeated(sent: ReceivedParameters): boolean {
  const pairs = sent.entries().map(([name, value]) => JSON.stringify([name, value]));
  return new Set(pairs).size < pairs.length;
}
