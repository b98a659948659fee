/** The programming interface: checks a target in its own process, as the command does, and returns the results. */

export type { ConfigurationFile as Configuration, Profile } from '../generated/schemas.d.ts';
export type { CheckOptions } from './app/check-options.ts';
export { check } from './app/check-results.ts';
export { type Observations, type ObserveOptions, observe } from './app/observe-results.ts';
export { defineConfig } from './config/index.ts';
export type {
  Observation,
  RequirementResult,
  ResultKind,
  Results,
  RunTrouble,
  Verdict,
} from './report/results.ts';
