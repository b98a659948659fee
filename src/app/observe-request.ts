import { type OpenPointId, openPointIds } from '../../generated/ids.ts';
import type { Risk } from '../catalogue/types.ts';
import { didYouMean, UsageError } from '../input/usage-error.ts';
import type { ObserveRequest } from '../observe/observe.ts';

const RISKS: readonly Risk[] = ['none', 'refusals', 'revokes', 'slow'];

export function risksFrom(option: string, words: readonly string[], emulator: boolean): ReadonlySet<Risk> {
  const unknown = words.find((word) => !(RISKS as readonly string[]).includes(word));
  if (unknown !== undefined) {
    throw new UsageError(
      `${option}: expected ${RISKS.slice(1).join(', ')}; got ${JSON.stringify(unknown)}.${didYouMean(unknown, RISKS)}`,
    );
  }
  return new Set(emulator && words.length === 0 ? RISKS : ['none', ...(words as Risk[])]);
}

export function pointsFrom(option: string, words: readonly string[]): Pick<ObserveRequest, 'only'> {
  if (words.length === 0) return {};
  const unknown = words.find((word) => !(openPointIds as readonly string[]).includes(word));
  if (unknown !== undefined) {
    throw new UsageError(
      `${option}: expected one of ${openPointIds.join(', ')}; got ${JSON.stringify(unknown)}.${didYouMean(unknown, openPointIds)}`,
    );
  }
  return { only: new Set(words as OpenPointId[]) };
}
