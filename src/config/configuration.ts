import type { ConfigurationFile } from '../../generated/schemas.d.ts';

/** A value as the file has it, every `{ "env": "NAME" }` replaced by what that variable held. */
export type Resolved<T> = T extends { readonly env: string }
  ? string
  : T extends readonly (infer Item)[]
    ? readonly Resolved<Item>[]
    : T extends object
      ? { readonly [Key in keyof T]: Resolved<T[Key]> }
      : T;

type ResolvedFile = Resolved<ConfigurationFile>;

/** How fast one run may go. */
export interface Pacing {
  readonly requestsPerSecond: number;
  /** Milliseconds that one exchange may take. */
  readonly deadlineMs: number;
}

/** How much of something one run may use. */
export interface Budget {
  readonly requests: number;
  readonly signIns: number;
  readonly refusedAuthentications: number;
}

/** Whom to trust beside the public authorities. */
export interface ExtraTrust {
  /** Certificates of authorities, PEM. */
  readonly ca: string;
  /** Origins, beside those of the two addresses, whose certificates are of these authorities. */
  readonly pageOrigins: readonly string[];
}

/** The configuration of a live target, valid and complete: secrets in place, defaults filled in, files read. */
export interface Configuration
  extends Omit<ResolvedFile, '$schema' | 'abilities' | 'requireAbilities' | 'tls' | 'pacing' | 'budget'> {
  /** Where it was read from, as it was asked for. */
  readonly file: string;
  /** Without a slash at the end. */
  readonly authUrl: string;
  /** Without a slash at the end and without `/v2`. */
  readonly baseUrl: string;
  /** What the suite may do beyond what follows from the rest. */
  readonly abilities: NonNullable<ResolvedFile['abilities']>;
  /** Abilities without which a run is inconclusive. */
  readonly requireAbilities: NonNullable<ResolvedFile['requireAbilities']>;
  /** Seconds. */
  readonly skewSeconds: number;
  readonly pacing: Pacing;
  readonly budget: Budget;
  readonly tls?: ExtraTrust;
}

/** What holds where the file is silent; the schema tells it to readers. */
export const DEFAULTS = {
  skewSeconds: 5,
  settleMs: 3_000,
  accountAreaPath: '/access-keys/applications',
  pacing: { requestsPerSecond: 5, deadlineMs: 10_000 },
  budget: { requests: 5_000, signIns: 3, refusedAuthentications: 100 },
} as const;
