import type { RequirementId } from '../../../generated/ids.ts';
import { loadCatalogue } from '../../document/load-catalogue.ts';
import type { Catalogue } from '../../document/types.ts';
import { TransportFailure, type WireResponse } from '../../http/exchange.ts';
import { explainedCrash } from '../../http/secrets/crash-text.ts';
import type { SecretRegistry } from '../../http/secrets/registry.ts';
import type { AnswerView } from '../../http/to-evidence.ts';
import type { CheckFact, SeenBroken } from '../../report/facts.ts';
import { printable } from '../../report/printable.ts';
import type { Observation, RequirementResult, RunCause } from '../../report/results.ts';
import { failingResult } from '../../report/results-of.ts';
import { Stopped } from '../../service/flow/flow-steps.ts';
import type { Session } from '../../service/flow/session.ts';
import type { SmokeFlow } from '../../service/flow/smoke-steps.ts';
import {
  Blocked,
  ConformanceFailure,
  NotApplicable,
  NotRun,
  notAnswered,
  ProvenFailure,
  withoutPrerequisite,
} from '../language/outcome.ts';
import type { SharedRefusals } from '../language/shared-refusals.ts';
import type { PassingTrouble } from './passing-trouble.ts';
import type { Advance } from './shared-wait.ts';

export interface CheckOutcome {
  readonly result: RequirementResult;
  readonly observations: readonly Observation[];
  /** The rules on facts make the result of these and of the check's own ending. */
  readonly facts: readonly CheckFact[];
  readonly trouble?: PassingTrouble;
  readonly broken?: string;
  /** The failure rests on what no outage explains. */
  readonly isProven?: true;
}

export interface CheckEnvironment {
  readonly catalogue: Catalogue;
  readonly session: Session;
  readonly smokeFlow: SmokeFlow;
  readonly sharedRefusals: SharedRefusals;
  readonly answerView?: AnswerView;
  readonly advance?: Advance;
  /** False skips evidence, which the kill matrix does not need. */
  readonly keepEvidence: boolean;
  readonly signal?: AbortSignal;
  /** Milliseconds that a check may take, excluding waits for time to pass; no limit when absent. */
  readonly deadlineMs?: number;
}

export function withDoubt(outcome: CheckOutcome, why: string): CheckOutcome {
  const fact = { kind: 'doubted', requirement: outcome.result.id, why } as const;
  return { ...outcome, facts: [...outcome.facts, fact] };
}

export function isDoubted({ facts }: CheckOutcome): boolean {
  return facts.some(({ kind }) => kind === 'doubted');
}

export function notRun(id: RequirementId, reason: string, cause?: RunCause): CheckOutcome {
  const { clause, level } = loadCatalogue().requirement(id);
  return {
    result: { id, clause, level, result: 'not-run', reason, cause, durationMs: 0, evidence: [] },
    observations: [],
    facts: [],
  };
}

export function seenBroken(
  requirement: RequirementId,
  failure: ConformanceFailure,
  known: Pick<CheckEnvironment, 'catalogue' | 'session'>,
  seen: Pick<SeenBroken, 'where' | 'behind' | 'evidence'>,
): SeenBroken {
  return { kind: 'seen-broken', requirement, failure: failureOf(requirement, failure, known), ...seen };
}

export type Ending = Pick<
  RequirementResult,
  'result' | 'reason' | 'cause' | 'blockedBy' | 'missing' | 'signature'
> & {
  readonly broken?: string;
  readonly isProven?: true;
  readonly answer?: WireResponse | undefined;
  /** With `blocked`: proof that the owning requirement is broken, by an answer that acknowledged a step without doing it. */
  readonly blocking?: { readonly owner: RequirementId; readonly seen: ConformanceFailure };
};

/** Returns the ending of a check that threw. */
export function endingOf(error: unknown, id: RequirementId, environment: CheckEnvironment): Ending {
  if (error instanceof Stopped) return endingOf(withoutPrerequisite(error), id, environment);
  if (error instanceof ConformanceFailure)
    return {
      ...failureOf(id, error, environment),
      answer: error.answer,
      ...(error instanceof ProvenFailure && { isProven: true }),
    };
  if (error instanceof Blocked) {
    const { message: reason, owner, seen } = error;
    return { result: 'blocked', reason, blockedBy: owner, ...(seen && { blocking: { owner, seen } }) };
  }
  // For example a clock that cannot be moved: this is neither the target's nor the suite's fault.
  if (error instanceof TransportFailure) return endingOf(notAnswered(error.message, error), id, environment);
  if (error instanceof NotRun) return { result: 'not-run', reason: error.message, cause: error.cause };
  if (error instanceof NotApplicable) {
    return { result: 'not-applicable', reason: error.message, missing: [error.ability] };
  }
  const broken = explainedCrash(error, (text) => environment.session.secrets.redact(text));
  return { result: 'not-run', reason: `the check itself failed: ${firstLine(broken)}`, broken };
}

export function failureOf(
  id: RequirementId,
  failure: ConformanceFailure,
  { catalogue, session: { secrets } }: Pick<CheckEnvironment, 'catalogue' | 'session'>,
): Pick<RequirementResult, 'result' | 'reason' | 'signature'> {
  const { level } = catalogue.requirement(id);
  return {
    result: failingResult({ level }),
    reason: secrets.redact(failure.message),
    signature: signatureOf(failure, secrets),
  };
}

const LONGEST = 300;

/**
 * Returns the signature of a known deviation: the expected and actual behaviour, without values that change between
 * runs. Both count: `status 200` after a wrong secret and after a truncated secret are two faults.
 */
export function signatureOf({ message }: ConformanceFailure, secrets: SecretRegistry): string {
  const text = printable(secrets.redact(message))
    .replace(/<([a-z_]+)#\d+>/g, '<$1>')
    .replace(/\s+/g, ' ')
    .trim();
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}…`;
}

export function firstLine(text: string): string {
  return text.split('\n')[0] ?? text;
}
