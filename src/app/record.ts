import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { compareRecordings } from '../contracts/recordings/compare.ts';
import { recordFlow } from '../contracts/recordings/record-flow.ts';
import { parseRecording, type Recording, renderRecording } from '../contracts/recordings/recording.ts';
import { UsageError } from '../input/usage-error.ts';
import { printable } from '../report/printable.ts';
import type { RunTrouble } from '../report/results.ts';
import { conclude, EXIT, type ExitCode } from '../report/verdict.ts';
import { SecretRegistry } from '../secrets/registry.ts';
import { openTarget, type TargetChoice } from '../targets/open-target.ts';
import { describeTarget, withSession, withTarget } from './prepare.ts';
import { print, printError } from './print.ts';
import { requireWritableFolder, whyWithheld, writeWhole } from './write-files.ts';

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
  const text = renderRecording(recording);
  const leak = whyWithheld(file, text, secrets);
  if (leak !== undefined) {
    printError(`${leak}\n`);
    return EXIT.broken;
  }
  if (before !== undefined) return compared(file, before, recording);
  await writeWhole(file, text);
  print(`recorded ${recording.exchanges.length} exchanges of ${recording.of}: ${file}\n`);
  return EXIT.conforms;
}

function compared(file: string, before: Recording, now: Recording): ExitCode {
  const violations = compareRecordings(before, now);
  const evaluatedCount = now.exchanges.length;
  const { exitCode } = conclude({ troubles: [], violations, gaps: [], evaluatedCount });
  const headline =
    violations.length === 0
      ? `${evaluatedCount} exchanges of ${now.of} have the shape that ${file} recorded`
      : `${now.of} does not answer as ${file} recorded it:`;
  print(`${[headline, ...violations.map((line) => `  ${printable(line)}`)].join('\n')}\n`);
  return exitCode;
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
