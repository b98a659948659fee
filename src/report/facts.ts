import type { RequirementId } from '../../generated/ids.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { Evidence, RequirementResult, RunTrouble } from './results.ts';

/**
 * What a run notes while it goes on. Checks, monitor, exploration, confirmation and clean-up only append facts; `results-of.ts` makes the
 * results of them. No fact is changed or taken back.
 */
export type Fact = CheckEnded | CheckFact | LeftAssigned | InExchanges | Explored | Trouble;

/** What a check notes beside its result. */
export type CheckFact = Busy | Doubted | SeenBroken;

/** A check has ended, with this result by itself. */
interface CheckEnded {
  readonly kind: 'check-ended';
  readonly requirement: string;
  readonly result: RequirementResult;
}

/** An attempt at a check was repeated, because the service was busy. */
interface Busy {
  readonly kind: 'busy';
  readonly requirement: string;
  /** What the service answered. */
  readonly answers: string;
}

/** What a check saw may have another cause than the service: an outage, another client, or a setting that is wrong. */
export interface Doubted {
  readonly kind: 'doubted';
  readonly requirement: string;
  /** The other cause, in one sentence. */
  readonly why: string;
}

/** What a failure says, in the words of a result. */
export type FailureWords = Pick<RequirementResult, 'result' | 'reason' | 'signature'>;

/** A requirement was seen broken outside its own check. */
export interface SeenBroken {
  readonly kind: 'seen-broken';
  readonly requirement: string;
  readonly failure: FailureWords;
  /** `the check of list.safe`, `the smoke flow`, `cleaning up`. */
  readonly where: string;
  /** The requirement whose check was blocked by it. */
  readonly behind?: string;
  readonly evidence: readonly Evidence[];
}

/** The suite's own users stay assigned, or may. */
interface LeftAssigned {
  readonly kind: 'left-assigned';
  readonly message: string;
  /** Requirements whose failure explains it. */
  readonly explainedBy: readonly string[];
  /** Nobody knows: the service answered to unassigning, and no list can be read; or another client is at work. */
  readonly unknown: boolean;
}

/** One time that an exchange showed a requirement broken. */
export interface ExchangeFinding {
  readonly id: RequirementId;
  /** Which invariant, beside the requirement: two findings of one kind are of one cause more likely than not. */
  readonly kind: string;
  readonly expected: string;
  readonly got: string;
  /** What the exchange was sent for: a check's id, or a step. */
  readonly during: string | undefined;
  /** Others may work on the target too, or it was refused in passing: shown, never held against it. */
  readonly uncertain: boolean;
  readonly exchanges: readonly Exchange[];
}

/** What the exchanges of one connection show, whatever they were sent for. */
interface InExchanges {
  readonly kind: 'in-exchanges';
  readonly examples: ReadonlyMap<RequirementId, number>;
  readonly findings: readonly ExchangeFinding[];
}

/** A sequence of requests that no author wrote shows a requirement broken. */
interface Explored {
  readonly kind: 'explored';
  readonly requirement: string;
  readonly failure: FailureWords;
  /** The same in one sentence. */
  readonly sentence: string;
  readonly exchanges: readonly Exchange[];
}

/** Something went wrong that is no requirement's: with the connection, the configuration, another client, or the suite. */
interface Trouble {
  readonly kind: 'trouble';
  readonly trouble: RunTrouble;
}
