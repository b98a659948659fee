import type { RequirementId } from '../../generated/ids.ts';
import type { Exchange } from '../http/exchange.ts';
import { countText, firstOf } from './count-text.ts';
import {
  type CheckEnding,
  concludeExchanges,
  differenceText,
  failsRequirement,
  findingReason,
} from './exchange-findings.ts';
import {
  type ExchangeFinding,
  type Fact,
  type FailureWords,
  MAY_BE_TROUBLE,
  OTHERS_LOST,
  type RequestDifference,
} from './facts.ts';
import type { Evidence, Level, RequirementResult, RunTrouble } from './results.ts';
import { isBroken, type Run, rootOfBlock } from './verdict.ts';

export interface Draft extends Pick<Run, 'requirements' | 'troubles' | 'leftBehind' | 'findings'> {
  readonly notices: readonly string[];
  /** Results of requirements that were not selected. They decide nothing. */
  readonly others: readonly RequirementResult[];
  /** Requirements that fail by exchanges outside their own check. */
  readonly inExchanges: ReadonlySet<string>;
  /** Requirements whose failure an explored sequence shows. */
  readonly explored: ReadonlySet<string>;
}

export interface FactContext {
  readonly levelOf: (id: RequirementId) => Level;
  readonly evidenceOf: (exchanges: readonly Exchange[]) => readonly Evidence[];
  readonly redact: (text: string) => string;
  readonly isLive: boolean;
}

export interface Rule<R, P> {
  readonly says: string;
  readonly apply: (run: R, policy: P) => R;
}

export type FactRule = Rule<Draft, { readonly facts: readonly Fact[]; readonly context: FactContext }>;

/** Applied from top to bottom, each to the result of the one above. Nothing else changes a result after its check has ended. */
export const FACT_RULES: readonly FactRule[] = [
  {
    says: 'A requirement has the result that the last attempt of its check ended with, and names earlier ones that met a service in trouble; what an outage or a wrong setting may explain, and what has no check, did not run.',
    apply: (draft, { facts }) => eachResult(draft, (result) => provisionalResult(result, facts)),
  },
  {
    says: 'A requirement that was seen broken outside its own check fails, unless a failure explains that already.',
    apply: (draft, { facts }) => {
      const byId = new Map(draft.requirements.map((result) => [result.id, result]));
      return eachResult(draft, (result) => seenElsewhere(result, of(facts, 'seen-broken', result), byId));
    },
  },
  {
    says: 'A requirement that an exchange shows broken fails, unless a failure of its family or a doubt about the check explains it; a request that was not honoured proves nothing beside a trouble of the run on a live target.',
    apply: (draft, { facts, context }) => inExchanges(draft, facts, context),
  },
  {
    says: 'A requirement that an explored sequence shows broken fails with that sequence, unless a failure of its family explains it.',
    apply: (draft, { facts, context }) => explored(draft, facts, context),
  },
  {
    says: 'A failure names what right requests that failed have, and those that succeeded do not.',
    apply: (draft, { facts, context }) => withDifferences(draft, facts, context),
  },
  {
    says: 'A check that is blocked by a requirement that passed, or by itself, did not run; the step is its reason.',
    apply: unblocked,
  },
  {
    says: 'A failure about lists says that only the pipeline keeps other runs away, if the configuration has no lock.',
    apply: (draft, { facts }) =>
      facts.some(({ kind }) => kind === 'unlocked') ? eachResult(draft, withoutLock) : draft,
  },
  {
    says: 'A service that refused a request of several checks, and honoured it in another attempt, is not there all the time: the run is inconclusive.',
    apply: (draft, { facts }) => withInterruptions(draft, facts),
  },
  {
    says: 'A service that does not answer any more is the one reason of all that it kept from running.',
    apply: (draft, { facts }) =>
      facts
        .filter((fact) => fact.kind === 'service-gone')
        .reduce((run, gone) => serviceGone(run, gone, facts), draft),
  },
  {
    says: 'Users who stay assigned fail the requirement to unassign, unless a failure explains them; where no list can be read, the run is inconclusive.',
    apply: (draft, { facts }) =>
      facts.filter((fact) => fact.kind === 'left-assigned').reduce(withLeftAssigned, draft),
  },
];

