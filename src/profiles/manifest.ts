import { createHash } from 'node:crypto';
import type { RecordManifest } from '../../generated/schemas.d.ts';
import { sha256 } from './answers-of.ts';

/** The statement about a record. Files named like it with an ending are signatures of it. */
export const MANIFEST = 'manifest.json';

type Predicate = RecordManifest['predicate'];

/** A difference between a record and its manifest. `additional`: the manifest does not name the file. */
export interface RecordFinding {
  readonly file: string;
  readonly found: 'changed' | 'missing' | 'additional';
}

/** Returns the SHA-256 of a file's content: 64 hexadecimal digits. */
export function fileDigest(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

/**
 * Returns the in-toto statement about a record.
 *
 * @param digests SHA-256 of each file by its name, hexadecimal
 */
export function manifestOf(
  digests: ReadonlyMap<string, string>,
  predicate: Omit<Predicate, 'checksum'>,
): RecordManifest {
  const statement = {
    _type: 'https://in-toto.io/Statement/v1' as const,
    subject: [...digests].map(([name, digest]) => ({ name, digest: { sha256: digest } })),
    predicateType: 'urn:legacy-api-conformance:record:1' as const,
    predicate,
  };
  return { ...statement, predicate: { ...predicate, checksum: sha256(statement) } };
}

/**
 * Compares a record with its manifest.
 *
 * @param found SHA-256 of each file by its name, hexadecimal, without the manifest and its signatures; undefined for what is no file
 */
export function recordFindings(
  manifest: RecordManifest,
  found: ReadonlyMap<string, string | undefined>,
): readonly RecordFinding[] {
  const { checksum, ...predicate } = manifest.predicate;
  const own: RecordFinding[] =
    checksum === sha256({ ...manifest, predicate }) ? [] : [{ file: MANIFEST, found: 'changed' }];
  const named = manifest.subject.flatMap(({ name, digest }): RecordFinding[] => {
    if (!found.has(name)) return [{ file: name, found: 'missing' }];
    return found.get(name) === digest.sha256 ? [] : [{ file: name, found: 'changed' }];
  });
  const names = new Set(manifest.subject.map(({ name }) => name));
  const more = [...found.keys()].filter((name) => !names.has(name)).sort();
  return [...own, ...named, ...more.map((file): RecordFinding => ({ file, found: 'additional' }))];
}
