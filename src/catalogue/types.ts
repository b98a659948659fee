import type {
  AbilityId,
  Basis,
  ClauseId,
  Level,
  NoteId,
  OpenPointId,
  RequirementId,
  StepId,
} from '../../generated/ids.ts';

export type * from '../../generated/ids.ts';

export interface Requirement {
  readonly id: RequirementId;
  readonly statement: string;
  readonly level: Level;
  /** The document states it, it is inferred, or an RFC applies where the document is silent. */
  readonly basis: Basis;
  readonly since: string;
  readonly formerly?: readonly string[];
  readonly clause: ClauseId;
  /** All clauses that it follows from, the one it is listed under first; numbered items count as clauses (`5.3`). */
  readonly clauses: readonly string[];
  /** Only at level `standard`: `RFC 6749 section 4.1.2`. */
  readonly rfc?: string;
  readonly needs: readonly AbilityId[];
  readonly step?: StepId;
}

export interface Note {
  readonly id: NoteId;
  /** `client-duty`: only a client can comply; `notice`: nobody can test it. */
  readonly kind: 'client-duty' | 'notice';
  readonly statement: string;
  readonly clause: ClauseId;
}

export interface ReadingRow {
  readonly at: string;
  readonly lands: readonly string[];
}

export interface Clause {
  readonly clause: ClauseId;
  /** File name without extension, `4-2-exchange`; shared with the file of its checks. */
  readonly slug: string;
  readonly title: string;
  readonly requirements: readonly Requirement[];
  readonly notes: readonly Note[];
  readonly reading: readonly ReadingRow[];
}

export interface Aspect {
  readonly name: string;
  readonly question: string;
  readonly answer: string;
  readonly risk?: Risk;
  /** Likelihood that a client breaks when the answer changes; `possible` when absent. */
  readonly breaks?: 'likely' | 'possible' | 'unlikely';
}

/** Risk of a probe on a live target: none, refusals that are counted, revoked grants, or a duration of hours. */
export type Risk = 'none' | 'refusals' | 'revokes' | 'slow';

export interface OpenPoint {
  readonly number: number;
  readonly id: OpenPointId;
  readonly question: string;
  readonly clauses: readonly string[];
  readonly probe: string;
  readonly risk: Risk;
  readonly aspects: readonly Aspect[];
}

export interface Catalogue {
  readonly clauses: readonly Clause[];
  readonly requirements: readonly Requirement[];
  readonly notes: readonly Note[];
  readonly openPoints: readonly OpenPoint[];
  /** SHA-256, hexadecimal, of the requirements. Equal digests mean equal requirements. */
  readonly digest: string;
  /** @throws Error if there is none: `generated/ids.ts` is stale */
  requirement(id: RequirementId): Requirement;
  /** @throws Error if there is none: `generated/ids.ts` is stale */
  openPoint(id: OpenPointId): OpenPoint;
  /** Returns the requirement that owns a step. `sign-in` has none, because the document does not show it. */
  ownerOf(step: StepId): Requirement | undefined;
}
