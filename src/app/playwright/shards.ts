import type { Catalogue } from '../../catalogue/types.ts';
import type { RequirementResult, RunTrouble, TargetSummary } from '../../report/results.ts';
import type { Run } from '../../report/verdict.ts';
import { BY_ATTENTION } from '../../report/words.ts';

export const REQUIREMENT = 'requirement';

export const ATTACHMENT = 'legacy-conformance-result';

const MARK = 'legacy-conformance-late: ';

export interface Attached {
  readonly result: RequirementResult;
  readonly catalogueDigest: string;
  readonly target: TargetSummary | undefined;
}

export interface Late {
  readonly results: readonly RequirementResult[];
  readonly troubles: readonly RunTrouble[];
}

export function lateError(late: Late): Error {
  const said = [
    ...late.results.map(({ id, result, reason }) => `${id} ${result}: ${reason}`),
    ...late.troubles.map(({ message }) => message),
  ];
  return new Error(`after the last check: ${said.join('; ')}\n${MARK}${JSON.stringify(late)}`);
}

export function afterLast(message: string): Late | undefined {
  const line = message.split('\n').find((one) => one.includes(MARK));
  return line === undefined ? undefined : (JSON.parse(line.slice(line.indexOf(MARK) + MARK.length)) as Late);
}

export interface Sent {
  readonly attached: readonly Attached[];
  readonly late: readonly Late[];
  readonly crashes: readonly string[];
  readonly silent?: readonly string[];
}

/**
 * Merges the shards' results into one run. For a duplicate requirement the more serious result counts; a missing one is
 * `not-run`.
 */
export function assembleShards(
  { attached, late, crashes, silent = [] }: Sent,
  catalogue: Pick<Catalogue, 'requirements' | 'digest'>,
  { suiteVersion, startedAt }: { readonly suiteVersion: string; readonly startedAt: Date },
): Run {
  const all = [...attached.map(({ result }) => result), ...late.flatMap(({ results }) => results)];
  const byId = Map.groupBy(all, ({ id }) => id);
  const rank = ({ result }: RequirementResult) => BY_ATTENTION.indexOf(result);
  const requirements = catalogue.requirements.map(({ id, clause, level, since }): RequirementResult => {
    const [worst] = (byId.get(id) ?? []).toSorted((one, other) => rank(one) - rank(other));
    const none = 'no shard has sent a result: one is missing, was cut off, or left it out';
    const missing = {
      id,
      clause,
      level,
      result: 'not-run',
      reason: none,
      durationMs: 0,
      evidence: [],
    } as const;
    return { ...(worst ?? missing), since };
  });
  const targets = attached.flatMap(({ target }) => (target === undefined ? [] : [target]));
  const [target = NO_TARGET] = targets;
  return {
    suiteVersion,
    catalogueDigest: catalogue.digest,
    selection: 'complete',
    strict: false,
    startedAt: startedAt.toISOString(),
    durationMs: Math.max(0, Date.now() - startedAt.getTime()),
    target: { ...target, grants: sumOfGrants(targets) },
    requirements,
    observations: [],
    troubles: [
      ...late.flatMap(({ troubles }) => troubles),
      ...crashes.map((message) => ({ kind: 'broken' as const, message })),
      ...silent.map((message) => ({ kind: 'inconclusive' as const, message })),
      ...strangers(attached, catalogue.digest),
    ],
    findings: [],
    leftBehind: [],
  };
}

function strangers(attached: readonly Attached[], digest: string): readonly RunTrouble[] {
  const names = new Set(attached.flatMap(({ target }) => (target === undefined ? [] : [target.name])));
  const other = attached.some(({ catalogueDigest }) => catalogueDigest !== digest);
  return [
    ...(names.size > 1 ? [`the shards are of several targets: ${[...names].join(', ')}`] : []),
    ...(other ? ['shards ran another version of the checks than this report knows'] : []),
  ].map((message) => ({ kind: 'inconclusive', message }));
}

/** Sums the workers' counters. Each test carries a running count, so the largest per worker counts. */
function sumOfGrants(targets: readonly TargetSummary[]): TargetSummary['grants'] {
  const most = (of: (grants: TargetSummary['grants']) => number) =>
    Math.max(0, ...targets.map(({ grants }) => of(grants)));
  return { page: most(({ page }) => page), cookies: most(({ cookies }) => cookies) };
}

const NO_TARGET: TargetSummary = {
  kind: 'emulator',
  name: 'unknown',
  authUrl: 'not known',
  baseUrl: 'not known',
  defects: [],
  abilities: [],
  grants: { page: 0, cookies: 0 },
};
