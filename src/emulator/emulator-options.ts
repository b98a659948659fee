import type { Defect } from './defect.ts';
import type { Profile } from './profile.ts';
import type { Seed } from './seed.ts';

/** How an emulator is started. */
export interface EmulatorOptions {
  /** Port of the authorization server; 0, the default, for any. */
  readonly port?: number;
  /** Port of the resource API; 0, the default, for any. */
  readonly apiPort?: number;
  /** Address to listen on; 127.0.0.1 unless told. */
  readonly host?: string;
  /** Both address spaces on one port. */
  readonly oneOrigin?: boolean;
  /** Path that {auth_url} ends in, such as `/auth`. */
  readonly authPath?: string;
  /** Path that {base_url} ends in, such as `/api`. */
  readonly basePath?: string;
  /** False opens no socket: only `fetch` reaches the service. */
  readonly listen?: boolean;
  /** Id of a profile in `spec/profiles`, or a profile; `doorkeeper-5` unless told. */
  readonly profile?: string | Profile;
  /** Defects that are on from the start. */
  readonly defects?: readonly Defect[];
  /** Further defects that can be switched on. */
  readonly knownDefects?: readonly Defect[];
  readonly seed?: Seed;
  /** The control port; off unless asked for. */
  readonly control?: false | ControlOptions;
  /** `virtual`, the default, stands still between moves; `real` follows real time. */
  readonly clock?: 'virtual' | 'real';
  /** Where a virtual clock starts, in seconds since the epoch. */
  readonly clockStart?: number;
  /** Makes every token, code, id and secret the same for the same text. For tests: nothing is secret then. */
  readonly randomSeed?: string;
}

/** How the control port is opened. */
export interface ControlOptions {
  /** 0, the default, for any. */
  readonly port?: number;
  /** What requests must present; made up when left out. */
  readonly token?: string;
}