export function resultsOf(
  requirements: readonly RequirementResult[],
  others: readonly RequirementResult[],
  facts: readonly Fact[],
  context: FactContext,
  rules: readonly FactRule[] = FACT_RULES,
): Draft {
  const draft: Draft = {
    requirements,
    others,
    troubles: troublesIn(facts),
    leftBehind: [],
    findings: [],
    notices: [],
    inExchanges: new Set(),
    explored: new Set(),
  };
  return rules.reduce((made, { apply }) => apply(made, { facts, context }), draft);
}

/** Returns the result of a check by its own facts only; the rest of the run may change it. */
export function provisionalResult(result: RequirementResult, facts: readonly Fact[]): RequirementResult {
  const ended = of(facts, 'check-ended', result).at(-1)?.result ?? result;
  const last = { ...ended, ...earlierAttemptsOf(of(facts, 'busy', result)) };
  const [doubt] = of(facts, 'doubted', result);
  if (doubt === undefined) return last;
  const { signature: _, blockedBy: __, ...rest } = last;
  return {
    ...rest,
    result: 'not-run',
    reason: last.reason === '' ? doubt.why : `${doubt.why}: ${last.reason}`,
  };
}

function earlierAttemptsOf(busy: readonly FactOf<'busy'>[]): Pick<RequirementResult, 'earlierAttempts'> {
  if (busy.length === 0) return {};
  return { earlierAttempts: busy.map(({ answers }) => `the service was in trouble: ${answers}`) };
}

/** Each trouble once, a setting that the service contradicts among them. */
export function troublesIn(facts: readonly Fact[]): readonly RunTrouble[] {
  const troubles = facts.flatMap((fact) => (fact.kind === 'trouble' ? [fact.trouble] : []));
  return [...new Map(troubles.map((trouble) => [`${trouble.kind} ${trouble.message}`, trouble])).values()];
}

type FactOf<K extends Fact['kind']> = Extract<Fact, { kind: K }>;
type Named = Exclude<
  Fact['kind'],
  'in-exchanges' | 'left-assigned' | 'unlocked' | 'trouble' | 'service-gone'
>;

function of<K extends Named>(
  facts: readonly Fact[],
  kind: K,
  { id }: RequirementResult,
): readonly FactOf<K>[] {
  return facts.filter(
    (fact): fact is FactOf<K> => fact.kind === kind && (fact as FactOf<Named>).requirement === id,
  );
}

function eachResult(
  draft: Draft,
  change: (result: RequirementResult) => RequirementResult | undefined,
): Draft {
  const changed = (result: RequirementResult) => change(result) ?? result;
  return { ...draft, requirements: draft.requirements.map(changed), others: draft.others.map(changed) };
}

/** Otherwise a service that breaks the second example of everything would have no failure: each check is blocked by another. */
function seenElsewhere(
  own: RequirementResult,
  seen: readonly FactOf<'seen-broken'>[],
  byId: ReadonlyMap<string, RequirementResult>,
): RequirementResult | undefined {
  const counting = seen.find(({ behind }) => {
    if (behind === undefined) return own.result === 'pass' || own.result === 'blocked';
    const root = rootOfBlock(behind, byId);
    return root === undefined || !isBroken(root);
  });
  if (counting === undefined) return undefined;
  const { failure, where, evidence } = counting;
  const itself = own.result === 'pass' ? 'its own check passed' : 'its own check could not be made';
  const { id, clause, level, durationMs } = own;
  const reason = `${failure.reason} (seen by ${where}; ${itself})`;
  return { id, clause, level, durationMs, evidence, ...failure, reason };
}

