import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isIPv4, isIPv6 } from 'node:net';

/** The part of DER (ITU-T X.690) that X.509 needs: a value is its tag, length and content. */

function der(tag: number, ...content: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(content);
  return Buffer.concat([Buffer.from([tag]), lengthOf(body.length), body]);
}

const sequence = (...content: readonly Uint8Array[]): Buffer => der(0x30, ...content);

const set = (...content: readonly Uint8Array[]): Buffer => der(0x31, ...content);

const utf8 = (text: string): Buffer => der(0x0c, Buffer.from(text));

const octets = (content: Uint8Array): Buffer => der(0x04, content);

const TRUE: Buffer = der(0x01, Buffer.from([0xff]));

function integer(bytes: Uint8Array): Buffer {
  const positive = (bytes[0] ?? 0) < 0x80 ? bytes : Buffer.concat([Buffer.from([0]), bytes]);
  return der(0x02, positive);
}

/** Encodes a BIT STRING; `unused` counts the unused bits at its end. */
const bits = (content: Uint8Array, unused = 0): Buffer => der(0x03, Buffer.from([unused]), content);

function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return der(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

/** Encodes UTCTime until 2049, GeneralizedTime from 2050 (RFC 5280 section 4.1.2.5). */
function time(date: Date): Buffer {
  const digits = date.toISOString().replace(/[-:T]|\.\d+/g, '');
  return date.getUTCFullYear() < 2050
    ? der(0x17, Buffer.from(digits.slice(2)))
    : der(0x18, Buffer.from(digits));
}

function lengthOf(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length]);
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  return Buffer.from([0x80 | bytes.length, ...bytes]);
}

function base128(value: number): number[] {
  const bytes = [value % 128];
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128)) {
    bytes.unshift((rest % 128) | 0x80);
  }
  return bytes;
}

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

/** Creates an authority and a server certificate for these hosts and addresses (RFC 5280), with P-256 keys. */
export function makeCertificates(hosts: readonly string[], now: Date): Certificates {
  const authority = { name: 'Legacy API emulator: certificate authority', keys: newKeys() };
  const server = { name: 'Legacy API emulator', keys: newKeys() };
  const ca = issue(authority, authority, CA_EXTENSIONS, now);
  const certificate = issue(authority, server, serverExtensions(hosts), now);
  return {
    ca: pem('CERTIFICATE', ca),
    certificate: pem('CERTIFICATE', certificate),
    key: server.keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

interface Subject {
  readonly name: string;
  readonly keys: { readonly publicKey: KeyObject; readonly privateKey: KeyObject };
}

const newKeys = (): Subject['keys'] => generateKeyPairSync('ec', { namedCurve: 'P-256' });

/** ecdsa-with-SHA256 (RFC 5758 section 3.2). */
const SIGNATURE = sequence(oid('1.2.840.10045.4.3.2'));

const CA_EXTENSIONS = [
  extension('2.5.29.19', sequence(TRUE), 'critical'),
  extension('2.5.29.15', bits(Buffer.from([0x06]), 1), 'critical'),
];

function serverExtensions(hosts: readonly string[]): readonly Buffer[] {
  return [
    extension('2.5.29.19', sequence(), 'critical'),
    extension('2.5.29.15', bits(Buffer.from([0x80]), 7), 'critical'),
    extension('2.5.29.37', sequence(oid('1.3.6.1.5.5.7.3.1'))),
    extension('2.5.29.17', sequence(...hosts.map(alternativeName))),
  ];
}

function issue(issuer: Subject, subject: Subject, extensions: readonly Buffer[], now: Date): Buffer {
  const at = (days: number) => time(new Date(now.getTime() + days * DAY_MS));
  const certified = sequence(
    der(0xa0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([1]), randomBytes(15)])),
    SIGNATURE,
    nameOf(issuer),
    sequence(at(-DAYS.before), at(DAYS.after)),
    nameOf(subject),
    publicKeyInfo(subject),
    der(
      0xa3,
      sequence(
        ...extensions,
        extension('2.5.29.14', octets(keyIdentifier(subject))),
        extension('2.5.29.35', sequence(der(0x80, keyIdentifier(issuer)))),
      ),
    ),
  );
  const signature = sign('sha256', certified, issuer.keys.privateKey);
  return sequence(certified, SIGNATURE, bits(signature));
}

function extension(id: string, value: Buffer, critical?: 'critical'): Buffer {
  return sequence(oid(id), ...(critical === undefined ? [] : [TRUE]), octets(value));
}

function nameOf({ name }: Subject): Buffer {
  return sequence(set(sequence(oid('2.5.4.3'), utf8(name))));
}

function publicKeyInfo({ keys }: Subject): Buffer {
  return keys.publicKey.export({ type: 'spki', format: 'der' });
}

/** Hashes only the key's point, here its last 65 bytes (RFC 5280 section 4.2.1.2, method 1). */
function keyIdentifier(subject: Subject): Buffer {
  return createHash('sha1').update(publicKeyInfo(subject).subarray(-65)).digest();
}

function alternativeName(host: string): Buffer {
  if (isIPv4(host)) return der(0x87, Buffer.from(host.split('.').map(Number)));
  if (isIPv6(host)) return der(0x87, ipv6Bytes(host));
  return der(0x82, Buffer.from(host, 'latin1'));
}

function ipv6Bytes(address: string): Buffer {
  const groups = (text: string) => (text === '' ? [] : text.split(':'));
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const [before, after] = [groups(head), groups(tail ?? '')];
  const between = tail === undefined ? 0 : 8 - before.length - after.length;
  const all = [...before, ...Array<string>(between).fill('0'), ...after];
  return Buffer.from(all.map((group) => group.padStart(4, '0')).join(''), 'hex');
}

function pem(label: string, bytes: Buffer): string {
  const lines = bytes.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
}
