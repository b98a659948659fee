import type { TargetSummary } from '../../report/results.ts';

/**
 * Identifies a live target by its addresses, because names may repeat, and an emulator by its profile, because its
 * addresses change in every run.
 */
export function targetWords({ kind, name, authUrl, baseUrl }: TargetSummary): string {
  return kind === 'emulator' ? `the emulator (profile ${name})` : `${authUrl} and ${baseUrl}`;
}

/** Returns the first and last line of the output of verbs that write to a broker. */
export function targetLine(target: TargetSummary): string {
  const { kind, name } = target;
  return `target: ${kind === 'emulator' ? '' : `${name}, `}${targetWords(target)}`;
}
