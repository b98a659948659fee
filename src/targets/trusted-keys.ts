import { createHash } from 'node:crypto';
import { openTls, type Reach } from '../exchange/connections.ts';

/**
 * The public keys of services whose certificates were verified against the extra authorities, as Chromium's
 * `--ignore-certificate-errors-spki-list` wants them: SHA-256 of the key's SPKI, base64.
 *
 * Chromium takes no authorities on its command line, and a database of them needs tools that most machines lack. So the
 * certificates are verified here, host name and validity included, and the browser is told to accept exactly these keys,
 * never an authority's: whoever holds none of the services' private keys is still refused.
 *
 * @param origins where pages come from; those without TLS, and those that cannot be verified, give no key: the browser
 *   then refuses them itself, and says why
 */
export async function trustedKeys(origins: readonly string[], reach: Reach): Promise<readonly string[]> {
  const secure = [...new Set(origins.map((origin) => new URL(origin).origin))].filter((o) =>
    o.startsWith('https:'),
  );
  const keys = await Promise.all(secure.map((origin) => keyOf(new URL(origin), reach)));
  return [...new Set(keys.filter((key) => key !== undefined))];
}

async function keyOf(origin: URL, reach: Reach): Promise<string | undefined> {
  try {
    const socket = await openTls(origin.hostname, Number(origin.port || 443), reach);
    const certificate = socket.getPeerX509Certificate();
    socket.destroy();
    const spki = certificate?.publicKey.export({ type: 'spki', format: 'der' });
    return spki && createHash('sha256').update(spki).digest('base64');
  } catch {
    return undefined;
  }
}