function unblocked(draft: Draft): Draft {
  const byId = new Map(draft.requirements.map((result) => [result.id, result]));
  return eachResult(draft, (own) => {
    if (own.result !== 'blocked') return undefined;
    const { blockedBy = own.id, ...rest } = own;
    const isOwn = blockedBy === own.id || byId.get(blockedBy)?.blockedBy === own.id;
    return isOwn || byId.get(blockedBy)?.result === 'pass' ? { ...rest, result: 'not-run' } : undefined;
  });
}

function inExchanges(draft: Draft, facts: readonly Fact[], context: FactContext): Draft {
  const workers = facts.filter((fact) => fact.kind === 'in-exchanges');
  const doubtful = context.isLive && draft.troubles.length > 0;
  const examples = new Map<RequirementId, number>();
  for (const worker of workers)
    for (const [id, count] of worker.examples) examples.set(id, (examples.get(id) ?? 0) + count);
  const findings = workers.flatMap((worker) =>
    worker.findings.map((finding) => ({
      ...finding,
      uncertain:
        finding.uncertain ||
        (doubtful && mayBeTrouble(finding)) ||
        facts.some((fact) => fact.kind === 'doubted' && fact.requirement === finding.during),
    })),
  );
  const endings = draft.requirements.map(endingOf);
  const concluded = concludeExchanges({ examples, findings }, endings, context.levelOf);
  const notices = findings.flatMap(({ kind, uncertain, expected, got }) =>
    kind === OTHERS_LOST && uncertain
      ? [`expected ${expected}; got ${got}: the service lost another person's user, or that person did it`]
      : [],
  );
  const inExchanges = new Set<string>();
  const made = eachResult({ ...draft, notices }, (result) => {
    const seen = concluded.get(result.id as RequirementId);
    if (seen === undefined) return undefined;
    const counted = {
      ...result,
      examples: { seen: seen.examples, broken: seen.broken },
      ...(seen.alsoSeen.length === 0 ? {} : { alsoSeen: seen.alsoSeen }),
    };
    const { first, exchanges } = seen;
    if (first === undefined || result.result === 'fail' || result.result === 'warning') return counted;
    const { redact, evidenceOf } = context;
    inExchanges.add(result.id);
    return broken(counted, {
      result: failingResult(result),
      reason: redact(findingReason(seen)),
      signature: redact(`expected ${first.expected}; got ${first.got}`),
      evidence: evidenceOf(exchanges),
    });
  });
  return { ...made, inExchanges };
}

function mayBeTrouble({ id, kind }: ExchangeFinding): boolean {
  return MAY_BE_TROUBLE.some((one) => one === kind) || id.startsWith('lifetime.');
}

function explored(draft: Draft, facts: readonly Fact[], { levelOf, evidenceOf }: FactContext): Draft {
  const endings = draft.requirements.map(endingOf);
  const found = facts.filter((fact) => fact.kind === 'explored');
  const shows = (result: RequirementResult, { requirement, failure }: FactOf<'explored'>) => {
    if (draft.inExchanges.has(result.id)) return failure.signature === result.signature;
    const finding = { id: requirement as RequirementId, during: undefined, uncertain: false };
    return failsRequirement(finding, endings, levelOf);
  };
  const showing = new Set<string>();
  const made = eachResult(draft, (result) => {
    const own = of(found, 'explored', result);
    const shown = own.find((fact) => shows(result, fact));
    const alsoSeen = own.filter((fact) => fact !== shown).map(({ sentence }) => `exploring: ${sentence}`);
    const all = [...(result.alsoSeen ?? []), ...alsoSeen];
    const withAlso = all.length === 0 ? result : { ...result, alsoSeen: all };
    if (shown === undefined) return withAlso;
    showing.add(result.id);
    return broken(withAlso, { ...shown.failure, evidence: evidenceOf(shown.exchanges) });
  });
  return { ...made, explored: showing };
}

function withDifferences(draft: Draft, facts: readonly Fact[], { redact }: FactContext): Draft {
  const found = facts.flatMap((fact) => (fact.kind === 'in-exchanges' ? [...(fact.differences ?? [])] : []));
  const differences = new Map<string, RequestDifference>(found.toReversed());
  return eachResult(draft, (result) => {
    const difference = differences.get(result.id);
    if (difference === undefined || !isBroken(result)) return undefined;
    return { ...result, reason: `${result.reason}\n${redact(differenceText(difference))}` };
  });
}

