import type { OpenPointId } from '../../generated/ids.ts';
import type { AspectId } from '../profiles/aspects.ts';
import type { ProbeContext } from './probe-context.ts';

/** How one or more aspects are observed. A probe never judges; what it cannot see it says. */
export interface Probe {
  readonly openPoint: OpenPointId;
  /** What it may have an answer to. All of one open point, or of several. */
  readonly aspects: readonly AspectId[];
  /** At most so many requests, those of one sign-in and of pages with one consent apart. */
  readonly requests: number;
  readonly run: (context: ProbeContext) => Promise<void>;
}

/** Nothing can be seen at what a probe asks next, whatever the service does; the message completes "not observable:". */
export class NotObservable extends Error {
  override readonly name = 'NotObservable';
}

/** The service could not be heard: no answer, or one that asks to come back later. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}
