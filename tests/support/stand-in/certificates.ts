import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KeyAndCertificate } from './listener.ts';
import { SettingsError } from './settings.ts';

function openssl(cwd: string, args: readonly string[]): void {
  try {
    execFileSync('openssl', args, { cwd, stdio: ['ignore', 'ignore', 'pipe'] });
  } catch (error) {
    const missing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    throw new SettingsError(
      missing
        ? 'STAND_IN_TLS=1 needs the program `openssl` (Node cannot make certificates), and there is none; install it'
        : `openssl ${args[0]} failed: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];

/**
 * Makes a private authority and a certificate of it for 127.0.0.1 and localhost, valid for one day. Only the
 * authority's certificate stays on disk; no private key does.
 *
 * @param directory where `ca.pem` is written; made if need be
 * @throws {SettingsError} when there is no `openssl`, or it fails
 */
export function makeCertificates(directory: string): KeyAndCertificate & { readonly caFile: string } {
  const work = mkdtempSync(join(tmpdir(), 'stand-in-'));
  try {
    const config = [
      '[req]',
      'distinguished_name = dn',
      '[dn]',
      '[ca]',
      'basicConstraints = critical, CA:TRUE, pathlen:0',
      'keyUsage = critical, keyCertSign, cRLSign',
      'subjectKeyIdentifier = hash',
      '[leaf]',
      'basicConstraints = critical, CA:FALSE',
      'keyUsage = critical, digitalSignature',
      'extendedKeyUsage = serverAuth',
      'subjectAltName = IP:127.0.0.1, DNS:localhost',
    ].join('\n');
    writeFileSync(join(work, 'openssl.cnf'), `${config}\n`);
    const shared = ['-config', 'openssl.cnf'];
    const authority = ['-keyout', 'ca.key', '-out', 'ca.pem', '-subj', '/CN=Stand-in private authority'];
    openssl(work, ['req', '-x509', ...shared, ...NEW_KEY, ...authority, '-extensions', 'ca', '-days', '1']);
    openssl(work, [
      'req',
      ...shared,
      ...NEW_KEY,
      '-keyout',
      'leaf.key',
      '-out',
      'leaf.csr',
      '-subj',
      '/CN=127.0.0.1',
    ]);
    const signing = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-set_serial', '2', '-days', '1'];
    const extensions = ['-extfile', 'openssl.cnf', '-extensions', 'leaf'];
    openssl(work, ['x509', '-req', '-in', 'leaf.csr', '-out', 'leaf.pem', ...signing, ...extensions]);

    mkdirSync(directory, { recursive: true });
    const caFile = join(directory, 'ca.pem');
    copyFileSync(join(work, 'ca.pem'), caFile);
    return {
      key: readFileSync(join(work, 'leaf.key'), 'utf8'),
      cert: readFileSync(join(work, 'leaf.pem'), 'utf8'),
      caFile,
    };
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
