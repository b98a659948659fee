import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { createSecureContext, type SecureContextOptions } from 'node:tls';
import type { ConfigurationFile } from '../../generated/schemas.d.ts';
import type { ConfigurationProblem } from './configuration-error.ts';
import type { Resolved } from './resolve-references.ts';

export type ClientCertificate = Pick<SecureContextOptions, 'cert' | 'key' | 'pfx' | 'passphrase'>;

export interface TlsSettings {
  /** PEM certificates trusted in addition to Node's. */
  readonly ca?: string;
  readonly pageOrigins: readonly string[];
  readonly client?: ClientCertificate;
}

type Written = NonNullable<Resolved<ConfigurationFile>['tls']>;

/** A file that cannot be used. Completes "tls.… expected …, got …". */
class Unusable extends Error {
  readonly problem: ConfigurationProblem;

  constructor(key: readonly string[], expected: string, actual: string, advice?: string) {
    super(actual);
    this.problem = { path: ['tls', ...key], expected, actual, advice };
  }
}

export function readTls(
  tls: Written | undefined,
  file: string,
): { readonly tls?: TlsSettings; readonly problems: readonly ConfigurationProblem[] } {
  if (tls === undefined) return { problems: [] };
  const problems: ConfigurationProblem[] = [];
  const read = <T>(work: () => T): T | undefined => {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof Unusable)) throw error;
      problems.push(error.problem);
      return undefined;
    }
  };
  const { caFile, client, pageOrigins = [] } = tls;
  const ca =
    caFile === undefined
      ? undefined
      : read(() => certificates(['caFile'], 'a file with certificates (PEM)', caFile, file));
  const own = client && read(() => ('pfxFile' in client ? pfx(client, file) : pem(client, file)));
  return { tls: { ca, pageOrigins, client: own }, problems };
}

/** Returns the body of a PEM key, which no output may contain. */
export function keyBodies(client: ClientCertificate | undefined): readonly string[] {
  const body = /-----BEGIN [^-]+-----\s+([\s\S]+?)\s+-----END/.exec(String(client?.key ?? ''))?.[1];
  return body === undefined ? [] : [body, body.replaceAll(/\s/g, '')];
}

function certificates(key: readonly string[], expected: string, name: string, file: string): string {
  const text = contents(key, expected, name, file).toString('utf8');
  try {
    new X509Certificate(text);
  } catch {
    throw new Unusable(key, `${expected}, relative to the configuration`, 'a file without a certificate');
  }
  return text;
}

function contents(key: readonly string[], expected: string, name: string, file: string): Buffer {
  try {
    return readFileSync(resolve(dirname(file), name));
  } catch {
    throw new Unusable(key, `${expected}, relative to the configuration`, 'a path without a readable file');
  }
}

type ClientFiles<Key extends string> = Extract<NonNullable<Written['client']>, Readonly<Record<Key, string>>>;

function pem({ certFile, keyFile, passphrase }: ClientFiles<'certFile'>, file: string): ClientCertificate {
  const key = ['client', 'certFile'];
  const cert = certificates(key, 'a file with the client certificate (PEM)', certFile, file);
  const certificate = new X509Certificate(cert);
  if (Date.parse(certificate.validTo) < Date.now()) {
    const actual = `one that expired on ${new Date(certificate.validTo).toISOString().slice(0, 10)}`;
    throw new Unusable(key, 'a certificate that is valid today', actual, 'have it renewed');
  }
  const at = ['client', 'keyFile'];
  const text = contents(at, 'a file with the private key (PEM)', keyFile, file).toString('utf8');
  let opened: ReturnType<typeof createPrivateKey>;
  try {
    opened = createPrivateKey({ key: text, passphrase });
  } catch {
    if (text.includes('ENCRYPTED')) throw wrongPassphrase(passphrase);
    throw new Unusable(at, 'a file with the private key (PEM)', 'a file without a readable key');
  }
  if (!certificate.checkPrivateKey(opened))
    throw new Unusable(at, 'the private key of `tls.client.certFile`', 'the key of another certificate');
  return { cert, key: text, passphrase };
}

function pfx({ pfxFile, passphrase }: ClientFiles<'pfxFile'>, file: string): ClientCertificate {
  const key = ['client', 'pfxFile'];
  const expected = 'a file with certificate and key (PFX)';
  const read = { pfx: contents(key, expected, pfxFile, file), passphrase };
  try {
    createSecureContext(read);
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    if (/mac verify/.test(message)) throw wrongPassphrase(passphrase);
    if (code !== 'ERR_CRYPTO_UNSUPPORTED_OPERATION') throw new Unusable(key, expected, 'another file');
    const convert = 'convert it: `openssl pkcs12 -legacy -in OLD -nodes | openssl pkcs12 -export -out NEW`';
    throw new Unusable(key, expected, 'one in an old encryption (RC2) that Node cannot read', convert);
  }
  return read;
}

function wrongPassphrase(passphrase: string | undefined): Unusable {
  const actual = passphrase === undefined ? 'nothing' : 'a wrong one';
  return new Unusable(['client', 'passphrase'], 'the passphrase that opens the key', actual);
}
