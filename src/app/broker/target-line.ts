import type { TargetSummary } from '../../report/results.ts';

/**
 * Names a target by what tells it from every other: a live one by its addresses, because two configurations may share a name; an
 * emulator by its profile, because its addresses are new in every run.
 */
export function targetWords({ kind, name, authUrl, baseUrl }: TargetSummary): string {
  return kind === 'emulator' ? `the emulator (profile ${name})` : `${authUrl} and ${baseUrl}`;
}

/** Returns the line that stands first and last where something is written to a broker. */
export function targetLine(target: TargetSummary): string {
  const { kind, name } = target;
  return `target: ${kind === 'emulator' ? '' : `${name}, `}${targetWords(target)}`;
}
