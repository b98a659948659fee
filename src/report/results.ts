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
} from '../../generated/schemas.d.ts';
import type { Fixed } from '../document/types.ts';

export type Results = Fixed<ResultsOfAConformanceRun>;

export type Verdict = Results['verdict'];

export type RequirementResult = Fixed<ResultsRequirement>;

export type Level = RequirementResult['level'];

export type ResultKind = RequirementResult['result'];

export type ExchangeEvidence = Fixed<ResultsExchange>;

export type StepEvidence = Fixed<ResultsStep>;

export type Evidence = ExchangeEvidence | StepEvidence;

/** One header as it was on the wire: name in the sender's case, value redacted. */
export type EvidenceHeader = ExchangeEvidence['request']['headers'][number];

export type Observation = Fixed<ResultsObservation>;

export type RunTrouble = Fixed<ResultsTrouble>;

/** The cause of a trouble, and of the requirements that it kept from running. */
export type RunCause = NonNullable<RunTrouble['cause']>;

export type RunFinding = Fixed<ResultsFinding>;

export type Totals = Fixed<ResultsTotals>;

export type TargetSummary = Fixed<ResultsTarget>;

export type Retirement = Fixed<ResultsRetirement>;

export type ExploredSequence = Fixed<ResultsSequence>;
