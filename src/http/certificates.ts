import 'reflect-metadata';
import { isIP } from 'node:net';
import * as x509 from '@peculiar/x509';

/** Key and certificate for an HTTPS listener, and the authority that clients trust. All PEM. */
export interface Certificates {
  /** Certificate of the authority created for this start. Its key is discarded after issuing one certificate. */
  readonly ca: string;
  readonly certificate: string;
  readonly key: string;
}

/** Starts one day early for slow clocks; ends within the limit of all platforms. */
const DAYS = { before: 1, after: 800 };

const DAY_MS = 86_400_000;

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

const AUTHORITY = 'CN=Legacy API emulator: certificate authority';

/** Creates an authority and a server certificate for these hosts and addresses (RFC 5280), with P-256 keys. */
export async function makeCertificates(hosts: readonly string[], now: Date): Promise<Certificates> {
  const [authority, server] = [await newKeys(), await newKeys()];
  const at = (days: number) => new Date(now.getTime() + days * DAY_MS);
  const issue = async (subject: string, { publicKey }: CryptoKeyPair, own: x509.Extension[]) => {
    const issued = await x509.X509CertificateGenerator.create({
      subject,
      issuer: AUTHORITY,
      notBefore: at(-DAYS.before),
      notAfter: at(DAYS.after),
      publicKey,
      signingKey: authority.privateKey,
      signingAlgorithm: ALGORITHM,
      extensions: [
        ...own,
        await x509.SubjectKeyIdentifierExtension.create(publicKey),
        await x509.AuthorityKeyIdentifierExtension.create(authority.publicKey),
      ],
    });
    return `${issued.toString('pem')}\n`;
  };
  const names = hosts.map((value) => ({
    type: isIP(value) === 0 ? ('dns' as const) : ('ip' as const),
    value,
  }));
  const pkcs8 = await crypto.subtle.exportKey('pkcs8', server.privateKey);
  return {
    ca: await issue(AUTHORITY, authority, [
      new x509.BasicConstraintsExtension(true, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
    ]),
    certificate: await issue('CN=Legacy API emulator', server, [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension(names),
    ]),
    key: `${x509.PemConverter.encode(pkcs8, 'PRIVATE KEY')}\n`,
  };
}

const newKeys = (): Promise<CryptoKeyPair> => crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
