/**
 * The catalogue's entries: what the document demands, what it leaves open, and what nobody can test. All of them are
 * read once and never change.
 */
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

export type {
  AbilityId,
  Basis,
  ClauseId,
  Level,
  NoteId,
  OpenPointId,
  RequirementId,
  StepId,
} from '../../generated/ids.ts';

/** One atomic demand. */
export interface Requirement {
  readonly id: RequirementId;
  /** What must hold, in the project's own words. */
  readonly statement: string;
  /** How much it matters when it is broken. */
  readonly level: Level;
  /** Whether the document states it, it is inferred from it, or an RFC rules where the document is silent. */
  readonly basis: Basis;
  /** The first version of the suite that has it: `0.1.0`. */
  readonly since: string;
  /** Ids that it had in earlier versions. */
  readonly formerly?: readonly string[];
  /** The clause it is listed under. */
  readonly clause: ClauseId;
  /** Every clause that it follows from, the one it is listed under first; numbered items count as clauses (`5.3`). */
  readonly clauses: readonly string[];
  /** Level `standard` alone: `RFC 6749 section 4.1.2`. */
  readonly rfc?: string;
  /** Abilities that a target must have for it. */
  readonly needs: readonly AbilityId[];
  /** The step of the base walk that it owns: the step's failure is this requirement's. */
  readonly step?: StepId;
}

/** A sentence of the document that no check of a service can hold against it. */
export interface Note {
  readonly id: NoteId;
  /** What only a client can keep, or what nobody can test. */
  readonly kind: 'client-duty' | 'notice';
  readonly statement: string;
  readonly clause: ClauseId;
}

/** One sentence or table row of a clause, and the entries that it lands on. */
export interface ReadingRow {
  /** Where in the clause: `row client_id`, `item 1 step c`. */
  readonly at: string;
  /** Ids of requirements, open points and notes. */
  readonly lands: readonly string[];
}

/** One clause with everything listed under it. */
export interface Clause {
  readonly clause: ClauseId;
  /** File name without ending, `4-2-exchange`; the file of its checks has the same. */
  readonly slug: string;
  readonly title: string;
  readonly requirements: readonly Requirement[];
  readonly notes: readonly Note[];
  readonly reading: readonly ReadingRow[];
}

/** One question within an open point. */
export interface Aspect {
  /** Unique within its open point: `assign.status`. */
  readonly name: string;
  readonly question: string;
  /** Type of the answer, for people. */
  readonly answer: string;
  /** What observing it may do to a live target, where that is not its open point's. */
  readonly risk?: Risk;
  /** How likely a client breaks when the answer changes; `possible` when absent. */
  readonly breaks?: 'likely' | 'possible' | 'unlikely';
}

/** What a probe may do to a live target: nothing, provoke refusals that are counted, revoke grants, or take hours. */
export type Risk = 'none' | 'refusals' | 'revokes' | 'slow';

/** Something that the document leaves open: observed, never judged. */
export interface OpenPoint {
  /** From 1, without gaps. */
  readonly number: number;
  readonly id: OpenPointId;
  readonly question: string;
  readonly clauses: readonly string[];
  /** How it is observed. */
  readonly probe: string;
  /** What observing it may do to a live target. */
  readonly risk: Risk;
  readonly aspects: readonly Aspect[];
}

/** Everything that `spec/requirements/` and `spec/open-points.yaml` hold. */
export interface Catalogue {
  /** In the order of the document. */
  readonly clauses: readonly Clause[];
  /** In the order of the clauses. */
  readonly requirements: readonly Requirement[];
  /** In the order of the clauses. */
  readonly notes: readonly Note[];
  /** By number. */
  readonly openPoints: readonly OpenPoint[];
  /** SHA-256, hexadecimal, of what the requirements demand: two runs with the same digest were judged by the same demands. */
  readonly digest: string;
  /** The requirement with this id. @throws Error when there is none; `generated/ids.ts` is stale then. */
  requirement(id: RequirementId): Requirement;
  /** The open point with this id. @throws Error when there is none; `generated/ids.ts` is stale then. */
  openPoint(id: OpenPointId): OpenPoint;
  /** The requirement that owns a step of the base walk; `sign-in` has none, the document does not show it. */
  ownerOf(step: StepId): Requirement | undefined;
}
