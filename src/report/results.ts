/**
 * The vocabulary of a run: the types of `results.json`, as `spec/results.schema.json` describes it. Nothing about the document is written down a second
 * time here.
 */
import type {
  ResultsExchange,
  ResultsFinding,
  ResultsLike,
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

/** Written once, read by all. */
type Fixed<T> = unknown extends T ? T : T extends object ? { readonly [K in keyof T]: Fixed<T[K]> } : T;

/** The document `results.json`. */
export type Results = Fixed<ResultsOfAConformanceRun>;

/** What a whole run came to. Exit codes follow from it, see `verdict.ts`. */
export type Verdict = Results['verdict'];

/** The outcome of one requirement. */
export type RequirementResult = Fixed<ResultsRequirement>;

/**
 * How much it matters that a requirement is broken. Defined by the catalogue, never by a check; `frozen` is what an open point has become
 * whose answer was frozen and asked for.
 */
export type Level = RequirementResult['level'];

/** What one requirement came to in one run. */
export type ResultKind = RequirementResult['result'];

/** One HTTP request and its answer, redacted. */
export type ExchangeEvidence = Fixed<ResultsExchange>;

/** One thing that the browser (or the form agent in its place) did or saw. */
export type StepEvidence = Fixed<ResultsStep>;

export type Evidence = ExchangeEvidence | StepEvidence;

/** One header as it was on the wire: name in the sender's case, value redacted. */
export type EvidenceHeader = ExchangeEvidence['request']['headers'][number];

/** What the target was seen to do at one open point. */
export type Observation = Fixed<ResultsObservation>;

/** Why a run cannot speak about the target at all, whatever single results say. */
export type RunTrouble = Fixed<ResultsTrouble>;

/** Why a run ends in exit 1 although no requirement failed: what is wrong with a listed known deviation. */
export type RunFinding = Fixed<ResultsFinding>;

/** Numbers of results by kind. Their sum is the number of requirements selected. */
export type Totals = Fixed<ResultsTotals>;

/** Who was checked. Holds no secret. */
export type TargetSummary = Fixed<ResultsTarget>;

/** What a service was seen to say about its end. */
export type Retirement = Fixed<ResultsRetirement>;

/** What a run on a live target has used of its budget. */
export type Used = Fixed<ResultsUsed>;

/** The frozen answers that a target was held to. */
export type LikeSummary = Fixed<ResultsLike>;

/** A sequence of requests that no author wrote and that showed something broken. */
export type ExploredSequence = Fixed<ResultsSequence>;
