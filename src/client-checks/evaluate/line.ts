import type { JournalEntry } from '../../emulator/control/control-types.ts';
import type { Episode } from './episode.ts';

/** A text, with the requests that it names. */
export interface Cited {
  readonly text: string;
  readonly requests: readonly JournalEntry[];
}

interface Named extends JournalEntry {
  readonly name: string;
}

/** The words of a breach; a plain text names no request. */
export type CitedText = string | Cited;

/** One line of a finding. */
export interface Line extends Cited {
  /** Undefined for several situations, and for the integrator's own tests. */
  readonly situation: Episode['situation'] | undefined;
}

/** Template tag: a request stands for its name and is cited, a cited text brings its requests along, and what is missing reads `nothing`. */
export function cited(
  texts: TemplateStringsArray,
  ...values: readonly (Named | Cited | string | number | undefined)[]
): Cited {
  const parts = values.map((value): Cited => {
    if (typeof value !== 'object') return { text: String(value ?? 'nothing'), requests: [] };
    return 'text' in value ? value : { text: value.name, requests: [value] };
  });
  return {
    text: texts.map((text, index) => text + (parts[index]?.text ?? '')).join(''),
    requests: parts.flatMap(({ requests }) => requests),
  };
}

export function lineOf(situation: Episode['situation'] | undefined, cited: CitedText): Line {
  const { text, requests } = typeof cited === 'string' ? { text: cited, requests: [] } : cited;
  return { situation: situation === 'own-tests' ? undefined : situation, text, requests };
}

/** Returns a line as a report shows it: the situation before the text. */
export function lineText({ situation, text }: Line): string {
  return situation === undefined ? text : `${situation}: ${text}`;
}
