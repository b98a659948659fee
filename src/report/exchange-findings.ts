import type { RequirementId } from '../../generated/ids.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { ExchangeFinding } from './facts.ts';
import { type CheckEnding, standingOf } from './standing.ts';

export interface Concluded {
  /** Number of exchanges that could have shown it broken. */
  readonly examples: number;
  /** Number of exchanges that broke it without another explanation: then it fails. */
  readonly broken: number;
  /** The first finding that counts. */
  readonly first: ExchangeFinding | undefined;
  readonly exchanges: readonly Exchange[];
  /** Findings that fail no requirement, one sentence each. */
  readonly alsoSeen: readonly string[];
}

/** Limit of exchanges for a finding in a report. */
const SHOWN = 3;

/** Concludes the findings of all exchanges by requirement, when all checks have ended. */
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

/** Words a finding for a report, without values that change between runs. */
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
