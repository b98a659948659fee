import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Document } from 'yaml';
import { validateKnownDeviations } from '../../../generated/validators.js';
import { UsageError } from '../../document/input/usage-error.ts';
import { loadLocatedYaml } from '../../document/load-yaml.ts';
import type { SecretRegistry } from '../../http/secrets/registry.ts';
import { countText } from '../../report/count-text.ts';
import { type KnownDeviation, type ListedDeviation, signedFailures } from '../../report/policy.ts';
import type { Run } from '../../report/verdict.ts';
import { whyWithheld, writeWhole } from './write-files.ts';

const USUAL_NAME = 'known-deviations.yaml';

/** Days until a proposed deviation expires: enough to agree on it, too few to forget it. */
const PROPOSED_DAYS = 90;

/** Reads the known deviations of a target. @throws SpecFileError for a file that is none */
export function loadKnownDeviations(asked: string | undefined, target: string): readonly ListedDeviation[] {
  const usual = join(dirname(target), USUAL_NAME);
  const file = asked ?? (target !== 'emulator' && existsSync(usual) ? usual : undefined);
  if (file === undefined) return [];
  const { value, lineOf } = loadLocatedYaml(file, validateKnownDeviations);
  return value.deviations.map((entry, index) => ({
    ...entry,
    at: `${file}:${lineOf(['deviations', index])}`,
  }));
}

/** @throws UsageError if the file for proposals exists: nothing is overwritten */
export function requireNoSuchFile(proposals: string | undefined): void {
  if (proposals === undefined || !existsSync(proposals)) return;
  throw new UsageError(
    `--propose-deviations: expected a file that is not there yet, but there is a ${proposals}: name another, or move it away`,
  );
}

/** Writes the failures of a run as known deviations to agree on. Returns a sentence about it. */
export async function proposeDeviations(file: string, run: Run, secrets: SecretRegistry): Promise<string> {
  const breaches = signedFailures(run);
  if (breaches.length === 0) return 'known deviations: nothing to propose, no file was written';
  const text = proposalText(run);
  const leak = whyWithheld(file, text, secrets);
  if (leak !== undefined) throw new Error(leak);
  requireNoSuchFile(file);
  await writeWhole(file, text);
  return `${countText(breaches.length, 'known deviation')} proposed in ${file}: read each, say why it is accepted, and give the file with --known-deviations`;
}

export function proposalText(run: Run): string {
  const until = new Date(Date.parse(run.startedAt) + PROPOSED_DAYS * 86_400_000).toISOString().slice(0, 10);
  const breaches = signedFailures(run);
  const deviations = breaches.map(
    ({ id, signature }): KnownDeviation => ({
      requirement: id,
      signature,
      why: 'not agreed yet',
      ticket: 'none yet',
      until,
    }),
  );
  const document = new Document({ deviations });
  document.commentBefore = [
    ` What ${run.target.name} was seen to break on ${run.startedAt.slice(0, 10)}, proposed by \`check --propose-deviations\`.`,
    ' Each entry is accepted until its date, as long as the failure has this signature. Say why, and where it was agreed.',
  ].join('\n');
  return document.toString({ lineWidth: 0 });
}
