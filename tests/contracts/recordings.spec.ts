import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { recordFlow } from '../../src/contracts/recordings/record-flow.ts';
import {
  compareRecordings,
  type Recording,
  renderRecording,
} from '../../src/contracts/recordings/recording.ts';
import { Placeholders, scrubJson } from '../../src/contracts/recordings/scrub.ts';
import type { Transport, WireResponse } from '../../src/exchange/exchange.ts';
import { connectWithoutBrowser } from '../../src/flow/connect.ts';
import { SecretRegistry } from '../../src/secrets/registry.ts';
import { emulatorTarget } from '../../src/targets/emulator.ts';
import type { Target } from '../../src/targets/target.ts';
import { runHere } from '../support/command-here.ts';
import { writeLiveConfiguration } from '../support/live-config.ts';
import { PROVE } from '../support/prove.ts';
import { RECORDINGS, shippedRecordings } from '../support/recordings/read-recordings.ts';
import { startStandIn } from '../support/stand-in/start.ts';

/** Recordings: what may be in them, that they are made again alike, and that a change is noticed. */

test('the emulator recorded again is the shipped file, byte for byte', async () => {
  const out = test.info().outputPath('out');
  const end = await runHere(['contracts', 'record', '--out', out]);
  expect(end.code, end.stderr).toBe(0);
  expect(readFileSync(`${out}/doorkeeper-5.json`, 'utf8')).toBe(
    readFileSync(`${RECORDINGS}doorkeeper-5.json`, 'utf8'),
  );
});

test(
  'a live service: recorded byte for byte as shipped; --check, a secret found, nobody there',
  PROVE,
  async () => {
    const directory = test.info().outputPath('live');
    mkdirSync(directory, { recursive: true });
    const running = await startStandIn({});
    const { file, env } = writeLiveConfiguration(running.ready, directory);
    const written = `${directory}/stand-in.json`;
    const record = (more: readonly string[] = [], variables: Readonly<Record<string, string>> = {}) =>
      runHere(['contracts', 'record', '--target', file, '--out', directory, ...more], {
        ...env,
        ...variables,
      });
    try {
      // A secret of the run that is a word of the recording: what the search must find, however it got there.
      const leaking = await record([], { STAGING_SECOND_CLIENT_SECRET: 'application/vnd.api+json' });
      expect([leaking.code, leaking.stderr]).toEqual([4, expect.stringContaining('client_secret#2')]);
      expect(existsSync(written)).toBe(false);

      const first = await record();
      expect(first.code, first.stderr).toBe(0);
      const text = readFileSync(written, 'utf8');
      // The list that it starts with does not hold the suite's own user: the run before has unassigned it.
      expect(text).toBe(readFileSync(`${RECORDINGS}stand-in.json`, 'utf8'));
      for (const secret of Object.values(env)) expect(text).not.toContain(secret);

      copyFileSync(`${RECORDINGS}doorkeeper-5.json`, written);
      const changed = await record(['--check']);
      expect(changed.code, changed.stderr).toBe(1);
      expect(changed.stdout).toContain('list after assigning: media type: recorded application/json');
      expect(changed.stdout).toContain('came application/vnd.api+json');
      expect(readFileSync(written, 'utf8')).toContain('emulator doorkeeper-5');
    } finally {
      await running.stop();
    }
    const down = await record();
    expect([down.code, down.stderr]).toEqual([3, expect.stringContaining('nothing was recorded')]);
    expect(readFileSync(written, 'utf8')).toContain('emulator doorkeeper-5');
  },
);

test('--check without a recording, or with a file that is none: 2, and nothing is sent', async () => {
  const out = test.info().outputPath('empty');
  const none = await runHere(['contracts', 'record', '--check', '--out', out]);
  expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('there is no recording')]);
  mkdirSync(out, { recursive: true });
  writeFileSync(`${out}/doorkeeper-5.json`, '{"format":2}');
  const other = await runHere(['contracts', 'record', '--check', '--out', out]);
  expect([other.code, other.stderr]).toEqual([
    2,
    expect.stringContaining('expected a recording of format 1'),
  ]);
});

