import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RecordManifest } from '../../generated/schemas.d.ts';
import { validateManifest } from '../../generated/validators.js';
import { parseJson } from '../input/plain-data.ts';
import { UsageError } from '../input/usage-error.ts';
import { fileDigest, MANIFEST, type RecordFinding, recordFindings } from '../profiles/manifest.ts';
import { conclude, type ExitCode } from '../report/verdict.ts';
import { suiteDigest } from './own-package.ts';
import { print, printJson } from './print.ts';

/**
 * Compares a folder with the manifest in it and prints each difference.
 *
 * @returns 0 without a difference, else 1
 * @throws UsageError for a folder without a manifest
 */
export async function verifyRecord(folder: string, { json }: { readonly json: boolean }): Promise<ExitCode> {
  const file = join(folder, MANIFEST);
  if (!existsSync(file))
    throw new UsageError(
      `verify-record: expected a folder that \`observe --stories\` has written; ${file} is missing`,
    );
  const content = await readFile(file);
  const manifest = readManifest(content.toString('utf8'));
  const { found, signatures } = await filesIn(folder);
  const findings: readonly RecordFinding[] =
    manifest === undefined ? [{ file: MANIFEST, found: 'changed' }] : recordFindings(manifest, found);
  const violations = findings.map(({ file, found }) => `${file}: ${MEANING[found]}`);
  const evaluatedCount = manifest?.subject.length ?? 0;
  const { exitCode } = conclude({ troubles: [], violations, gaps: [], evaluatedCount });
  const digest = fileDigest(content);
  if (json) printJson({ exitCode, findings, manifest: { sha256: digest }, signatures });
  else {
    if (manifest !== undefined) print(await about(manifest));
    for (const line of violations) print(`  ${line}\n`);
    print(
      `${violations.length === 0 ? `unchanged: ${evaluatedCount} files` : 'not as recorded'} (exit ${exitCode})\n`,
    );
    print(`${MANIFEST}: sha256:${digest}\n${signed(signatures)}\n`);
  }
  return exitCode;
}

const MEANING: Readonly<Record<RecordFinding['found'], string>> = {
  changed: 'changed after the recording',
  missing: 'missing',
  additional: 'not part of the record',
};

function readManifest(text: string): RecordManifest | undefined {
  try {
    const written = parseJson(text);
    return validateManifest(written) ? written : undefined;
  } catch {
    return undefined;
  }
}

async function filesIn(folder: string) {
  const found = new Map<string, string | undefined>();
  const signatures: string[] = [];
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.name === MANIFEST) continue;
    if (entry.name.startsWith(`${MANIFEST}.`)) signatures.push(entry.name);
    else
      found.set(
        entry.name,
        entry.isFile() ? fileDigest(await readFile(join(folder, entry.name))) : undefined,
      );
  }
  return { found, signatures: signatures.sort() };
}

async function about({ predicate }: RecordManifest): Promise<string> {
  const { suite, target, recordedAt, requests } = predicate;
  const same = suite.digest.sha256 === (await suiteDigest()) ? 'this suite' : 'not this suite';
  return `record of ${target.name} (${target.kind}), ${recordedAt}, ${requests.probes} + ${requests.stories} requests
  suite ${suite.version}, sha256:${suite.digest.sha256.slice(0, 12)}…: ${same}
`;
}

function signed(signatures: readonly string[]): string {
  const without =
    'Digests show accidental changes. They do not show who made the record, or when: anyone can compute them.';
  return signatures.length === 0
    ? `${without} Sign ${MANIFEST} to show it.`
    : `${without} Verify the signature with its own tool: ${signatures.join(', ')}.`;
}
