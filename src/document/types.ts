import type { ClauseId, NoteId, OpenPointId, RequirementId } from '../../generated/ids.ts';
import type {
  OpenPointsOpenPoint,
  OpenPointsRisk,
  RequirementsNote,
  RequirementsReading,
  RequirementsRequirement,
} from '../../generated/schemas.d.ts';

export type * from '../../generated/ids.ts';

/** The content of a file: nothing changes it. Its schema in `spec/` describes the members. */
export type Fixed<T> = unknown extends T
  ? T
  : T extends object
    ? { readonly [K in keyof T]: Fixed<T[K]> }
    : T;

/** Of its clauses, the one it is listed under comes first; numbered items count as clauses (`5.3`). */
export interface Requirement extends Fixed<RequirementsRequirement> {
  readonly id: RequirementId;
  readonly clause: ClauseId;
}

interface Note extends Fixed<RequirementsNote> {
  readonly id: NoteId;
  readonly clause: ClauseId;
}

export interface OpenPoint extends Fixed<OpenPointsOpenPoint> {
  readonly id: OpenPointId;
}

/** Risk of a probe on a live target: none, refusals that are counted, revoked grants, or a duration of hours. */
export type Risk = OpenPointsRisk;

export interface Clause {
  readonly clause: ClauseId;
  /** File name without extension, `4-2-exchange`; shared with the file of its checks. */
  readonly slug: string;
  readonly title: string;
  readonly requirements: readonly Requirement[];
  readonly notes: readonly Note[];
  readonly reading: readonly Fixed<RequirementsReading>[];
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
}
