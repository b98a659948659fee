/** The programming interface: checks a target in its own process, as the command does, and returns the results. */

export type { ConfigurationFile as Configuration, Profile } from '../generated/schemas.d.ts';
export { check } from './commands/check/api.ts';
export type { CheckOptions } from './commands/check/options.ts';
export { type EvaluateClientOptions, evaluateClient } from './commands/client/api.ts';
export {
  type ContractResults,
  type VerifyContractsOptions,
  verifyContracts,
} from './commands/contracts/api.ts';
export { type ObserveOptions, type ObserveResults, observe } from './commands/observe/api.ts';
export type { TargetOption } from './commands/shared/options.ts';
export { type SweepOptions, type SweepResults, sweep } from './commands/sweep/api.ts';
export type {
  Observation,
  RequirementResult,
  ResultKind,
  Results,
  RunTrouble,
  Verdict,
} from './report/results.ts';
export { defineConfig } from './service/configuration/index.ts';
