import { expect, test } from '@playwright/test';
import {
  validateAssignedUsers,
  validateCodeExchange,
  validateTokenRefresh,
  validateTokenResponse,
} from '../../../generated/validators.js';
import {
  type Client,
  createClient,
  memoryStore,
  OperationRefused,
  type TokenPair,
  TokenRefused,
  Unauthorized,
} from '../../../src/client/index.ts';
import type { RecordedExchange, Recording } from '../../../src/contracts/recordings/recording.ts';
import { exchangeNamed, shippedRecordings } from '../../support/recordings/read-recordings.ts';
import { RECORDED_AUTH_URL, RECORDED_BASE_URL, Replay } from '../../support/recordings/replay.ts';

/** What real services answered, replayed: the client must make of it what they meant, and the specification must allow it. */

const NOW = Date.parse('2026-03-02T09:30:00.000Z');

/** The parts of one replay. */
interface Scene {
  readonly client: Client;
  readonly stored: () => Promise<TokenPair | undefined>;
}

/** Replays some exchanges of a recording to a client, which starts with a pair if one is given. */
async function replaying(
  recording: Recording,
  names: readonly string[],
  start: { readonly pair?: Omit<TokenPair, 'expiresAt'>; readonly clientSecret?: string },
  play: (scene: Scene) => Promise<void>,
): Promise<void> {
  const { cast } = recording;
  const store = memoryStore();
  if (start.pair !== undefined) await store.write({ ...start.pair, expiresAt: NOW + 7200_000 });
  const replay = new Replay(names.map((name) => exchangeNamed(recording, name)));
  let problems: readonly string[] = [];
  try {
    const client = createClient({
      authUrl: RECORDED_AUTH_URL,
      baseUrl: RECORDED_BASE_URL,
      clientId: cast.clientId,
      clientSecret: start.clientSecret ?? cast.clientSecret,
      redirectUri: cast.redirectUri,
      store,
      now: () => NOW,
    });
    await play({ client, stored: () => store.read() });
  } finally {
    problems = replay.close();
  }
  expect(problems).toEqual([]);
}

const FIRST = { accessToken: 'access-token-1', refreshToken: 'refresh-token-1' };
const SECOND = { accessToken: 'access-token-2', refreshToken: 'refresh-token-2' };

for (const [file, recording] of shippedRecordings()) {
  const { cast } = recording;
  const named = (name: string) => exchangeNamed(recording, name);
  const errorOf = ({ response }: RecordedExchange) =>
    (response.json as { error?: string } | undefined)?.error;

  test.describe(file, () => {
    test('the specification allows every request and every answer', () => {
      expect(recording.exchanges.length).toBeGreaterThan(10);
      for (const { name, operation, request, response } of recording.exchanges) {
        const fits = operation === 'exchange' ? validateCodeExchange : validateTokenRefresh;
        if (request.form !== undefined)
          expect(fits(request.form), `${name}: ${JSON.stringify(fits.errors)}`).toBe(true);
        if (response.status >= 300) continue;
        const answer = operation === 'list' ? validateAssignedUsers : validateTokenResponse;
        if (operation === 'assign' || operation === 'unassign') continue;
        expect(answer(response.json), `${name}: ${JSON.stringify(answer.errors)}`).toBe(true);
      }
    });

    test('the whole flow, in the order in which it was recorded', async () => {
      const flow = [
        'exchange',
        'list',
        'assign',
        'list after assigning',
        'unassign',
        'list after unassigning',
        'refresh',
        'list after refreshing',
      ];
      await replaying(recording, flow, {}, async ({ client, stored }) => {
        const holdsUser = async () => JSON.stringify(await client.list(cast.project)).includes(cast.user);
        await client.exchange('code-1');
        expect(await stored()).toEqual({ ...FIRST, expiresAt: NOW + 7200_000 });
        expect(await holdsUser()).toBe(false);
        await client.assign(cast.project, cast.user);
        expect(await holdsUser()).toBe(true);
        await client.unassign(cast.project, cast.user);
        expect(await holdsUser()).toBe(false);
        await client.refresh();
        expect(await stored()).toEqual({ ...SECOND, expiresAt: NOW + 7200_000 });
        expect(await holdsUser()).toBe(false);
      });
    });

    test('an unknown project and an unknown user are refusals with their status', async () => {
      for (const name of ['list of an unknown project', 'assign an unknown user']) {
        const { request, response } = named(name);
        const [, , , project = '', , user = ''] = request.path.split('/');
        await replaying(recording, [name], { pair: SECOND }, async ({ client }) => {
          const call = user === '' ? client.list(project) : client.assign(project, user);
          const error = await call.catch((thrown: unknown) => thrown);
          expect(error).toBeInstanceOf(OperationRefused);
          expect(error).toMatchObject({ status: response.status });
        });
      }
    });

    test('a token that the service does not know is refreshed once, and the call goes through', async () => {
      expect(named('list with an unknown token').response.status).toBe(401);
      const names = ['list with an unknown token', 'refresh', 'list after refreshing'];
      const pair = { accessToken: 'unknown-access-token', refreshToken: 'refresh-token-1' };
      await replaying(recording, names, { pair }, async ({ client, stored }) => {
        expect(await client.list(cast.project)).not.toEqual([]);
        expect(await stored()).toMatchObject(SECOND);
      });
      const unknown = [...names.slice(0, 1), 'refresh with an unknown token'];
      const lost = { accessToken: 'unknown-access-token', refreshToken: 'unknown-refresh-token' };
      await replaying(recording, unknown, { pair: lost }, async ({ client }) => {
        const error = await client.list(cast.project).catch((thrown: unknown) => thrown);
        expect(error).not.toBeInstanceOf(Unauthorized);
        expect(error).toMatchObject({ operation: 'refresh', error: 'invalid_grant' });
      });
    });

    for (const [name, code, clientSecret] of [
      ['exchange of a used code', 'code-1', undefined],
      ['exchange with a wrong secret', 'code-2', 'wrong-client-secret'],
    ] as const) {
      test(`${name}: refused with the error of the answer, and nothing is stored`, async () => {
        const start = clientSecret === undefined ? {} : { clientSecret };
        await replaying(recording, [name], start, async ({ client, stored }) => {
          const error = await client.exchange(code).catch((thrown: unknown) => thrown);
          expect(error).toBeInstanceOf(TokenRefused);
          expect(error).toMatchObject({ error: errorOf(named(name)), status: named(name).response.status });
          expect(await stored()).toBeUndefined();
        });
      });
    }
  });
}

test('there are recordings of the emulator and of a service that is not ours', () => {
  expect(shippedRecordings().map(([, { of }]) => of)).toEqual(['emulator doorkeeper-5', 'live stand-in']);
});

test('the replay notices a request that was not recorded, and an answer that nobody fetched', async () => {
  const [[, recording] = []] = shippedRecordings();
  if (recording === undefined) throw new Error('there is no recording');
  const replay = new Replay([exchangeNamed(recording, 'list')]);
  await expect(fetch(`${RECORDED_BASE_URL}/v2/projects/other/assigned_users`)).rejects.toThrow();
  expect(replay.close()).toEqual([
    expect.stringContaining('not recorded: GET'),
    expect.stringContaining('recorded and not sent: GET'),
  ]);
});
