/** The types of `results.json`, from `spec/results.schema.json`. */
import type {
  ResultsExchange,
  ResultsFinding,
  ResultsObservation,
  ResultsOfAConformanceRun,
  ResultsRequirement,
  ResultsRetirement,
  ResultsSequence,
  ResultsStep,
  ResultsTarget,
  ResultsTotals,
  ResultsTrouble,
  ResultsUsed,
} from '../../generated/schemas.d.ts';

/** Makes all members readonly. */
type Fixed<T> = unknown extends T ? T : T extends object ? { readonly [K in keyof T]: Fixed<T[K]> } : T;

/** The document `results.json`. */
export type Results = Fixed<ResultsOfAConformanceRun>;

/** The verdict of a whole run. It determines the exit code, see `verdict.ts`. */
export type Verdict = Results['verdict'];

/** The outcome of one requirement. */
export type RequirementResult = Fixed<ResultsRequirement>;

/**
 * The severity of a broken requirement, from the catalogue. `frozen` is a recorded answer at an open point that `--like` makes
 * binding.
 */
export type Level = RequirementResult['level'];

/** The result of one requirement in one run. */
export type ResultKind = RequirementResult['result'];

/** One HTTP request and its answer, redacted. */
export type ExchangeEvidence = Fixed<ResultsExchange>;

export type StepEvidence = Fixed<ResultsStep>;

export type Evidence = ExchangeEvidence | StepEvidence;

/** One header as it was on the wire: name in the sender's case, value redacted. */
export type EvidenceHeader = ExchangeEvidence['request']['headers'][number];

/** A target's behaviour at one open point. */
export type Observation = Fixed<ResultsObservation>;

/** A problem that makes the whole run inconclusive or broken. */
export type RunTrouble = Fixed<ResultsTrouble>;

/** A problem with a known deviation: exit 1 although no requirement failed. */
export type RunFinding = Fixed<ResultsFinding>;

/** Numbers of results by kind. Their sum is the number of selected requirements. */
export type Totals = Fixed<ResultsTotals>;

/** The checked target. Holds no secret. */
export type TargetSummary = Fixed<ResultsTarget>;

export type Retirement = Fixed<ResultsRetirement>;

export type Used = Fixed<ResultsUsed>;

export type ExploredSequence = Fixed<ResultsSequence>;
