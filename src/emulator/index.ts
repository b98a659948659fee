/** The service, offline (clauses 1 to 9), for a program's own tests: begin at {@link startEmulator}. */
export type { Control, Stats } from './control.ts';
export type {
  ArmedFault,
  ArmedHold,
  AutoConsent,
  Effect,
  Fault,
  Hold,
  HoldEnd,
  JournalEntry,
  JournalPage,
  Lifetime,
  Ordinals,
  PendingRequest,
  RequestFilter,
  Revocation,
  SituationControl,
  TokenForm,
} from './control-types.ts';
export type { AddressOptions, ControlOptions, EmulatorOptions } from './emulator-options.ts';
export type { GrantedTokens, GrantedTokensOptions } from './granted-tokens.ts';
export type { Profile, WholeProfile } from './profile.ts';
export type { ResolvedSeed, Seed } from './seed.ts';
export { type Emulator, startEmulator } from './start-emulator.ts';
