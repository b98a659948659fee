import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { createSecureContext, type SecureContextOptions } from 'node:tls';
import type { ConfigurationFile } from '../../../generated/schemas.d.ts';
import type { Problem } from '../../document/describe-errors.ts';
import { orElse } from '../../http/or-else.ts';
import type { Resolved } from './resolve-references.ts';

type ClientCertificate = Pick<SecureContextOptions, 'cert' | 'key' | 'pfx' | 'passphrase'>;

export interface TlsSettings {
  /** PEM certificates trusted in addition to Node's. */
  readonly ca?: string;
  readonly pageOrigins: readonly string[];
  readonly client?: ClientCertificate;
}

/** Reads the files of `tls`, and adds the problems with them. */
export function readTls(
  tls: Resolved<ConfigurationFile>['tls'],
  file: string,
  problems: Problem[],
): TlsSettings | undefined {
  if (tls === undefined) return undefined;
  const before = problems.length;
  const refuse = (path: readonly string[], expected: string, actual: string) =>
    void problems.push({ path: ['tls', ...path], expected, actual });
  const contents = (path: readonly string[], name: string | undefined): Buffer | undefined => {
    if (name === undefined) return undefined;
    try {
      return readFileSync(resolve(dirname(file), name));
    } catch {
      const actual = 'a path without a readable file';
      return refuse(path, 'a file, relative to the configuration', actual);
    }
  };
  const ca = contents(['caFile'], tls.caFile)?.toString('utf8');
  if (ca !== undefined && orElse(() => new X509Certificate(ca), undefined) === undefined)
    refuse(['caFile'], 'a file with certificates (PEM)', 'a file without a certificate');
  const written: Partial<Record<'certFile' | 'keyFile' | 'pfxFile' | 'passphrase', string>> | undefined =
    tls.client;
  const client = written && {
    cert: contents(['client', 'certFile'], written.certFile),
    key: contents(['client', 'keyFile'], written.keyFile),
    pfx: contents(['client', 'pfxFile'], written.pfxFile),
    passphrase: written.passphrase,
  };
  const reason = client && problems.length === before ? refusedByOpenSsl(client) : undefined;
  if (reason !== undefined)
    refuse(
      ['client'],
      'a certificate with its private key, and the passphrase that opens the key',
      `files that OpenSSL does not accept (${reason})`,
    );
  return { ca, pageOrigins: tls.pageOrigins ?? [], client };
}

/** Returns the body of a PEM key, which no output may contain. */
export function keyBodies(client: ClientCertificate | undefined): readonly string[] {
  const body = /-----BEGIN [^-]+-----\s+([\s\S]+?)\s+-----END/.exec(String(client?.key ?? ''))?.[1];
  return body === undefined ? [] : [body, body.replaceAll(/\s/g, '')];
}

function refusedByOpenSsl(client: ClientCertificate): string | undefined {
  try {
    createSecureContext(client);
    return undefined;
  } catch (error) {
    return (error as Error).message.split('::').at(-1);
  }
}
