/** The gateway between browser and service: the client certificate goes to the service alone, everything else passes unread. */

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { TLSSocket } from 'node:tls';
import { expect, test } from '@playwright/test';
import { openTunnel } from '../../src/http/connections.ts';
import { nodeTransport } from '../../src/http/node-transport.ts';
import { findBrowser } from '../../src/service/agent/browser/find-browser.ts';
import { launchBrowser } from '../../src/service/agent/browser/launch.ts';
import { startPageGateway } from '../../src/service/page-gateway.ts';
import {
  type GuardCertificates,
  makeGuardCertificates,
  PASSPHRASE,
} from '../support/guarded/certificates.ts';
import { makeCertificates } from '../support/independent-service/certificates.ts';
import { type OnLoopback, onLoopback } from '../support/on-loopback.ts';

test.skip(spawnSync('openssl', ['version']).error !== undefined, 'needs the program openssl');

/** An HTTPS server that asks for a certificate, and says in its page whose it got. */
async function startAsking(identity: { key: string; cert: string }, ca: string): Promise<OnLoopback> {
  const server = createServer(
    { ...identity, ca, requestCert: true, rejectUnauthorized: false },
    (req, res) => {
      const subject = (req.socket as TLSSocket).getPeerX509Certificate()?.subject ?? 'nobody';
      res.setHeader('Content-Type', 'text/html').end(`<title>${subject}</title>`);
    },
  );
  return onLoopback(server);
}

let certificates: GuardCertificates;
let servers: OnLoopback[] = [];
test.beforeEach(() => {
  certificates = makeGuardCertificates(test.info().outputPath('certificates'));
});
test.afterEach(async () => {
  await Promise.all(servers.map((server) => server.close()));
  servers = [];
});

async function asking(identity = certificates.identity): Promise<string> {
  const server = await startAsking(identity, certificates.ca);
  servers.push(server);
  return server.origin;
}

function connectionOptionsOf(service: string) {
  const certificate = {
    cert: readFileSync(certificates.certFile),
    key: readFileSync(certificates.encryptedKeyFile),
    passphrase: PASSPHRASE,
  };
  return { ca: certificates.ca, client: { origins: new Set([service]), certificate } };
}

test('pages of the service see the certificate; those of others do not, and the browser verifies them itself', async () => {
  const found = await findBrowser();
  test.skip(found === undefined, 'needs a browser');
  const [service, sameAuthority] = [await asking(), await asking()];
  const unknown = await asking(await makeCertificates(test.info().outputPath('other')));
  const client = await asking();
  const gateway = await startPageGateway({
    connectionOptions: connectionOptionsOf(service),
    opened: new Set([service, sameAuthority]),
    mayConnectTo: (_, port) => port !== Number(new URL(client).port),
  });
  const { browser } = await launchBrowser({
    executablePath: found?.executablePath,
    redirectUris: [],
    serviceUrls: [service],
    onlyService: true,
    proxy: gateway.address,
    trustedKeys: [gateway.key],
  });
  try {
    const page = await browser.newPage();
    const titleAt = async (address: string) => {
      await page.goto(address);
      return page.title();
    };
    expect(await titleAt(service)).toBe('CN=client');
    expect(await titleAt(sameAuthority)).toBe('nobody');
    await expect(page.goto(unknown)).rejects.toThrow('ERR_CERT_AUTHORITY_INVALID');
    await expect(page.goto(client)).rejects.toThrow('ERR_TUNNEL_CONNECTION_FAILED');
    const { port } = gateway.address;
    // Another process of this machine.
    await expect(openTunnel(new URL(`http://127.0.0.1:${port}`), new URL(service).host)).rejects.toThrow(
      'answered 407',
    );
  } finally {
    await browser.close();
    await gateway.close();
  }
});

test('requests to another origin do not carry it', async () => {
  const [service, other] = [await asking(), await asking()];
  const { transport, close } = nodeTransport(connectionOptionsOf(service));
  try {
    const titleAt = async (url: string) =>
      /<title>(.*)<\/title>/.exec((await transport({ method: 'GET', url, headers: [] })).body)?.[1];
    expect([await titleAt(service), await titleAt(other)]).toEqual(['CN=client', 'nobody']);
  } finally {
    close();
  }
});
