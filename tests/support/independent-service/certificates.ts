import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as tls from '../../../src/http/certificates.ts';
import type { KeyAndCertificate } from './listener.ts';

/** An authority (`ca.pem` in the folder) and a certificate of it for 127.0.0.1 and localhost, valid for 800 days. */
export async function makeCertificates(
  directory: string,
  now = new Date(),
): Promise<KeyAndCertificate & { readonly caFile: string }> {
  const { ca, certificate, key } = await tls.makeCertificates(['127.0.0.1', 'localhost'], now);
  mkdirSync(directory, { recursive: true });
  const caFile = join(directory, 'ca.pem');
  writeFileSync(caFile, ca);
  return { key, cert: certificate, caFile };
}

/** The same, and neither is valid any more. */
export function makeExpiredCertificate(directory: string): ReturnType<typeof makeCertificates> {
  return makeCertificates(directory, new Date('2020-01-01'));
}
