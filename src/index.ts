/** The programming interface: checks a target in its own process, as the command does, and returns the results. */

export type { ConfigurationFile as Configuration, Profile } from '../generated/schemas.d.ts';
export {
  check,
  type Observations,
  type ObserveOptions,
  observe,
  type TargetOption,
} from './cli/check-and-observe.ts';
export type { CheckOptions } from './cli/check-options.ts';
export type {
  Observation,
  RequirementResult,
  ResultKind,
  Results,
  RunTrouble,
  Verdict,
} from './report/results.ts';
export { defineConfig } from './target/configuration/index.ts';
