import type { KnownDeviationsDeviation } from '../../generated/schemas.d.ts';
import type { Fixed } from '../document/types.ts';
import type { RequirementResult, Retirement, RunFinding } from './results.ts';
import type { Rule } from './results-of.ts';
import { isEvaluated, type Run } from './verdict.ts';

/** Agreements about a target, besides the observations. */
interface ResultPolicy {
  /** Adds the answers of a recorded profile as requirements (`--like`). */
  readonly withRecordedAnswers?: (run: Run) => Run;
  readonly retirement: ExpectedRetirement | undefined;
  readonly deviations: { readonly listed: readonly ListedDeviation[]; readonly ids: readonly string[] };
}

/** From top to bottom, after {@link FACT_RULES}. */
export const POLICY_RULES: readonly Rule<Run, ResultPolicy>[] = [
  {
    says: 'An answer that differs from the recorded one fails at the level `frozen`.',
    apply: (run, { withRecordedAnswers }) => withRecordedAnswers?.(run) ?? run,
  },
  {
    says: 'A service that both addresses prove to be retired, from the expected day on, is as expected.',
    apply: (run, { retirement }) => withExpectedRetirement(run, retirement),
  },
  {
    says: 'A failure with the signature of a known deviation that is current is accepted; a deviation that was not seen is a finding.',
    apply: (run, { deviations: { listed, ids } }) => {
      // A retired service no longer deviates.
      const counting = run.retirement?.expected === undefined ? listed : [];
      return withKnownDeviations(run, counting, new Set([...ids, ...run.requirements.map(({ id }) => id)]));
    },
  },
];

/** The run's history and second run. Both are absent without `--history`. */
interface Past {
  readonly again?: Run | string | undefined;
  readonly historyOf?: ((run: Run) => Run['history']) | undefined;
}

/** From top to bottom, after {@link POLICY_RULES}. */
export const PAST_RULES: readonly Rule<Run, Past>[] = [
  {
    says: 'A failure says whether a second run of its check has shown it again.',
    apply: (run, { again }) => (again === undefined ? run : withSecondRun(run, again)),
  },
  {
    says: 'Runs in a row without a conclusion violate beyond the limit, and a conclusive run says what has changed.',
    apply: (run, { historyOf }) => (historyOf === undefined ? run : { ...run, history: historyOf(run) }),
  },
];

export function underPolicy(run: Run, policy: ResultPolicy): Run {
  return POLICY_RULES.reduce((made, { apply }) => apply(made, policy), run);
}

export function withHistory(run: Run, past: Past): Run {
  return PAST_RULES.reduce((made, { apply }) => apply(made, past), run);
}

export interface ExpectedRetirement {
  /** First day of the expected retirement, `2027-02-01`, UTC. */
  readonly from: string;
  readonly takesOver: readonly string[];
}

/**
 * Compares a retired service with the configuration. It is as expected if the date has come, both addresses prove it,
 * and no requirement was evaluated before. Otherwise the run is unchanged and the report says why.
 */
export function withExpectedRetirement(run: Run, expected: ExpectedRetirement | undefined): Run {
  const { retirement } = run;
  if (expected === undefined || retirement?.retired !== true) return run;
  const why = whyNot(run, retirement, expected);
  if (why !== undefined) return { ...run, retirement: { ...retirement, unexpected: why } };
  return {
    ...run,
    troubles: run.troubles.filter(({ kind }) => kind !== 'inconclusive'),
    retirement: { ...retirement, expected },
  };
}

function whyNot(run: Run, { signs }: Retirement, { from }: ExpectedRetirement): string | undefined {
  const today = run.startedAt.slice(0, 10);
  if (today < from) return `it is expected from ${from} on, and today is ${today}`;
  if (run.requirements.some(isEvaluated))
    return 'requirements were evaluated before: the service ended, or failed, in the middle of the run';
  if (signs?.proven !== true) return `not both addresses prove it (${signs?.said.join('; ') ?? 'not asked'})`;
  return undefined;
}

export type KnownDeviation = Fixed<KnownDeviationsDeviation>;

export interface ListedDeviation extends KnownDeviation {
  readonly at: string;
}

/**
 * Applies known deviations to a run: a failure (or warning) with the recorded signature becomes `known-deviation`. An entry
 * becomes a finding if it names no requirement, has expired, or was evaluated and not seen. Entries for unevaluated requirements
 * stay unchanged.
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

export function signedFailures(run: Run): readonly (RequirementResult & { readonly signature: string })[] {
  const counts = run.strict ? ['fail', 'warning'] : ['fail'];
  return run.requirements.filter(
    (result): result is RequirementResult & { readonly signature: string } =>
      counts.includes(result.result) && result.signature !== undefined,
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
      `expected the id of a requirement, got ${JSON.stringify(requirement)}; \`explain\` lists them all`,
    );
  const result = run.requirements.find(({ id }) => id === requirement);
  const alternatives = byRequirement.get(requirement) ?? [];
  const seen = result !== undefined && alternatives.some((other) => matches(other, result));
  if (result !== undefined && isEvaluated(result) && !seen)
    return tell('stale-deviation', stale(entry, result));
  if (expired(entry, today))
    return tell(
      'expired-deviation',
      `${requirement} was accepted until ${until} (${ticket}), and that is past: agree on a new date, or have it fixed`,
    );
  return [];
}

function stale({ requirement, signature, ticket }: ListedDeviation, result: RequirementResult): string {
  if (result.result === 'pass') return `${requirement} is listed (${ticket}) and passed: remove the entry`;
  return `${requirement} is listed (${ticket}) with another failure than was seen: listed is \`${signature}\`, seen was \`${result.signature ?? 'nothing'}\`; review it`;
}

/** Only results that a check can show again: a difference from a recorded answer has no check. */
export function isRepeatable({ result, level }: RequirementResult): boolean {
  return result === 'fail' && level !== 'frozen';
}

/** Notes for each failure if it showed again; `again` may be the reason why there was no second run. */
function withSecondRun(run: Run, again: Run | string): Run {
  const requirements = run.requirements.map((result) =>
    isRepeatable(result) ? { ...result, reproduced: outcomeOf(result, run, again) } : result,
  );
  const broken = typeof again === 'string' ? [] : again.troubles.filter(({ kind }) => kind === 'broken');
  return { ...run, requirements, troubles: [...run.troubles, ...broken] };
}

function outcomeOf(
  { id }: RequirementResult,
  { exploration }: Run,
  again: Run | string,
): NonNullable<RequirementResult['reproduced']> {
  if (typeof again === 'string') return { seen: 1, of: 1, why: `it could not be run again (${again})` };
  const second = again.requirements.find((one) => one.id === id);
  switch (second?.result) {
    case 'fail':
    case 'known-deviation':
      return { seen: 2, of: 2 };
    case 'pass': {
      const found = exploration?.findings.some(({ requirement, counts }) => requirement === id && counts);
      if (found)
        return { seen: 1, of: 1, why: 'it was found by exploring; `explore --replay` does that again' };
      return { seen: 1, of: 2 };
    }
    default:
      return { seen: 1, of: 1, why: `it could not be evaluated again: ${second?.reason ?? 'not run'}` };
  }
}
