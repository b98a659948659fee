import { ReceivedParameters } from '../parameters.ts';

export function firstOfEach(
  sent: ReceivedParameters,
  counts: (name: string) => boolean = () => true,
): ReceivedParameters {
  const pairs = sent.entries();
  return new ReceivedParameters(
    pairs.filter(([name], index) => !counts(name) || pairs.findIndex(([other]) => other === name) === index),
  );
}

export function isRepeated(sent: ReceivedParameters): boolean {
  const pairs = sent.entries().map(([name, value]) => JSON.stringify([name, value]));
  return new Set(pairs).size < pairs.length;
}
