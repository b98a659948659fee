import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { recordFlow } from '../contracts/recordings/record-flow.ts';
import {
  compareRecordings,
  parseRecording,
  type Recording,
  renderRecording,
} from '../contracts/recordings/recording.ts';
import { UsageError } from '../input/usage-error.ts';
import { linesListing } from '../report/listing.ts';
import { printable } from '../report/printable.ts';
import type { RunTrouble } from '../report/results.ts';
import { conclude, EXIT, type ExitCode } from '../report/verdict.ts';
import { SecretRegistry } from '../secrets/registry.ts';
import { openTarget, type TargetChoice } from '../targets/open-target.ts';
import { finish } from './finish.ts';
import { describeTarget, withSession, withTarget } from './prepare.ts';
import { printError } from './print.ts';
import { requireWritableFolder } from './write-files.ts';

export interface RecordRequest {
  readonly target: string;
  readonly profile: string;
  readonly out: string;
  readonly report: string;
  readonly check: boolean;
  readonly signal: AbortSignal;
}

export async function runRecord(request: RecordRequest): Promise<ExitCode> {
  const { summary, choice } = await describeTarget({ ...request, defects: [] });
  if (summary.kind === 'live') requireWritableFolder('--report', request.report);
  const file = join(request.out, `${fileNameOf(summary.name)}.json`);
  const before = request.check ? await readBefore(file) : undefined;
  if (!request.check) requireWritableFolder('--out', request.out);
  const secrets = new SecretRegistry();
  const recording = await record(request, choice, secrets);
  if ('kind' in recording) {
    printError(`nothing was recorded: ${printable(secrets.redact(recording.message))}\n`);
    return EXIT[recording.kind];
  }
  const { exchanges, of } = recording;
  const violations = before === undefined ? [] : compareRecordings(before, recording);
  const outcome = conclude({ troubles: [], violations, gaps: [], evaluatedCount: exchanges.length });
  const said = before === undefined ? 'recorded' : violations.length === 0 ? 'unchanged' : 'different';
  return finish({
    listing: linesListing(`${exchanges.length} exchanges of ${of}: ${file}`, outcome, [], said),
    secrets,
    files: before === undefined ? [{ path: file, text: renderRecording(recording) }] : [],
  });
}

async function readBefore(file: string): Promise<Recording> {
  if (!existsSync(file)) throw new UsageError(`--check: there is no recording ${file}; record first`);
  return parseRecording(await readFile(file, 'utf8'), file);
}

/** Ctrl+C stops after the current request, so that no user stays assigned. */
function record(
  { report, signal }: RecordRequest,
  choice: TargetChoice,
  secrets: SecretRegistry,
): Promise<Recording | RunTrouble> {
  return withTarget(openTarget({ ...choice, report: resolve(report) }, secrets), (opened) =>
    withSession(opened, secrets, (session) => recordFlow(session, signal)),
  );
}

function fileNameOf(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}
