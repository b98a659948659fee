import { mkdirSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { ConfigurationFile } from '../../../generated/schemas.d.ts';
import { type Emulator, startEmulator } from '../../../src/emulator/start/start-emulator.ts';
import { emulatorSecrets, emulatorSettings } from '../emulator-settings.ts';
import { type KeyAndCertificate, listen } from '../independent-service/listener.ts';
import type { WrittenConfiguration } from '../live-config.ts';
import type { Fault } from './faults.ts';

/** A live service on loopback sockets that goes wrong when it is told to. */
export interface FaultyService {
  /** From now on every request goes through this first; undefined for a service in good health. */
  suffer(fault: Fault | undefined): void;
  /** The requests, `POST /oauth/token`, in the order of arrival. */
  readonly asked: readonly string[];
  readonly tokenRequests: readonly string[];
  /** Good health, the state of the beginning, and nothing asked yet. */
  reset(): void;
  /** The configuration of this service, as somebody would write it for staging, without pacing. */
  readonly settings: ConfigurationFile;
  /** Writes the configuration into a folder; `change` replaces top-level keys. */
  configure(directory: string, change?: Partial<ConfigurationFile>): WrittenConfiguration;
  close(): Promise<void>;
}

/** Starts two real servers (with `tls`: HTTPS), with the emulator and its `defects` behind them. */
export async function startFaultyService({
  tls,
  defects = [],
}: {
  readonly tls?: KeyAndCertificate;
  readonly defects?: readonly string[];
} = {}): Promise<FaultyService> {
  const emulator = await startEmulator({ listen: false, defects });
  const [auth, api] = await Promise.all([listen(tls), listen(tls)]);
  const asked: string[] = [];
  const tokenRequests: string[] = [];
  let fault: Fault | undefined;
  const serve = (behind: string, own: string) => async (req: IncomingMessage, res: ServerResponse) => {
    const path = (req.url ?? '/').split('?')[0];
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    asked.push(`${req.method} ${path}`);
    if (req.method === 'POST' && path === '/oauth/token') tokenRequests.push(body.toString());
    const passOn = () => answerOf(emulator, behind, own, req, body);
    if (await fault?.(req, res, passOn)) return;
    const { status, headers, cookies, content } = await passOn();
    for (const [name, value] of headers) res.setHeader(name, value);
    if (cookies.length > 0) res.setHeader('Set-Cookie', cookies);
    res.writeHead(status).end(content);
  };
  auth.serve(serve(emulator.authUrl, auth.origin));
  api.serve(serve(emulator.baseUrl, api.origin));
  const own = emulatorSettings(emulator, { authUrl: auth.origin, baseUrl: api.origin });
  const consent = { ...own.consent, settleMs: 100 };
  const settings = { ...own, consent, pacing: { requestsPerSecond: 1_000 } };
  const env = emulatorSecrets(emulator);
  return {
    asked,
    tokenRequests,
    settings,
    suffer: (next) => {
      fault = next;
    },
    reset: () => {
      fault = undefined;
      asked.length = 0;
      tokenRequests.length = 0;
      emulator.control.forgetConsent();
      emulator.control.restoreAssignments();
    },
    configure: (directory, change = {}) => {
      mkdirSync(directory, { recursive: true });
      const file = join(directory, 'conformance.config.json');
      writeFileSync(file, JSON.stringify({ ...settings, ...change }, null, 2));
      return { file, env };
    },
    close: async () => {
      await Promise.all([auth.close(), api.close()]);
      await emulator.close();
    },
  };
}

/** Returns the emulator's answer, its own address replaced by the server's in front of it. */
async function answerOf(emulator: Emulator, behind: string, own: string, req: IncomingMessage, body: Buffer) {
  const headers = new Headers();
  for (const [name, value] of Object.entries(req.headers)) {
    if (typeof value === 'string' && name !== 'host') headers.set(name, value.replaceAll(own, behind));
  }
  const { method = 'GET', url = '/' } = req;
  const sent = body.length === 0 ? {} : { body: new Uint8Array(body) };
  const answer = await emulator.fetch(new Request(behind + url, { method, headers, ...sent }));
  return {
    status: answer.status,
    headers: [...answer.headers]
      .filter(([name]) => name !== 'set-cookie')
      .map(([name, value]) => [name, value.replaceAll(behind, own)] as const),
    cookies: answer.headers.getSetCookie(),
    content: Buffer.from(await answer.arrayBuffer()),
  };
}
