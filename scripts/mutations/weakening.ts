import type { RequirementId } from '../../generated/ids.ts';

/** A check made weaker, as a careless change might. The matrix must notice. */
export interface Weakening {
  /** The check that gets weaker. */
  readonly requirement: RequirementId;
  /** What it no longer does, in a few words. */
  readonly how: string;
  /** The file that is changed, from the root of the project. */
  readonly file: string;
  /** The changed text of the file. Throws {@link DoesNotApply} when the file no longer holds what is to be changed. */
  readonly apply: (source: string) => string;
}

/** The checks have moved on, and a weakening must follow. */
export class DoesNotApply extends Error {
  constructor(file: string, wanted: string) {
    super(
      `${file} does not hold what is to be weakened: ${wanted}; change the weakening along with the check`,
    );
    this.name = 'DoesNotApply';
  }
}

/**
 * A weakening of the text of one check alone.
 *
 * @param clause the file of the checks, as in `4-2-exchange`
 * @param change what replaces what; every occurrence in the check is replaced, and there must be one
 */
export function inCheck(
  requirement: RequirementId,
  how: string,
  clause: string,
  change: readonly [what: RegExp | string, by: string],
): Weakening {
  const file = `src/conformance/${clause}.ts`;
  const apply = (source: string) => {
    const [from, to] = boundsOf(source, requirement, file);
    return source.slice(0, from) + replaced(source.slice(from, to), change, file) + source.slice(to);
  };
  return { requirement, how, file, apply };
}

/** A weakening of what several checks share; seen by the check of one requirement. */
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
