/** The programming interface: checks a target in its own process, as the command does, and returns the results. */

export type { ConfigurationFile as Configuration, Profile } from '../generated/schemas.d.ts';
export {
  check,
  type Observations,
  type ObserveOptions,
  observe,
  type TargetOption,
} from './app/check-and-observe.ts';
export type { CheckOptions } from './app/check-options.ts';
export { defineConfig } from './config/index.ts';
export type {
  Observation,
  RequirementResult,
  ResultKind,
  Results,
  RunTrouble,
  Verdict,
} from './report/results.ts';
