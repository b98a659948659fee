import { aspectIds } from '../../document/profiles/aspects.ts';
import type { Profile } from '../../document/profiles/profile.ts';
import type { Observed } from '../../record/observe/observe.ts';
import { firstOf } from '../../report/count-text.ts';
import type { ExitCode } from '../../report/verdict.ts';
import { print } from '../shared/print.ts';
import { whyUnwritten, writeWhole } from '../shared/write-files.ts';
import { concludeObservation, type ObservationRequest, printProgress, runObservation } from './run.ts';

/**
 * The verb `observe`: runs the probes on a target and writes a profile. Its `signal` aborts it.
 *
 * @returns the exit code: 0 even if an aspect cannot be observed, 3 for a missing answer
 * @throws UsageError, ConfigurationError before anything is sent
 */
export async function observeTarget(request: ObservationRequest): Promise<ExitCode> {
  const { out } = request;
  const begun = performance.now();
  const observed = await runObservation(request);
  const { secrets, record, seen } = observed;
  const troubles = [...observed.troubles];
  if (record !== undefined && out !== undefined && troubles.length === 0)
    for (const message of await whyUnwritten(out, writeWhole(out, record.text)))
      troubles.push({ kind: 'broken', message });
  // A profile that must not be written is not printed either.
  const kept = troubles.length === 0 ? record : undefined;
  if (kept !== undefined && out === undefined) print(kept.text);
  for (const sentence of seen) printProgress(secrets.redact(sentence));
  if (record !== undefined)
    printSummary(record.observed, record.profile, performance.now() - begun, kept && out);
  const { exitCode, because } = concludeObservation(observed, troubles);
  for (const sentence of because) printProgress(sentence);
  return exitCode;
}

/** All that an earlier consent hides are named. */
const MOST_NAMED = 4;

function printSummary(observed: Observed, profile: Profile, ms: number, out: string | undefined): void {
  const { answers, unseen, requests } = observed;
  printProgress(
    `seen ${answers.size} of ${aspectIds.length} aspects with ${requests} requests in ${(ms / 1000).toFixed(1)} s`,
  );
  const byReason = Map.groupBy(unseen, ([, { reason }]) => reason);
  for (const [reason, aspects] of byReason)
    printProgress(
      `  not observed: ${firstOf(
        aspects.map(([aspect]) => aspect),
        MOST_NAMED,
      )}: ${reason}`,
    );
  const beyond = profile.observed?.notExpressed ?? [];
  if (beyond.length > 0)
    printProgress(`  seen, and more than the emulator can imitate: ${firstOf(beyond, MOST_NAMED)}`);
  if (out !== undefined) printProgress(`profile: ${out} (${profile.digest})`);
}
