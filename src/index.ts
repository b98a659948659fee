/** What a program may import: checks a target in its own process, as the command does, and gets the results as a value. */
export { type CheckOptions, check } from './app/check.ts';
export type {
  Observation,
  RequirementResult,
  ResultKind,
  Results,
  RunTrouble,
  Verdict,
} from './report/results.ts';
