import type { RequirementId } from '../../generated/ids.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Evidence, RequirementResult, RunTrouble } from './results.ts';

/**
 * A fact of a run. Checks, monitor, exploration, confirmation and clean-up only append facts; `results-of.ts` derives the
 * results. No fact is changed or removed.
 */
export type Fact =
  | { readonly kind: 'check-ended'; readonly requirement: string; readonly result: RequirementResult }
  | CheckFact
  | LeftAssigned
  | InExchanges
  | Explored
  /** The configuration has no lock (`lock: false`): only the pipeline keeps other runs away. */
  | { readonly kind: 'unlocked' }
  /** A problem of no requirement: with the connection, the configuration, or the suite. */
  | { readonly kind: 'trouble'; readonly trouble: RunTrouble }
  /** The service stopped answering, and did not answer again before the run ended. */
  | { readonly kind: 'service-gone'; readonly message: string };

export type CheckFact = Busy | Doubted | SeenBroken;

/** The service was in trouble while a check ran. */
interface Busy {
  readonly kind: 'busy';
  readonly requirement: string;
  readonly answers: string;
  /** True if no request got an answer at all. */
  readonly unreachable: boolean;
  /** True if an answer was 410 or a server error that asks for no wait. */
  readonly refusing: boolean;
}

/** The check's result may have another cause than the service: an outage, or a wrong setting. */
interface Doubted {
  readonly kind: 'doubted';
  readonly requirement: string;
  readonly why: string;
}

export type FailureWords = Pick<RequirementResult, 'result' | 'reason' | 'signature'>;

export interface SeenBroken {
  readonly kind: 'seen-broken';
  readonly requirement: string;
  readonly failure: FailureWords;
  /** `the check of list.safe`, `the smoke flow`, `cleaning up`. */
  readonly where: string;
  readonly behind?: string;
  readonly evidence: readonly Evidence[];
}

/** Own users stay assigned at the end of a run. */
interface LeftAssigned {
  readonly kind: 'left-assigned';
  readonly message: string;
  readonly explainedBy: readonly string[];
  /** True if a list shows one of them although the service answered to unassigning; false if no list can tell. */
  readonly listed: boolean;
  readonly evidence: readonly Evidence[];
}

/** An outage, or a wrong user, project or clock in the configuration, explains these too. */
export const MAY_BE_TROUBLE = [
  'refused',
  'promised',
  'no-code',
  'server error',
  'server error at once',
] as const;

/** The kind of a finding about other people's users. One alone decides nothing, and is the report's first line. */
export const OTHERS_LOST = 'others lost';

/** The violated invariant within a requirement: findings of one kind most likely have one cause. */
export type FindingKind =
  | (typeof MAY_BE_TROUBLE)[number]
  | typeof OTHERS_LOST
  /** A request that the service had to refuse was honoured. */
  | 'refusal'
  /** Of a list: a user too many, or one too few; `once` if the next list was right. */
  | 'listed'
  | 'absent'
  | 'listed once'
  | 'absent once'
  | 'listed twice'
  | 'unreadable'
  /** A HEAD showed the list to a wrong token. */
  | 'HEAD'
  /** Of a refusal: the status of a success, or an error beside it. */
  | 'success'
  | 'error'
  /** Of a redirect. */
  | 'elsewhere'
  | 'query-lost'
  | 'two-codes'
  | 'code-and-error'
  | 'state'
  | 'form-repeated'
  | 'repeated'
  /** Of a token response. */
  | 'no-object'
  | 'same'
  | 'content-type'
  | `member ${string}`;

export interface ExchangeFinding {
  readonly id: RequirementId;
  readonly kind: FindingKind;
  /** The form of request in which the service broke it. */
  readonly channel?: string;
  readonly expected: string;
  readonly got: string;
  /** The purpose of the exchange: a check's id, or a step. */
  readonly during: string | undefined;
  /** Other people's users, or a service that refused in passing: shown, but never a failure. */
  readonly uncertain: boolean;
  readonly exchanges: readonly Exchange[];
}

/** The findings of one connection's exchanges, whatever their purpose. */
interface InExchanges {
  readonly kind: 'in-exchanges';
  readonly examples: ReadonlyMap<RequirementId, number>;
  readonly findings: readonly ExchangeFinding[];
  /** By requirement, how the right requests whose failure broke it differ from those that succeeded. */
  readonly differences?: ReadonlyMap<RequirementId, RequestDifference>;
}

/** Numbers of right requests. */
export interface RightAnswers {
  readonly failed: number;
  readonly succeeded: number;
}

/** Numbers of right requests that came with a feature. */
export interface RequestTrait extends RightAnswers {
  /** Completes "with …". */
  readonly name: string;
}

/** The difference between the right requests that failed and those that succeeded. */
export type RequestDifference = RightAnswers &
  /** Most failures have the trait, and few successes. */
  (
    | { readonly kind: 'trait'; readonly trait: RequestTrait }
    /** Seconds: the smallest age of a code or token that failed, and the greatest of one that succeeded. `unusedFrom`: see `idle`. */
    | { readonly kind: 'age'; readonly from: number; readonly until: number; readonly unusedFrom?: number }
    /** The same of the seconds since it was used, or issued. */
    | { readonly kind: 'idle'; readonly from: number; readonly until: number }
    /** None succeeded after the first failure. */
    | { readonly kind: 'since' }
    /** Codes or tokens failed that had been good before, and none was good again. */
    | { readonly kind: 'lost' }
    /** Connections or tokens: with `spoiled` of them, nearly all failed from the first failure on; with `others`, none failed. */
    | {
        readonly kind: 'parts';
        readonly of: 'connection' | 'token';
        readonly spoiled: number;
        readonly others: number;
      }
    /** Too few failures to say more: the failure itself has its difference, such as a case of a check. */
    | { readonly kind: 'few' }
    /** Nothing tells them apart. `nearest`: the trait that comes closest. */
    | { readonly kind: 'mixed'; readonly nearest?: RequestTrait }
  );

interface Explored {
  readonly kind: 'explored';
  readonly requirement: string;
  readonly failure: FailureWords;
  readonly sentence: string;
  readonly exchanges: readonly Exchange[];
}
