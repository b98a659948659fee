import type { Selector } from '../target.ts';
import { shortPageText } from './page-address.ts';

/** `whole`: only the whole name counts. `part`: a whole name comes first, else a part that only one element has. */
export type NameMatch = 'whole' | 'part';

/** Returns the pattern of a label or of a button's name, without regard to case and blanks. */
export function patternOf(name: string, match: NameMatch): RegExp {
  const words = name
    .trim()
    .replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
    .replace(/\s+/g, '\\s+');
  return new RegExp(match === 'whole' ? `^\\s*${words}\\s*$` : words, 'i');
}

/** Several elements have a part of the configured name, and none the whole. Nothing was clicked or typed. */
export class AmbiguousName extends Error {
  override readonly name = 'AmbiguousName';

  constructor(key: string, selector: Selector, candidates: readonly string[]) {
    const listed = candidates.map((one) => JSON.stringify(shortPageText(one))).join(', ');
    const name = JSON.stringify(Object.values(selector)[0]);
    super(
      `${key}: no element is called ${name}, and several contain it: ${listed}; write one of these names whole, or a CSS selector`,
    );
  }
}
