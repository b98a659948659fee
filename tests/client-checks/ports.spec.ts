import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from '@playwright/test';
import { visitApplication } from '../../src/client-checks/drive/browse.ts';
import { Ports } from '../../src/client-checks/drive/ports.ts';
import { Processes, signalTree } from '../../src/client-checks/drive/processes.ts';
import { runSituations } from '../../src/client-checks/situations/run-situations.ts';
import { startEmulator } from '../../src/emulator/start/start-emulator.ts';
import { CookieJar } from '../../src/service/agent/cookie-jar.ts';
import { Application } from '../support/faulty-client/application.ts';
import { onLoopback } from '../support/on-loopback.ts';

const PLACE = { cwd: tmpdir(), env: process.env };

/** Nothing but the client under evaluation is driven, and nothing but its requests is evaluated. */

test('what answers before the application is started is another program, and is told', async () => {
  const other = createServer((_, response) => response.end('I am another program'));
  const { origin, close } = await onLoopback(other);
  const ready = `${origin}/`;
  const processes = new Processes();
  await expect(processes.serve('exec sleep 30', ready, 5, PLACE)).rejects.toThrow(
    `something answers at ${ready} before exec sleep 30 is started`,
  );
  await processes.endAll();
  await close();
});

test('an address that no request can reach is told at once, with the fix', async () => {
  const secure = await startEmulator({ addresses: { tls: true } });
  const plain = await onLoopback(createServer((_, response) => response.end()));
  const processes = new Processes();
  for (const [ready, why] of [
    ['http://no-such-host.invalid/', 'the name no-such-host.invalid does not resolve'],
    [`${secure.authUrl}/`, 'its certificate is not trusted'],
    [`${plain.origin.replace('http:', 'https:')}/`, 'it speaks no TLS'],
  ] as const)
    await expect(processes.serve('exec sleep 30', ready, 30, PLACE)).rejects.toThrow(why);
  await processes.endAll();
  await secure.close();
  await plain.close();
});

test('a name below localhost is this machine', async () => {
  const here = createServer((request, response) => response.end(request.headers.host));
  const { origin, close } = await onLoopback(here);
  const url = origin.replace('127.0.0.1', 'shop.localhost');
  const { body } = await visitApplication({ method: 'GET', url }, new CookieJar(), 5, () => undefined);
  expect(body).toBe(new URL(url).host);
  await close();
});

const TOLD =
  /^.* ended \(exit code 0\), and its server goes on answering at \S+: start it in the foreground$/;

/** A command that leaves a server in the background. */
async function leaving(more: string) {
  const ports = new Ports();
  const port = await ports.take();
  const processes = new Processes();
  const server = `require('node:http').createServer((_, r) => r.end('here')).listen(${port}, '127.0.0.1')`;
  const ready = `http://127.0.0.1:${port}/`;
  const command = `"${process.execPath}" -e "${server}" ${more}`;
  const serve = () => processes.serve(command, ready, 20, PLACE);
  const end = async () => {
    await processes.endAll();
    await expect.poll(() => fetch(ready).catch(() => 'ended')).toBe('ended');
    ports.close();
  };
  return { processes, serve, end };
}

test('a command that ends while its server goes on answering is named', async () => {
  const { serve, end } = await leaving('& exit 0');
  await expect(serve()).rejects.toThrow(TOLD);
  await end();
});

for (const output of ['', '> /dev/null 2>&1'])
  test(`the same of a command that ends after its server is ready; the server ends too ${output}`, async () => {
    const { processes, serve, end } = await leaving(`${output} & sleep 3; exit 0`);
    const command = await serve();
    await processes.requireForeground();
    await expect.poll(() => command.exitCode, { timeout: 10_000 }).toBe(0);
    await end();
  });

test('a server that its command left behind is named once', async () => {
  const { processes, serve, end } = await leaving('& sleep 3; exit 0');
  const command = await serve();
  await expect.poll(() => command.exitCode, { timeout: 10_000 }).toBe(0);
  await expect(processes.requireForeground()).rejects.toThrow(TOLD);
  await processes.requireForeground();
  await end();
});

test('of what a command printed before it failed, the line that names the error is told', async () => {
  const processes = new Processes();
  const program = `"${process.execPath}" -e "console.log('x'.repeat(900)); require('./nowhere.cjs')"`;
  const { outcome, detail } = await processes.run(program, 20, PLACE);
  expect([outcome, detail]).toEqual(['error', expect.stringContaining("Cannot find module './nowhere.cjs'")]);
});

test('an application ends with all that it started; on Windows by taskkill', () => {
  const program = test.info().outputPath('taskkill');
  const { PATH } = process.env;
  const { platform } = process;
  writeFileSync(program, '#!/bin/sh\necho "$@" > "$0.words"\n', { mode: 0o755 });
  process.env.PATH = `${dirname(program)}:${PATH}`;
  Object.defineProperty(process, 'platform', { value: 'win32' });
  signalTree(7, 'SIGTERM');
  Object.defineProperty(process, 'platform', { value: platform });
  process.env.PATH = PATH;
  expect(readFileSync(`${program}.words`, 'utf8')).toBe('/pid 7 /T /F\n');
});

test('a journal that lost requests is not evaluated, and the run says so', async () => {
  const { episodes, stopped } = await runSituations({
    freshClient: async () => new Application('sound'),
    situations: ['flow', 'forbidden'],
    ports: new Ports(),
    journalLimit: 5,
    profile: undefined,
    workers: 1,
    retryAfterSeconds: 1,
    heldMs: 400,
    realTime: false,
  });
  expect(stopped).toContain('the journal keeps 5 requests');
  expect(episodes.map(({ entries, steps }) => [entries.length, steps.length])).toEqual([[0, 0]]);
});

test('a full disk is an error for the application, and no signal', async () => {
  const processes = new Processes();
  const file = join(tmpdir(), `full-${process.pid}`);
  const full = `head -c 100000 /dev/zero > '${file}'; echo "head: $?"`;
  const { stdout } = await processes.run(full, 10, { ...PLACE, mostBlocks: 8 });
  rmSync(file);
  expect(stdout).toBe('head: 1\n');
});
