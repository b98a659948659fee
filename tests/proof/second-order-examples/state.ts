import { type Examples, inTurn, outcomes, refreshToken } from './world.ts';

const HALF = 3_600;

/** Defects that show only in some states. */
export const state: Examples = {
  'refresh-third-keeps-refresh-token': [
    async (w) => {
      let pair = await w.pair();
      return inTurn(4, async () => {
        const before = pair.refresh_token;
        pair = await w.refreshed(pair);
        return pair.refresh_token === before;
      });
    },
    [false, false, false, false],
    [false, false, true, false],
  ],
  'refresh-after-four-hours-keeps-refresh-token': [
    async (w) => {
      const first = await w.pair();
      w.later(14_400);
      const second = await w.refreshed(first);
      w.later(14_401);
      const third = await w.refreshed(second);
      return [refreshToken(first, second), refreshToken(second, third)];
    },
    ['new', 'new'],
    ['new', 'kept'],
  ],
  'refresh-after-wrong-secret-keeps-refresh-token': [
    async (w) => {
      const pair = await w.pair();
      const wrong = await w.refresh(pair, { client_secret: 'wrong' });
      const next = await w.refreshed(pair);
      const last = await w.refreshed(next);
      return [wrong, next.refresh_token === pair.refresh_token, last.refresh_token === next.refresh_token];
    },
    [undefined, false, false],
    [undefined, true, false],
  ],
  'refresh-refused-after-wrong-secret': [
    async (w) => {
      const pair = await w.pair();
      const wrong = await w.refresh(pair, { client_secret: 'wrong' });
      const right = await w.refresh(pair);
      const untried = await w.refresh(await w.pair());
      return [wrong, right !== undefined, untried !== undefined];
    },
    [undefined, true, true],
    [undefined, false, true],
  ],
  'refresh-of-first-exchange-gives-token-of-second': [
    async (w) => {
      const first = await w.pair();
      const early = await w.refreshed(first);
      const second = await w.pair();
      const next = await w.refreshed(early);
      return [refreshToken(first, early), refreshToken(second, next)];
    },
    ['new', 'new'],
    ['new', 'kept'],
  ],
  'lifetime-of-chain-from-first-token': [
    async (w) => {
      const first = await w.pair();
      w.later(HALF);
      const second = await w.refreshed(first);
      const third = await w.refreshed(second);
      w.later(HALF);
      return [await w.alive(second), await w.alive(third), third.expires_in];
    },
    [true, true, 7200],
    [true, false, 7200],
  ],
  'refresh-refused-after-expired-token-was-used': [
    async (w) => {
      const [unused, used] = [await w.pair(), await w.pair()];
      w.later(7200);
      await w.alive(used);
      return outcomes([await w.refresh(unused), await w.refresh(used)]);
    },
    ['honoured', 'honoured'],
    ['honoured', 'refused'],
  ],
  'lifetime-renewed-for-old-token-by-refresh': [
    async (w) => {
      const pair = await w.pair();
      w.later(7200);
      const before = await w.alive(pair);
      await w.refreshed(pair);
      return [before, await w.alive(pair)];
    },
    [false, false],
    [false, true],
  ],
  'refresh-token-type-capitalised-from-second-refresh': [
    async (w) => {
      let pair = await w.pair();
      return inTurn(3, async () => {
        pair = await w.refreshed(pair);
        return pair.token_type;
      });
    },
    ['bearer', 'bearer', 'bearer'],
    ['bearer', 'Bearer', 'Bearer'],
  ],
  'refresh-expires-in-string-from-second-refresh': [
    async (w) => {
      const pair = await w.refreshed(await w.pair());
      return [pair.expires_in, (await w.refreshed(pair)).expires_in];
    },
    [7200, 7200],
    [7200, '7200'],
  ],
  'refresh-fifth-for-an-hour': [
    async (w) => {
      const fourth = await w.refreshed(await w.pair(), 4);
      const fifth = await w.refreshed(fourth);
      w.later(HALF);
      return [fourth.expires_in, fifth.expires_in, await w.alive(fourth), await w.alive(fifth)];
    },
    [7200, 7200, true, true],
    [7200, 3600, true, false],
  ],
  'refresh-after-expiry-expires-in-zero': [
    async (w) => {
      const pair = await w.pair();
      const early = await w.refreshed(pair);
      w.later(7200);
      const late = await w.refreshed(early);
      return [early.expires_in, late.expires_in, await w.alive(late)];
    },
    [7200, 7200, true],
    [7200, 0, true],
  ],
  'exchange-code-twice-after-wrong-address': [
    async (w) => {
      const [plain, tried] = [await w.code(), await w.code()];
      await w.exchange(tried, { redirect_uri: w.secondAddress });
      return inTurn(3, async () => outcomes([await w.exchange(plain), await w.exchange(tried)]));
    },
    [
      ['honoured', 'honoured'],
      ['refused', 'refused'],
      ['refused', 'refused'],
    ],
    [
      ['honoured', 'honoured'],
      ['refused', 'honoured'],
      ['refused', 'refused'],
    ],
  ],
  'exchange-any-address-after-wrong-secret': [
    async (w) => {
      const [plain, tried] = [await w.code(), await w.code()];
      await w.exchange(tried, { client_secret: 'wrong' });
      const elsewhere = { redirect_uri: 'https://other.example.test/' };
      return outcomes([await w.exchange(plain, elsewhere), await w.exchange(tried, elsewhere)]);
    },
    ['refused', 'refused'],
    ['refused', 'honoured'],
  ],
  'exchange-code-revived-by-refused-replay': [
    async (w) => {
      const code = await w.code();
      return inTurn(4, async () => (await w.exchange(code)) !== undefined);
    },
    [true, false, false, false],
    [true, false, true, false],
  ],
  'exchange-replay-ends-all-of-owner': [
    async (w) => {
      const other = await w.pair(undefined, 1);
      const code = await w.code();
      await w.exchange(code);
      const before = await w.alive(other);
      const again = await w.exchange(code);
      return [before, again, await w.alive(other), (await w.refresh(other)) !== undefined];
    },
    [true, undefined, true, true],
    [true, undefined, false, false],
  ],
  'exchange-code-revived-by-new-code': [
    async (w) => {
      const code = await w.code();
      await w.exchange(code);
      const before = await w.exchange(code);
      await w.code();
      return outcomes([before, await w.exchange(code), await w.exchange(code)]);
    },
    ['refused', 'refused', 'refused'],
    ['refused', 'honoured', 'refused'],
  ],
  'exchange-code-revived-by-refresh': [
    async (w) => {
      const code = await w.code();
      const pair = await w.exchange(code);
      if (pair !== undefined) await w.refreshed(pair);
      return [pair, await w.exchange(code)].map((tokens) => tokens !== undefined);
    },
    [true, false],
    [true, true],
  ],
  'exchange-code-good-again-once-token-expired': [
    async (w) => {
      const [early, late] = [await w.code(), await w.code()];
      await w.exchange(early);
      await w.exchange(late);
      w.later(7199);
      const before = await w.exchange(early);
      w.later(1);
      return outcomes([before, await w.exchange(late), await w.exchange(late)]);
    },
    ['refused', 'refused', 'refused'],
    ['refused', 'honoured', 'refused'],
  ],
  'exchange-code-dead-after-refused-response-type': [
    async (w) => {
      const { client_id, redirect_uri } = w.application(0);
      const query = { client_id, redirect_uri, scope: 'read', response_type: 'token' };
      await w.codeOf(new URLSearchParams(query).toString());
      return inTurn(2, async () => (await w.exchange(await w.code())) !== undefined);
    },
    [true, true],
    [false, true],
  ],
  'authorize-redirect-accepted-at-second-try': [
    async (w) => {
      const { client_id } = w.application(0);
      const query = {
        client_id,
        redirect_uri: 'https://other.example.test/',
        scope: 'read',
        response_type: 'code',
      };
      return inTurn(2, async () => (await w.codeOf(new URLSearchParams(query).toString())) !== undefined);
    },
    [false, false],
    [false, true],
  ],
  'assign-by-refreshed-token-not-stored': [
    async (w) => {
      const pair = await w.pair();
      await w.assign(pair, '504');
      const next = await w.refreshed(pair);
      return [await w.assign(next, '505'), await w.list(next)];
    },
    [true, ['504', '505']],
    [true, ['504']],
  ],
  'unassign-after-two-assigns-leaves-a-row': [
    async (w) => {
      const pair = await w.pair();
      for (const user of ['504', '505', '505']) await w.assign(pair, user);
      for (const user of ['504', '505']) await w.unassign(pair, user);
      const once = await w.list(pair);
      await w.unassign(pair, '505');
      return [once, await w.list(pair)];
    },
    [[], []],
    [['505'], []],
  ],
  'unassign-of-three-takes-last-along': [
    async (w) => {
      const pair = await w.pair();
      for (const user of ['504', '505', '506', '507']) await w.assign(pair, user);
      await w.unassign(pair, '507');
      const last = await w.list(pair);
      await w.unassign(pair, '504');
      return [last, await w.list(pair)];
    },
    [
      ['504', '505', '506'],
      ['505', '506'],
    ],
    [['504', '505', '506'], ['505']],
  ],
  'assign-lost-after-refused-unassign': [
    async (w) => {
      const pair = await w.pair();
      await w.assign(pair, '504');
      const refused = await w.unassign(pair, '999');
      await w.assign(pair, '505');
      await w.assign(pair, '506');
      return [refused, await w.list(pair)];
    },
    [false, ['504', '505', '506']],
    [false, ['504', '506']],
  ],
  'assign-with-expired-token-refused-and-done': [
    async (w) => {
      const pair = await w.pair();
      w.later(7200);
      return [await w.assign(pair, '504'), await w.list(await w.refreshed(pair))];
    },
    [false, []],
    [false, ['504']],
  ],
  'list-empty-after-refused-assign': [
    async (w) => {
      const pair = await w.pair();
      await w.assign(pair, '504');
      await w.assign({ ...pair, access_token: 'never-issued' }, '505');
      const after = await w.list(pair);
      await w.assign(pair, '506');
      return [after, await w.list(pair)];
    },
    [['504'], ['504', '506']],
    [[], ['504', '506']],
  ],
  'unassign-by-token-refreshed-late-not-stored': [
    async (w) => {
      const pair = await w.refreshed(await w.pair());
      await w.assign(pair, '504');
      await w.assign(pair, '505');
      await w.unassign(pair, '504');
      w.later(7200);
      const late = await w.refreshed(pair);
      return [await w.unassign(late, '505'), await w.list(late)];
    },
    [true, []],
    [true, ['505']],
  ],
  'assign-lost-after-unassign-elsewhere': [
    async (w) => {
      const pair = await w.pair();
      await w.assign(pair, '504');
      await w.unassign(pair, '504');
      const elsewhere = [await w.assign(pair, '504', '1044'), await w.list(pair, '1044')];
      await w.assign(pair, '504', '1044');
      return [...elsewhere, await w.list(pair, '1044')];
    },
    [true, ['504'], ['504']],
    [true, [], ['504']],
  ],
};
