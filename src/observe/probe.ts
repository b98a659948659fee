import type { OpenPointId } from '../../generated/ids.ts';
import type { AspectId } from '../profiles/aspects.ts';
import type { ProbeContext } from './probe-context.ts';

/** Observes one or more aspects. Never evaluates; reports what it cannot see. */
export interface Probe {
  readonly openPoint: OpenPointId;
  readonly aspects: readonly AspectId[];
  /** Maximum number of requests, without one sign-in and the pages of one consent. */
  readonly requests: number;
  readonly run: (context: ProbeContext) => Promise<void>;
}
