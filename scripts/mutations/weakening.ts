import type { RequirementId } from '../../generated/ids.ts';

/** A weakened check, as by a careless change. The matrix must notice it. */
export interface Weakening {
  readonly requirement: RequirementId;
  /** The missing behaviour, in a few words. */
  readonly how: string;
  readonly file: string;
  /** Returns the changed text. Throws {@link DoesNotApply} if the file has changed. */
  readonly apply: (source: string) => string;
}

/** The check has changed, and its weakening must follow. */
export class DoesNotApply extends Error {
  constructor(file: string, wanted: string) {
    super(
      `${file} does not hold what is to be weakened: ${wanted}; change the weakening along with the check`,
    );
    this.name = 'DoesNotApply';
  }
}

/**
 * Weakens the text of one check.
 *
 * @param clause the file of the checks, as in `4-2-exchange`
 * @param change pattern and replacement; replaces every occurrence in the check, and there must be one
 */
export function inCheck(
  requirement: RequirementId,
  how: string,
  clause: string,
  change: readonly [what: RegExp | string, by: string],
): Weakening {
  const file = `src/evaluation/checks/${clause}.ts`;
  const apply = (source: string) => {
    const [from, to] = boundsOf(source, requirement, file);
    return source.slice(0, from) + replaced(source.slice(from, to), change, file) + source.slice(to);
  };
  return { requirement, how, file, apply };
}

/** Weakens code that several checks share; the check of one requirement must notice. */
export function inFile(
  requirement: RequirementId,
  how: string,
  file: string,
  ...changes: readonly (readonly [what: RegExp | string, by: string])[]
): Weakening {
  const apply = (source: string) => changes.reduce((text, change) => replaced(text, change, file), source);
  return { requirement, how, file, apply };
}

/** From the check's name to the next check, or the end of the list. */
function boundsOf(source: string, requirement: string, file: string): readonly [number, number] {
  const from = source.indexOf(`('${requirement}'`);
  if (from < 0) throw new DoesNotApply(file, `the check of ${requirement}`);
  const next = /\n {2}(?:check|provokingCheck|timedCheck|[a-z]\w*)\(|\n\];/.exec(source.slice(from));
  return [from, next === null ? source.length : from + next.index];
}

function replaced(text: string, [what, by]: readonly [RegExp | string, string], file: string): string {
  const changed = text.replaceAll(what, by);
  if (changed === text) throw new DoesNotApply(file, String(what));
  return changed;
}
