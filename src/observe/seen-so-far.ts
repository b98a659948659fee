import type { Header } from '../exchange/exchange.ts';
import type { AspectAnswer, AspectId, SeenAnswers } from '../profiles/aspects.ts';

/** `no-answer`: the service did not answer, so a retry may help. */
export interface Unseen {
  readonly why: 'not-asked' | 'not-observable' | 'no-answer';
  readonly reason: string;
}

export type WordyPoint = 'resource-failures' | 'token-failures' | 'authorize-failures';

export interface SeenWorkarounds {
  tokenType: string;
  missingScope: string;
  redirectAddresses: 'alike';
  exchangedAddresses: 'alike';
}

/** Collects facts that belong to no single answer, until all probes have run. */
export class Notes {
  readonly wordings = new Map<WordyPoint, Record<string, string>>();
  readonly realms = new Map<'token-failures' | 'resource-failures', string>();
  /** `Cache-Control` of the token endpoint's refusals; null if missing. */
  readonly refusalCaching = new Set<string | null>();
  readonly pages: (readonly Header[])[] = [];
  readonly departures: Partial<SeenWorkarounds> = {};

  wording(point: WordyPoint, aspect: string, text: string): void {
    const known = this.wordings.get(point) ?? {};
    known[aspect] ??= text;
    this.wordings.set(point, known);
  }
}

export class SeenSoFar {
  readonly notes = new Notes();
  readonly #answers = new Map<AspectId, AspectAnswer>();
  readonly #evidence = new Map<AspectId, string>();
  readonly #unseen = new Map<AspectId, Unseen>();

  get answers(): SeenAnswers {
    return this.#answers;
  }

  get evidence(): ReadonlyMap<AspectId, string> {
    return this.#evidence;
  }

  get unseen(): ReadonlyMap<AspectId, Unseen> {
    return this.#unseen;
  }

  /** Records an answer; the first one at an aspect stays. */
  see(aspect: AspectId, answer: AspectAnswer, evidence: string): void {
    if (this.#answers.has(aspect)) return;
    this.#answers.set(aspect, answer);
    this.#unseen.delete(aspect);
    this.#evidence.set(aspect, evidence);
  }

  miss(aspect: AspectId, unseen: Unseen): void {
    if (this.#answers.has(aspect) || this.#unseen.has(aspect)) return;
    this.#unseen.set(aspect, unseen);
  }
}

/** A prerequisite is missing; the message completes "not observable:". */
export class NotObservable extends Error {
  override readonly name = 'NotObservable';
}

export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}
