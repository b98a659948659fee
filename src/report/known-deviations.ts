import type { Run } from './assemble.ts';
import type { RequirementResult, RunFinding } from './results.ts';

export interface KnownDeviation {
  readonly requirement: string;
  readonly signature: string;
  readonly why: string;
  readonly ticket: string;
  /** Last accepted day, `2026-12-31`, UTC. */
  readonly until: string;
}

export interface ListedDeviation extends KnownDeviation {
  readonly at: string;
}

/**
 * Applies known deviations to a run: a failure (or warning) with the recorded signature becomes `known-deviation`. An entry
 * becomes a finding if it names no requirement, has expired, or was evaluated and not seen. Entries for unevaluated requirements
 * stay unchanged.
 *
 * @param known ids of the catalogue's requirements
 */
export function withKnownDeviations(
  run: Run,
  listed: readonly ListedDeviation[],
  known: ReadonlySet<string>,
): Run {
  if (listed.length === 0) return run;
  const today = run.startedAt.slice(0, 10);
  const byRequirement = Map.groupBy(listed, ({ requirement }) => requirement);
  return {
    ...run,
    requirements: run.requirements.map((result) =>
      accepted(result, byRequirement.get(result.id) ?? [], today),
    ),
    findings: [
      ...run.findings,
      ...listed.flatMap((entry) => finding(entry, run, byRequirement, known, today)),
    ],
  };
}

export function unlisted(run: Run): readonly (RequirementResult & { readonly signature: string })[] {
  const counts = run.strict ? ['fail', 'warning'] : ['fail'];
  return run.requirements.filter(
    (result): result is RequirementResult & { readonly signature: string } =>
      counts.includes(result.result) && result.notAdopted === undefined && result.signature !== undefined,
  );
}

function accepted(
  result: RequirementResult,
  entries: readonly ListedDeviation[],
  today: string,
): RequirementResult {
  const entry = entries.find((candidate) => matches(candidate, result) && !expired(candidate, today));
  if (entry === undefined) return result;
  const { why, ticket, until } = entry;
  return {
    ...result,
    result: 'known-deviation',
    reason: `${result.reason}\naccepted until ${until} (${ticket}): ${why}`,
  };
}

function matches({ signature }: KnownDeviation, result: RequirementResult): boolean {
  return (result.result === 'fail' || result.result === 'warning') && result.signature === signature;
}

function expired({ until }: KnownDeviation, today: string): boolean {
  return until < today;
}

function finding(
  entry: ListedDeviation,
  run: Run,
  byRequirement: ReadonlyMap<string, readonly ListedDeviation[]>,
  known: ReadonlySet<string>,
  today: string,
): readonly RunFinding[] {
  const { requirement, at, until, ticket } = entry;
  const tell = (kind: RunFinding['kind'], message: string) => [
    { kind, requirement, message: `${at}: ${message}` },
  ];
  if (!known.has(requirement))
    return tell(
      'unknown-deviation',
      `expected the id of a requirement, got ${JSON.stringify(requirement)}; \`coverage\` lists them all`,
    );
  const result = run.requirements.find(({ id }) => id === requirement);
  const alternatives = byRequirement.get(requirement) ?? [];
  const seen = result !== undefined && alternatives.some((other) => matches(other, result));
  if (result !== undefined && isJudged(result) && !seen) return tell('stale-deviation', stale(entry, result));
  if (expired(entry, today))
    return tell(
      'expired-deviation',
      `${requirement} was accepted until ${until} (${ticket}), and that is past: agree on a new date, or have it fixed`,
    );
  return [];
}

function isJudged({ result }: RequirementResult): boolean {
  return result === 'pass' || result === 'fail' || result === 'warning';
}

function stale({ requirement, signature, ticket }: ListedDeviation, result: RequirementResult): string {
  if (result.result === 'pass') return `${requirement} is listed (${ticket}) and passed: take the entry out`;
  return `${requirement} is listed (${ticket}) with another failure than was seen: listed is \`${signature}\`, seen was \`${result.signature ?? 'nothing'}\`; look at it anew`;
}
