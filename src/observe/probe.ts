import type { OpenPointId } from '../../generated/ids.ts';
import type { AspectId } from '../profiles/aspects.ts';
import type { ProbeContext } from './probe-context.ts';

/** Observes one or more aspects. Never evaluates; says what it cannot see. */
export interface Probe {
  readonly openPoint: OpenPointId;
  /** Aspects of one open point, or of several. */
  readonly aspects: readonly AspectId[];
  /** At most so many requests, those of one sign-in and of pages with one consent apart. */
  readonly requests: number;
  readonly run: (context: ProbeContext) => Promise<void>;
}

/** A prerequisite is missing; the message completes "not observable:". */
export class NotObservable extends Error {
  override readonly name = 'NotObservable';
}

/** No answer came, or one that asks to retry later. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}
