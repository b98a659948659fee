import { type KindsOf, requireKinds } from '../../document/input/require-kinds.ts';
import type { Emulator } from '../../emulator/start/start-emulator.ts';
import type { Results } from '../../report/results.ts';
import { searchedReport } from '../shared/report-results.ts';
import { evaluateSince } from './report.ts';

/** Options of the evaluation of a client. */
export interface EvaluateClientOptions {
  /** Client id of the application whose requests count; default: the first of the seed. */
  readonly application?: string;
  /** A warning violates, too; default: false. */
  readonly strict?: boolean;
  /** Milliseconds since the epoch: earlier requests do not count; default: all that the journal has. */
  readonly since?: number;
}

const KINDS: KindsOf<EvaluateClientOptions> = {
  application: 'string',
  strict: 'boolean',
  since: 'number',
};

/**
 * Evaluates the client that has sent requests to an emulator of this process, as `client -- COMMAND` does: after the last test of
 * a suite. An emulator that was reset has forgotten them. Sends, prints and writes nothing.
 *
 * @param emulator as `startEmulator` returns it
 * @returns the contents of `results.json`, redacted
 * @throws TypeError for an unknown option; RangeError for an unknown application
 */
export async function evaluateClient(
  emulator: Emulator,
  options: EvaluateClientOptions = {},
): Promise<Results> {
  requireKinds('evaluateClient', options, KINDS);
  const { application: clientId, strict = false, since } = options;
  return searchedReport(await evaluateSince(emulator, { clientId, since, strict, isProfileChosen: true }))
    .results;
}
