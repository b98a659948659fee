/** Answers whose HTTP is odd: the suite reads what curl and `fetch` read, and names a fault on which those differ. */
import { execFile } from 'node:child_process';
import { createServer, type Socket } from 'node:net';
import { promisify } from 'node:util';
import { expect, test } from '@playwright/test';
import { loadCatalogue } from '../../src/document/load-catalogue.ts';
import type { WireForm } from '../../src/emulator/control/control-types.ts';
import { WIRE_FAULTS, writeWire } from '../../src/emulator/simulation/wire-faults.ts';
import { startEmulator } from '../../src/emulator/start/start-emulator.ts';
import { TransportFailure } from '../../src/http/exchange.ts';
import { nodeTransport, type OpenTransport } from '../../src/http/node-transport.ts';
import { checkLive, idsWith } from '../support/check-live.ts';
import { clockOf, startLiveEmulator } from '../support/emulator-live.ts';
import { renderConsole } from '../support/render-results.ts';

const FORMS = Object.keys(WIRE_FAULTS) as WireForm[];
const ANSWER = { status: 200, headers: [['Content-Type', 'application/json']], body: '{"a":"bcd"}' } as const;
const PLAIN = 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nplain';

let origin: string;
let close: () => void;
let opened: OpenTransport;
/** Written before the next plain answer, on the connection that carries it. */
let before: string;

test.beforeAll(async () => {
  const answer = async (socket: Socket, path: string) => {
    const form = FORMS.find((one) => path === `/${one}`);
    if (form !== undefined) return writeWire(socket, ANSWER, form);
    socket.write(before + PLAIN, 'latin1');
    before = '';
  };
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (request) => void answer(socket, request.toString().split(' ')[1] ?? ''));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  close = () => server.close();
});
test.afterAll(() => close());
test.beforeEach(() => {
  before = '';
  opened = nodeTransport();
});
test.afterEach(() => opened.close());

async function send(method: string, path: string) {
  return opened.transport({ method, url: `${origin}/${path}`, headers: [] }).catch((error: unknown) => {
    if (error instanceof TransportFailure) return error;
    throw error;
  });
}

const statusOf = (form: WireForm) => {
  const as = WIRE_FAULTS[form][3];
  return typeof as === 'number' ? as : 200;
};

/** The status and body that `fetch` reads; undefined if it refuses the answer. */
async function fetched(form: WireForm): Promise<readonly [number, string] | undefined> {
  try {
    const response = await fetch(`${origin}/${form}`);
    return [response.status, await response.text()];
  } catch {
    return undefined;
  }
}

/** The same for curl. */
async function curled(form: WireForm): Promise<readonly [number, string] | undefined | 'no curl'> {
  try {
    const args = ['-sS', '-q', '--noproxy', '*', '-m', '10', '-w', '\n%{http_code}', `${origin}/${form}`];
    const { stdout } = await promisify(execFile)('curl', args);
    const [, body = '', status] = /^(.*)\n(\d+)$/s.exec(stdout) ?? [];
    return [Number(status), body];
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'no curl' : undefined;
  }
}

for (const form of FORMS) {
  const [readBy] = WIRE_FAULTS[form];

  test(`${form}: curl and fetch are as the table says, the suite is as both, on new and used connections`, async () => {
    const whole = [statusOf(form), statusOf(form) === 200 ? ANSWER.body : ''] as const;
    expect(await fetched(form)).toEqual(readBy === 'both' ? whole : undefined);
    const byCurl = await curled(form);
    if (byCurl !== 'no curl') expect(byCurl).toEqual(readBy === 'neither' ? undefined : whole);
    for (const [method, first] of [
      ['DELETE', []],
      ['GET', []],
      ['GET', ['plain']],
    ] as const) {
      for (const path of first) await send('GET', path);
      const came = await send(method, form);
      const read = came instanceof TransportFailure ? came.kind : [came.status, came.body];
      const named = came instanceof TransportFailure ? came.message : came.protocolFault;
      if (readBy === 'both') expect(read).toEqual(whole);
      else if (readBy === 'neither')
        expect([read, named]).toEqual(['connection', expect.not.stringContaining('may')]);
      else expect(named).toMatch(/`fetch` refuses them, curl may read them|unaskedContinues/);
      expect(await send('GET', 'plain')).toMatchObject({ status: 200, body: 'plain' });
    }
  });
}

test('bytes after an answer are noted, and cost no read on the same connection its answer', async () => {
  expect(await send('GET', '204-bytes')).toMatchObject({
    status: 204,
    body: '',
    protocolFault: 'strayBytes',
  });
  expect(await send('GET', 'plain')).toMatchObject({ body: 'plain' });
  before = 'null';
  const second = await send('GET', 'plain');
  expect(second).toMatchObject({ status: 200, body: 'plain' });
});

test('the emulator sends each form over a socket, and the plain answer without one', async () => {
  const arm = { route: 'page', kind: 'wire' } as const;
  const emulator = await startEmulator({ control: {} });
  const inProcess = await startEmulator({ listen: false });
  try {
    expect(() => emulator.control.faults.arm(arm)).toThrow('Fault, form: expected the form');
    emulator.control.faults.arm({ ...arm, form: 'trailing-bytes' });
    opened.close();
    opened = nodeTransport();
    const page = { method: 'GET', url: `${emulator.authUrl}/sign-in`, headers: [] };
    expect(await opened.transport(page)).toMatchObject({ protocolFault: 'strayBytes' });
    expect(await opened.transport(page)).not.toHaveProperty('protocolFault');
    emulator.control.faults.arm({ ...arm, form: 'trailing-bytes' });
    const unknown = { ...page, url: `${page.url}/unknown` };
    const refusal = await opened.transport(unknown);
    expect([refusal.status, refusal.protocolFault]).toEqual([404, undefined]);
    inProcess.control.faults.arm({ ...arm, form: 'bare-lf' });
    expect((await inProcess.fetch(new Request(`${inProcess.authUrl}/sign-in`))).status).toBe(200);
  } finally {
    await Promise.all([emulator.close(), inProcess.close()]);
  }
});

test('a default run passes on a service that sends bytes after each 204, and names the habit', async () => {
  const { emulator, file, env } = await startLiveEmulator(test.info().outputPath('.'), [], clockOf);
  try {
    emulator.control.faults.arm({ route: 'unassign', kind: 'wire', form: '204-bytes', count: 'unlimited' });
    const results = await checkLive({ file, env }, { explores: true });
    const clause = results.requirements.filter(({ id }) => /^(?:assign|unassign|list)\./.test(id));
    const odd = clause.filter(({ result }) => !['pass', 'not-applicable'].includes(result));
    expect([results.exitCode, odd, results.troubles]).toEqual([0, [], []]);
    expect(idsWith(results, 'pass')).toContain('unassign.removes-user');
    expect(renderConsole(results, loadCatalogue(), { style: 'plain' })).toMatch(
      /tolerated: \d+ answers of the service are followed by bytes/,
    );
  } finally {
    await emulator.close();
  }
});
