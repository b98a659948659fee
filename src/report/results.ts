/**
 * The vocabulary of a run: what one requirement came to, what the run saw, and the document
 * `results.json` that both end up in. `spec/results.schema.json` is the public description of the same
 * shape; a test of the suite holds the two together.
 */

/**
 * How much it matters that a requirement is broken. Defined by the catalogue, never by a check; `frozen` is what an open point has become
 * whose answer was frozen and asked for.
 */
export type Level = 'documented' | 'strictness' | 'standard' | 'frozen';

/** What one requirement came to in one run. */
export type ResultKind =
  | 'pass'
  | 'fail'
  | 'warning'
  | 'known-deviation'
  | 'not-applicable'
  | 'blocked'
  | 'not-run';

/** What a whole run came to. Exit codes follow from it, see `verdict.ts`. */
export type Verdict = 'conforms' | 'violates' | 'inconclusive' | 'broken';

/** One header as it was on the wire: name in the sender's case, value redacted. */
export type EvidenceHeader = readonly [name: string, value: string];

/** One HTTP request and its answer, redacted. */
export interface ExchangeEvidence {
  readonly kind: 'exchange';
  /** Position among all evidence of the requirement, from 1. */
  readonly order: number;
  /** What this exchange was for, in a few words: `exchange the code a second time`. */
  readonly purpose: string;
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly headers: readonly EvidenceHeader[];
    /** Absent when the request had no body. */
    readonly body?: string;
  };
  /** Absent when no answer came; `error` then says why. */
  readonly response?: {
    readonly status: number;
    readonly headers: readonly EvidenceHeader[];
    readonly body: string;
    /** Bytes received, before redaction and shortening. */
    readonly bytes: number;
  };
  readonly error?: string;
  /** Outcome against the specification's schema of this answer, where there is one. Evidence, not judgement. */
  readonly validation?: {
    readonly schema: string;
    readonly valid: boolean;
    readonly errors: readonly string[];
  };
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  readonly durationMs: number;
}

/** One thing that the browser (or the form agent in its place) did or saw. */
export interface StepEvidence {
  readonly kind: 'step';
  readonly order: number;
  /** `open the authorization address`, `grant`, `redirect caught` … */
  readonly purpose: string;
  /** Redacted address after the step. */
  readonly url?: string;
  readonly status?: number;
  readonly detail?: string;
  readonly startedAt: string;
  readonly durationMs: number;
}

export type Evidence = ExchangeEvidence | StepEvidence;

/** What the target was seen to do at one open point. */
export interface Observation {
  /** Id of the open point in `spec/open-points.yaml`. */
  readonly openPoint: string;
  /** What was looked at within it: `assign.status`. */
  readonly aspect: string;
  /** The answer seen; a plain JSON value, redacted. */
  readonly answer: unknown;
  /** Requirement whose check saw it. */
  readonly seenBy: string;
}

/** The outcome of one requirement. */
export interface RequirementResult {
  readonly id: string;
  readonly clause: string;
  readonly level: Level;
  readonly result: ResultKind;
  /** Why: failure message, missing ability, the step that blocked. Empty for a pass. */
  readonly reason: string;
  /** With `blocked`: the requirement that owns the step that could not be done. */
  readonly blockedBy?: string;
  /** With `not-applicable`: the abilities that the target lacks. */
  readonly missing?: readonly string[];
  /** With `fail`, `warning` and `known-deviation`: what was expected and what came, alike in every run. */
  readonly signature?: string;
  /** At level `frozen`: the answer that was frozen. */
  readonly frozen?: unknown;
  /** At level `frozen`: the answer that was seen; absent where none was. */
  readonly seen?: unknown;
  readonly durationMs: number;
  readonly evidence: readonly Evidence[];
}

/** Why a run cannot speak about the target at all, whatever single results say. */
export interface RunTrouble {
  /** `broken` ends in exit 4, `usage` in exit 2, `inconclusive` in exit 3. */
  readonly kind: 'broken' | 'usage' | 'inconclusive';
  /** One sentence: what was expected, what came, what to do. */
  readonly message: string;
}

/** Why a run ends in exit 1 although no requirement failed: what is wrong with a listed known deviation. */
export interface RunFinding {
  /** `stale`: judged, and it did not show. `unknown`: names no requirement. `expired`: past its date. */
  readonly kind: 'stale-deviation' | 'unknown-deviation' | 'expired-deviation';
  /** The requirement that the known deviation names. */
  readonly requirement: string;
  /** One sentence: what was expected, what came, what to do. */
  readonly message: string;
}

/** Numbers of results by kind. Their sum is the number of requirements selected. */
export interface Totals {
  readonly selected: number;
  readonly pass: number;
  readonly fail: number;
  readonly warning: number;
  readonly knownDeviation: number;
  readonly notApplicable: number;
  readonly blocked: number;
  readonly notRun: number;
}

/** Who was checked. Holds no secret. */
export interface TargetSummary {
  readonly kind: 'emulator' | 'live';
  readonly name: string;
  readonly authUrl: string;
  readonly baseUrl: string;
  /** Profile of the emulator; absent on live targets. */
  readonly profile?: string;
  /** Defects switched on in the emulator. */
  readonly defects: readonly string[];
  readonly abilities: readonly string[];
  /** How codes were obtained: through drawn pages, or through the signed-in browser's cookies. */
  readonly grants: { readonly page: number; readonly cookies: number };
}

/** What a service was seen to say about its end. */
export interface Retirement {
  /** It says that it is no more; nothing can be judged. */
  readonly retired: boolean;
  /** `Deprecation` (RFC 9745) and `Sunset` (RFC 8594) headers, each once. They change no verdict. */
  readonly notices: readonly {
    readonly kind: 'deprecation' | 'sunset';
    /** Who sent it: scheme, host and port. */
    readonly origin: string;
    readonly value: string;
    /** The date in it, `2027-01-31`. */
    readonly date?: string;
  }[];
}

/** What a run on a live target has used of its budget. */
export interface Used {
  /** Requests, the browser's included. */
  readonly requests: number;
  readonly browserRequests: number;
  /** Refusals of client credentials. */
  readonly refusedAuthentications: number;
}

/** The frozen answers that a target was held to. */
export interface LikeSummary {
  /** Name of the profile. */
  readonly name: string;
  /** When it was observed, ISO 8601, UTC; absent for a profile that is no observation. */
  readonly observedAt?: string;
  readonly digest?: string;
}

/** The document `results.json`. */
export interface Results {
  readonly schemaVersion: '1.1';
  readonly suiteVersion: string;
  /** Digest of the catalogue's content: two runs with the same digest judged by the same demands. */
  readonly catalogueDigest: string;
  readonly verdict: Verdict;
  readonly exitCode: 0 | 1 | 2 | 3 | 4;
  /** `partial` when `--only` left something out: then the verdict speaks of the selection alone. */
  readonly selection: 'complete' | 'partial';
  readonly strict: boolean;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  readonly durationMs: number;
  readonly target: TargetSummary;
  readonly requirements: readonly RequirementResult[];
  readonly observations: readonly Observation[];
  readonly troubles: readonly RunTrouble[];
  readonly findings: readonly RunFinding[];
  /** What the run left at the target and could not take back: grants, tokens. One phrase each, redacted. */
  readonly leftBehind: readonly string[];
  /** What the service said about its end; absent where it said nothing. */
  readonly retirement?: Retirement;
  /** On live targets. */
  readonly used?: Used;
  /** With `--like`: what the requirements of level `frozen` come from. */
  readonly like?: LikeSummary;
  readonly totals: Totals;
}
