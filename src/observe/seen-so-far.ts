import type { Header } from '../exchange/exchange.ts';
import type { AspectAnswer, AspectId, SeenAnswers } from '../profiles/aspects.ts';

/** Why an aspect has no answer. `no-answer`: the service did not answer, so asking again may help. */
export interface Unseen {
  readonly why: 'not-asked' | 'not-observable' | 'no-answer';
  /** One clause: what is missing, and what would supply it. */
  readonly reason: string;
}

/** Open points with an aspect for what people are told. */
export type WordyPoint = 'resource-failures' | 'token-failures' | 'authorize-failures';

/** Departures from the document, by the keys of a profile's `departures`. */
export interface SeenDepartures {
  tokenType: string;
  missingScope: string;
  redirectAddresses: 'alike';
  exchangedAddresses: 'alike';
}

/** Collects what belongs to no single answer until all probes have run. */
export class Notes {
  readonly wordings = new Map<WordyPoint, Record<string, string>>();
  readonly realms = new Map<'token-failures' | 'resource-failures', string>();
  /** `Cache-Control` of the token endpoint's refusals; null for none. */
  readonly refusalCaching = new Set<string | null>();
  readonly pages: (readonly Header[])[] = [];
  readonly departures: Partial<SeenDepartures> = {};

  /** The first wording at an aspect stays. */
  told(point: WordyPoint, aspect: string, text: string): void {
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

  /** Notes an answer; the first one at an aspect stays. */
  see(aspect: AspectId, answer: AspectAnswer, evidence: string): void {
    if (this.#answers.has(aspect)) return;
    this.#answers.set(aspect, answer);
    this.#unseen.delete(aspect);
    this.#evidence.set(aspect, evidence);
  }

  /** Notes why there is no answer; the first reason stays, and an answer wins. */
  miss(aspect: AspectId, unseen: Unseen): void {
    if (this.#answers.has(aspect) || this.#unseen.has(aspect)) return;
    this.#unseen.set(aspect, unseen);
  }
}
