import type { AspectAnswer, AspectId, SeenAtOpenPoints, Unseen } from '../../document/profiles/aspects.ts';
import type { Header } from '../../http/exchange.ts';

export interface SeenWorkarounds {
  tokenType: string;
  missingScope: string;
  redirectAddresses: 'alike';
  exchangedAddresses: 'alike';
}

/** Collects what the probes of a run see, until all have run. */
export class SeenSoFar implements SeenAtOpenPoints {
  readonly answers = new Map<AspectId, AspectAnswer>();
  readonly evidence = new Map<AspectId, string>();
  readonly unseen = new Map<AspectId, Unseen>();
  readonly pages: (readonly Header[])[] = [];
  readonly departures: Partial<SeenWorkarounds> = {};

  /** Records an answer; the first one at an aspect stays. */
  see(aspect: AspectId, answer: AspectAnswer, evidence: string): void {
    if (this.answers.has(aspect)) return;
    this.answers.set(aspect, answer);
    this.unseen.delete(aspect);
    this.evidence.set(aspect, evidence);
  }

  miss(aspect: AspectId, unseen: Unseen): void {
    if (this.answers.has(aspect) || this.unseen.has(aspect)) return;
    this.unseen.set(aspect, unseen);
  }
}

/** A prerequisite or an answer is missing; the message completes "not observable:" or "no answer:". */
export class NotObservable extends Error {
  override readonly name = 'NotObservable';
  readonly why: 'not-observable' | 'no-answer';

  constructor(reason: string, why: NotObservable['why'] = 'not-observable') {
    super(reason);
    this.why = why;
  }
}