function withoutLock(result: RequirementResult): RequirementResult | undefined {
  if (result.result !== 'fail' || !/^(?:assign|unassign|list)\./.test(result.id)) return undefined;
  const note =
    '`lock` is false: another run at the same time may explain this, unless the pipeline keeps runs apart';
  return { ...result, reason: `${result.reason}\n${note}` };
}

function serviceGone(draft: Draft, { message }: FactOf<'service-gone'>, facts: readonly Fact[]): Draft {
  const isMissed = ({ result, cause }: RequirementResult) => result === 'not-run' && cause === 'unreachable';
  const troubles = draft.troubles.filter(
    ({ cause }) => cause !== 'unreachable' && cause !== 'exploring-ended',
  );
  if (!draft.requirements.some(isMissed) && troubles.length === draft.troubles.length) return draft;
  return {
    ...eachResult(draft, (result) => {
      const { earlierAttempts: _, ...own } = result;
      const others = earlierAttemptsOf(of(facts, 'busy', result).filter((busy) => !busy.unreachable));
      return { ...own, ...others, ...(isMissed(result) && { reason: message }) };
    }),
    troubles: [{ kind: 'inconclusive', cause: 'unreachable', message }, ...troubles],
  };
}

/** Checks that passed in another attempt, from which on one moment explains them no more: each began after the one before was over. */
const INTERRUPTIONS = 3;

function withInterruptions(draft: Draft, facts: readonly Fact[]): Draft {
  const interrupted = draft.requirements.filter(
    (result) => result.result === 'pass' && of(facts, 'busy', result).some(({ refusing }) => refusing),
  );
  if (interrupted.length < INTERRUPTIONS) return draft;
  const checks = countText(interrupted.length, 'check');
  const message = `the service is not there all the time: ${checks} met 410 or a server error, and passed in another attempt (${firstOf(interrupted.map(({ id }) => id))}); see \`rerun:\` in the report`;
  return { ...draft, troubles: [...draft.troubles, { kind: 'inconclusive', message }] };
}

const UNASSIGN: RequirementId = 'unassign.removes-user';

function withLeftAssigned(draft: Draft, fact: FactOf<'left-assigned'>): Draft {
  const { message, explainedBy, listed, evidence } = fact;
  if (!listed) return { ...draft, troubles: [...draft.troubles, { kind: 'inconclusive', message }] };
  const named = { ...draft, leftBehind: [message, ...draft.leftBehind] };
  if (draft.requirements.some(({ id, result }) => result === 'fail' && explainedBy.includes(id)))
    return named;
  if (!draft.requirements.some(({ id }) => id === UNASSIGN))
    return {
      ...named,
      findings: [...draft.findings, { kind: 'left-assigned', requirement: UNASSIGN, message }],
    };
  return eachResult(named, (result) => {
    if (result.id !== UNASSIGN) return undefined;
    const signature = 'expected unassign to remove the user; got a list with the user';
    const reason = `${signature} at the end of the run (${message})`;
    return broken(result, { result: 'fail', reason, signature, evidence });
  });
}

function broken(
  result: RequirementResult,
  failure: FailureWords & Pick<RequirementResult, 'evidence'>,
): RequirementResult {
  const { blockedBy: _, missing: __, ...rest } = result;
  return { ...rest, ...failure };
}

/** Returns the result of a broken requirement: only a documented one fails. */
export function failingResult({ level }: Pick<RequirementResult, 'level'>): 'fail' | 'warning' {
  return level === 'documented' ? 'fail' : 'warning';
}

function endingOf({ id, result }: RequirementResult): CheckEnding {
  if (result === 'fail' || result === 'known-deviation') return { id, failed: 'documented' };
  return { id, failed: result === 'warning' ? 'minor' : undefined };
}