test.describe('what is kept', () => {
  test('shape, ordinals and the protocol’s own words; of people nothing', () => {
    const placeholders = new Placeholders({
      application: { clientId: 'app', clientSecret: 's3cret', redirectUris: ['https://a.example'] },
      projects: ['41'],
      users: ['504'],
    });
    const scrubbed = scrubJson(
      {
        access_token: 'real-token',
        token_type: 'bearer',
        expires_in: 7200,
        scope: 'read write',
        error: 'the token real-token <b>is</b> unknown',
        created_at: 1700000000,
        users: [
          { id: 504, name: 'Anna Muster', admin: false, phone: null, 'anna@example.test': 7 },
          { id: 77, name: 'Bert Beispiel', admin: true, phone: null, 'bert@example.test': 9 },
          { id: 78, name: 'Cleo Exempel', admin: true, phone: null, 'cleo@example.test': 9 },
        ],
        position: 504,
      },
      placeholders,
    );
    expect(scrubbed).toEqual({
      access_token: 'access-token-1',
      token_type: 'bearer',
      expires_in: 7200,
      scope: 'read write',
      error: 'string',
      created_at: 0,
      users: [
        { id: 1001, name: 'string', admin: true, phone: null, key: 0 },
        { id: 0, name: 'string', admin: true, phone: null, key: 0 },
      ],
      position: 0,
    });
  });

  test('of headers only the listed ones; a session’s cookie, a date, a request id are not', async () => {
    const extra = [
      ['Set-Cookie', 'session=abcdef0123456789'],
      ['X-Request-Id', 'f00'],
      ['WWW-Authenticate', 'Bearer realm="Anna’s realm", error="invalid_token", error_description="Anna"'],
    ] as const;
    const { text } = await recorded((response) => ({
      ...response,
      headers: [...response.headers, ...extra],
    }));
    expect(text).toContain('error=\\"invalid_token\\"');
    for (const word of ['abcdef0123456789', 'f00', 'Anna', 'date']) expect(text).not.toContain(word);
  });

  test('what the allow-list lets through by mistake is found by the search for secrets', async () => {
    const tokens: string[] = [];
    const { text, secrets } = await recorded((response) => {
      const token = /"access_token":\s*"([^"]+)"/.exec(response.body)?.[1];
      if (token !== undefined) tokens.push(token);
      // A header that is kept holds the last token: a proxy that keys its cache by it.
      return { ...response, headers: [...response.headers, ['Retry-After', tokens.at(-1) ?? '0']] };
    });
    expect(secrets.find(text)[0]?.label).toMatch(/^access_token#/);
  });

  test('bodies are asked for without an encoding', async () => {
    const asked: string[] = [];
    await recorded((response, request) => {
      const header = request.headers.find(([name]) => name.toLowerCase() === 'accept-encoding');
      if (header !== undefined) asked.push(header[1]);
      return response;
    });
    expect(new Set(asked)).toEqual(new Set(['identity']));
    expect(asked.length).toBeGreaterThan(10);
  });
});

test('a target that stops answering in the middle: nothing is recorded, and the user is unassigned again', async () => {
  let lists = 0;
  const assigned = new Set<string>();
  const work = recorded((response, request) => {
    if (request.method === 'PUT') assigned.add(request.url);
    if (request.method === 'DELETE') assigned.delete(request.url);
    const recording = request.headers.some(([, value]) => value === 'identity');
    if (recording && request.method === 'GET') lists += 1;
    return recording && lists === 2 ? { ...response, status: 503, body: '' } : response;
  });
  await expect(work).rejects.toThrow('inconclusive: list after assigning: the target answered 503');
  expect([...assigned]).toEqual([]);
});

test.describe('what counts as a change', () => {
  const [[, recording] = []] = shippedRecordings();
  const changedAt = (name: string, change: (json: Record<string, unknown>) => unknown): Recording => {
    if (recording === undefined) throw new Error('there is no recording');
    const exchanges = recording.exchanges.map((exchange) =>
      exchange.name === name
        ? {
            ...exchange,
            response: {
              ...exchange.response,
              json: change(exchange.response.json as Record<string, unknown>),
            },
          }
        : exchange,
    );
    return { ...recording, exchanges };
  };
  const found = (now: Recording) => (recording === undefined ? [] : compareRecordings(recording, now));

  test('another value is none, nor a list that is longer, nor null for what nobody has entered', () => {
    expect(found(changedAt('exchange', (json) => ({ ...json, expires_in: 3600, scope: 'read' })))).toEqual(
      [],
    );
    expect(found(changedAt('list', () => []))).toEqual([]);
    expect(found(changedAt('list', () => [{ id: 3, name: null, email: 'string' }]))).toEqual([]);
  });

  test('another type, a member that is gone or new, another envelope, and a refusal instead of a success are', () => {
    expect(found(changedAt('exchange', (json) => ({ ...json, expires_in: '7200' })))).toEqual([
      'exchange: /expires_in: recorded number, came string',
    ]);
    expect(found(changedAt('exchange', ({ scope, ...json }) => ({ ...json, granted: scope })))).toEqual([
      'exchange: /granted: recorded nothing, came string',
      'exchange: /scope: recorded string, came nothing',
    ]);
    expect(found(changedAt('list', (json) => ({ users: json })))).toContain(
      'list: /: recorded list, came object',
    );
    const now = changedAt('list', (json) => json);
    const refused = now.exchanges.map((exchange) =>
      exchange.name === 'assign' ? { ...exchange, response: { status: 403, headers: {} } } : exchange,
    );
    expect(found({ ...now, exchanges: refused })).toContain('assign: status: recorded 200, came 403');
    expect(found({ ...now, exchanges: now.exchanges.slice(1) })).toEqual([
      'exchange: is in the recording, but this run did not make it; record again',
    ]);
  });
});

type Change = (response: WireResponse, request: Parameters<Transport>[0]) => WireResponse;

/** Records an emulator in this process whose answers are changed on the way. */
async function recorded(change: Change): Promise<{ text: string; secrets: SecretRegistry }> {
  const emulator = await emulatorTarget({ profile: 'doorkeeper-5', defects: [], sockets: false });
  const secrets = new SecretRegistry();
  // Without what only an emulator can do: what is put back is put back as on a live target.
  const { restoreAssignments: _, ...rest } = emulator;
  const target: Target = {
    ...rest,
    transport: async (request) => change(await emulator.transport(request), request),
  };
  try {
    const session = connectWithoutBrowser(target, secrets);
    const recording = await recordFlow(session, new AbortController().signal);
    if ('kind' in recording) throw new Error(`${recording.kind}: ${recording.message}`);
    return { text: renderRecording(recording), secrets };
  } finally {
    await emulator.close();
  }
}
