/** The service, offline (clauses 1 to 9), for a program's own tests: begin at {@link startEmulator}. */
export type { Control, Stats } from './control/control.ts';
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
} from './control/control-types.ts';
export type { GrantedTokens, GrantedTokensOptions } from './control/granted-tokens.ts';
export type { Profile, WholeProfile } from './policy/profile.ts';
export type { AddressOptions, ControlOptions, EmulatorOptions } from './start/emulator-options.ts';
export { type Emulator, startEmulator } from './start/start-emulator.ts';
export type { ResolvedSeed, Seed } from './store/seed.ts';
