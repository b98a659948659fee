import type { RequirementId } from '../../generated/ids.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { ExchangeFinding } from './facts.ts';
import { type CheckEnding, standingOf } from './standing.ts';

/** What the exchanges of a run say of one requirement, beside its own check. */
export interface Concluded {
  /** How many exchanges could have shown it broken. */
  readonly examples: number;
  /** In how many of them it was broken, and nothing else explains it: then it fails. */
  readonly broken: number;
  /** The first thing that was found, where it counts. */
  readonly first: ExchangeFinding | undefined;
  /** The first three exchanges in which it was broken. */
  readonly exchanges: readonly Exchange[];
  /** What was found and fails nothing, one sentence each. */
  readonly alsoSeen: readonly string[];
}

/** How many exchanges stand behind a finding in a report. */
const SHOWN = 3;

/** What was found in the exchanges of a run, by requirement, once all checks have ended. */
export function concludeExchanges(
  {
    examples,
    findings,
  }: { readonly examples: ReadonlyMap<RequirementId, number>; readonly findings: readonly ExchangeFinding[] },
  checks: readonly CheckEnding[],
  levelOf: (id: RequirementId) => string,
): ReadonlyMap<RequirementId, Concluded> {
  const ids = new Set([...examples.keys(), ...findings.map(({ id }) => id)]);
  return new Map(
    [...ids].map((id) => {
      const own = findings.filter((finding) => finding.id === id);
      const counting = own.filter((finding) => standingOf(finding, checks, levelOf) === 'counts');
      const aside = own.filter((finding) => !counting.includes(finding));
      return [
        id,
        {
          examples: Math.max(examples.get(id) ?? 0, own.length),
          broken: counting.length,
          first: counting[0],
          exchanges: counting.flatMap(({ exchanges }) => exchanges).slice(0, SHOWN),
          alsoSeen: wordings(aside),
        },
      ] as const;
    }),
  );
}

/** What a finding comes to in a report, without what changes from run to run. */
export function reasonOf({ first, broken, examples }: Concluded, clause: string): string {
  const share = `in ${broken} of ${examples} examples of this run; not in its own check`;
  return `clause ${clause}: expected ${first?.expected}; got ${first?.got} ${share}`;
}

function wordings(findings: readonly ExchangeFinding[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const { expected, got, during } of findings) {
    const text = `expected ${expected}; got ${got}${during === undefined ? '' : `, during ${during}`}`;
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return [...counts].map(([text, count]) => (count === 1 ? text : `${text} (${count} times)`));
}
