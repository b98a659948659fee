import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KeyAndCertificate } from '../independent-service/listener.ts';

export const PASSPHRASE = 'canary passphrase of the key';

/** An authority, a server's identity, and the files of a client that the authority knows. */
export interface GuardCertificates {
  readonly identity: KeyAndCertificate;
  readonly ca: string;
  readonly caFile: string;
  readonly certFile: string;
  readonly keyFile: string;
  readonly encryptedKeyFile: string;
  readonly pfxFile: string;
  /** Of an authority that the server does not know. */
  readonly strangerCertFile: string;
  readonly strangerKeyFile: string;
}

const CONFIGURATION = `
[req]
distinguished_name = dn
[dn]
[ca]
basicConstraints = critical, CA:TRUE
keyUsage = critical, keyCertSign, cRLSign
[server]
extendedKeyUsage = serverAuth
subjectAltName = IP:127.0.0.1, DNS:localhost
[client]
extendedKeyUsage = clientAuth
`;

const KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];

export function makeGuardCertificates(directory: string): GuardCertificates {
  mkdirSync(directory, { recursive: true });
  const at = (name: string) => join(directory, name);
  writeFileSync(at('openssl.cnf'), CONFIGURATION);
  const openssl = (...args: readonly string[]) =>
    execFileSync('openssl', args, { cwd: directory, stdio: ['ignore', 'ignore', 'pipe'] });
  const authority = (name: string) => {
    const files = ['-keyout', `${name}.key`, '-out', `${name}.pem`, '-subj', `/CN=${name}`];
    openssl('req', '-x509', '-config', 'openssl.cnf', ...KEY, ...files, '-extensions', 'ca', '-days', '2');
  };
  const leaf = (name: string, extensions: 'server' | 'client', by: string) => {
    const files = ['-keyout', `${name}.key`, '-out', `${name}.csr`, '-subj', `/CN=${name}`];
    openssl('req', '-config', 'openssl.cnf', ...KEY, ...files);
    const signing = ['-CA', `${by}.pem`, '-CAkey', `${by}.key`, '-CAcreateserial', '-days', '2'];
    const out = ['-extfile', 'openssl.cnf', '-extensions', extensions, '-out', `${name}.pem`];
    openssl('x509', '-req', '-in', `${name}.csr`, ...signing, ...out);
  };
  authority('authority');
  authority('other');
  leaf('server', 'server', 'authority');
  leaf('client', 'client', 'authority');
  leaf('stranger', 'client', 'other');
  const encrypted = ['-aes256', '-passout', `pass:${PASSPHRASE}`, '-out', 'client.encrypted.key'];
  openssl('ec', '-in', 'client.key', ...encrypted);
  const pfx = ['-passout', `pass:${PASSPHRASE}`, '-out', 'client.pfx'];
  openssl('pkcs12', '-export', '-inkey', 'client.key', '-in', 'client.pem', ...pfx);
  return {
    identity: { key: readFileSync(at('server.key'), 'utf8'), cert: readFileSync(at('server.pem'), 'utf8') },
    ca: readFileSync(at('authority.pem'), 'utf8'),
    caFile: at('authority.pem'),
    certFile: at('client.pem'),
    keyFile: at('client.key'),
    encryptedKeyFile: at('client.encrypted.key'),
    pfxFile: at('client.pfx'),
    strangerCertFile: at('stranger.pem'),
    strangerKeyFile: at('stranger.key'),
  };
}
