import { Parameters } from '../parameters.ts';

/**
 * Parameters without repetitions: the first value under each name.
 *
 * @param counts names that this is done for; the others keep their repetitions
 */
export function firstOfEach(sent: Parameters, counts: (name: string) => boolean = () => true): Parameters {
  const pairs = sent.entries();
  return new Parameters(
    pairs.filter(([name], index) => !counts(name) || pairs.findIndex(([other]) => other === name) === index),
  );
}
