/** A weakening that no defect shows, and why it stands all the same. */
export interface Excused {
  readonly file: string;
  /** A part of the statement. */
  readonly statement: string;
  readonly why: string;
}

export const EXCUSED: readonly Excused[] = [];
