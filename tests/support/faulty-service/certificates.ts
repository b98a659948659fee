import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KeyAndCertificate } from '../stand-in/listener.ts';

const CONFIGURATION = `
[ca]
default_ca = own
[own]
database = index.txt
new_certs_dir = .
rand_serial = yes
default_md = sha256
policy = any
[any]
commonName = supplied
[req]
distinguished_name = any
[leaf]
subjectAltName = IP:127.0.0.1
`;

const KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];

/**
 * Makes a certificate for 127.0.0.1 that ended in 2020, and the authority that vouches for it.
 *
 * @param directory where everything is made; in a test's own output folder
 */
export function makeExpiredCertificate(directory: string): KeyAndCertificate & { readonly caFile: string } {
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, 'openssl.cnf'), CONFIGURATION);
  writeFileSync(join(directory, 'index.txt'), '');
  const openssl = (...args: readonly string[]) =>
    execFileSync('openssl', [...args, '-config', 'openssl.cnf'], { cwd: directory, stdio: 'ignore' });
  openssl('req', '-x509', ...KEY, '-keyout', 'ca.key', '-out', 'ca.pem', '-subj', '/CN=An authority');
  openssl('req', ...KEY, '-keyout', 'leaf.key', '-out', 'leaf.csr', '-subj', '/CN=127.0.0.1');
  const dates = ['-startdate', '20200101000000Z', '-enddate', '20200201000000Z'];
  const authority = ['-cert', 'ca.pem', '-keyfile', 'ca.key'];
  openssl(
    'ca',
    '-batch',
    ...authority,
    '-in',
    'leaf.csr',
    '-out',
    'leaf.pem',
    '-notext',
    '-extensions',
    'leaf',
    ...dates,
  );
  return {
    key: readFileSync(join(directory, 'leaf.key'), 'utf8'),
    cert: readFileSync(join(directory, 'leaf.pem'), 'utf8'),
    caFile: join(directory, 'ca.pem'),
  };
}
