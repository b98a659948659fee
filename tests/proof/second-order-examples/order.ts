import { type Examples, type Held, outcomes, type World } from './world.ts';

const DAY = 86_400;

/** The answers to an authorization request with parameters in this order; some of them changed. */
function codeInOrder(w: World, names: readonly string[], changes: Readonly<Record<string, string>> = {}) {
  const { client_id, redirect_uri } = w.application(0);
  const sent: Readonly<Record<string, string>> = {
    client_id,
    redirect_uri,
    response_type: 'code',
    scope: 'read',
    ...changes,
  };
  return w.codeOf(new URLSearchParams(names.map((name) => [name, sent[name] ?? ''])).toString());
}

/** The answers to a token request with parameters in this order. */
function tokensInOrder(w: World, names: readonly string[], changes: Readonly<Record<string, string>>) {
  const sent: Readonly<Record<string, string>> = {
    grant_type: 'authorization_code',
    ...w.application(0),
    ...changes,
  };
  return w.token(names.map((name) => [name, sent[name] ?? '']));
}

const sameToken = (one: Held | undefined, other: Held | undefined) =>
  one?.refresh_token === other?.refresh_token;

/** Defects that depend on the order of requests and on time. */
export const order: Examples = {
  'exchange-code-good-again-after-ten-minutes': [
    async (w) => {
      const [early, late] = [await w.code(), await w.code()];
      await w.exchange(early);
      await w.exchange(late);
      w.later(599);
      const before = await w.exchange(early);
      w.later(1);
      return outcomes([before, await w.exchange(late)]);
    },
    ['refused', 'refused'],
    ['refused', 'honoured'],
  ],
  'exchange-code-good-again-after-a-day': [
    async (w) => {
      const [early, late] = [await w.code(), await w.code()];
      await w.exchange(early);
      await w.exchange(late);
      w.later(DAY - 1);
      const before = await w.exchange(early);
      w.later(1);
      return outcomes([before, await w.exchange(late)]);
    },
    ['refused', 'refused'],
    ['refused', 'honoured'],
  ],
  'exchange-code-good-again-after-three-others': [
    async (w) => {
      const code = await w.code();
      await w.exchange(code);
      for (let others = 0; others < 2; others += 1) await w.pair();
      const before = await w.exchange(code);
      await w.pair();
      return outcomes([before, await w.exchange(code)]);
    },
    ['refused', 'refused'],
    ['refused', 'honoured'],
  ],
  'exchange-address-of-newest-code-compared': [
    async (w) => {
      const one = await w.exchange(await w.code());
      const older = await w.code();
      const newer = await w.code({ redirect_uri: w.secondAddress });
      return outcomes([
        one,
        await w.exchange(older),
        await w.exchange(older, { redirect_uri: w.secondAddress }),
        newer,
      ]);
    },
    ['honoured', 'honoured', 'refused', 'honoured'],
    ['honoured', 'refused', 'honoured', 'honoured'],
  ],
  'lifetime-ends-at-midnight': [
    async (w) => {
      const morning = await w.pair();
      w.later(7199);
      const before = await w.alive(morning);
      w.later(DAY - 7199 - 60);
      const evening = await w.pair();
      w.later(59);
      const late = await w.alive(evening);
      w.later(1);
      return [before, late, await w.alive(evening)];
    },
    [true, true, true],
    [true, true, false],
  ],
  'lifetime-begins-again-after-a-day': [
    async (w) => {
      const pair = await w.pair();
      w.later(7200);
      const dead = await w.alive(pair);
      w.later(DAY - 7200);
      const risen = await w.alive(pair);
      w.later(7200);
      return [dead, risen, await w.alive(pair)];
    },
    [false, false, false],
    [false, true, false],
  ],
  'refresh-after-a-day-born-dead': [
    async (w) => {
      const pair = await w.pair();
      w.later(DAY - 1);
      const next = await w.refreshed(pair);
      const early = await w.alive(next);
      w.later(DAY);
      return [early, await w.alive(await w.refreshed(next))];
    },
    [true, true],
    [true, false],
  ],
  'refresh-retry-answered-with-same-pair': [
    async (w) => {
      const pair = await w.pair();
      const first = await w.refreshed(pair);
      w.later(10);
      const again = await w.refresh(pair);
      const other = await w.pair();
      await w.refreshed(other);
      w.later(11);
      return [
        again?.refresh_token === first.refresh_token && again.access_token === first.access_token,
        await w.refresh(other),
      ];
    },
    [false, undefined],
    [true, undefined],
  ],
  'refresh-of-chains-in-turn-crossed': [
    async (w) => {
      const [one, other] = [await w.pair(), await w.pair()];
      const first = await w.refreshed(one);
      const second = await w.refreshed(other);
      const third = await w.refreshed(first);
      return [sameToken(first, other), sameToken(second, first), sameToken(third, second)];
    },
    [false, false, false],
    [false, false, true],
  ],
  'lifetime-of-late-refresh-from-old-token': [
    async (w) => {
      const [one, other] = [await w.pair(), await w.pair()];
      w.later(7139);
      const early = await w.refreshed(one);
      w.later(1);
      const late = await w.refreshed(other);
      const before = await w.alive(late);
      w.later(60);
      return [before, await w.alive(early), await w.alive(late)];
    },
    [true, true, true],
    [true, true, false],
  ],
  'token-first-response-after-six-hours-without-refresh-token': [
    async (w) => {
      await w.pair();
      w.later(21_599);
      const pairs = [await w.pair()];
      w.later(21_600);
      pairs.push(await w.pair(), await w.pair());
      return pairs.map((pair) => pair.refresh_token !== undefined);
    },
    [true, true, true],
    [true, false, true],
  ],
  'refresh-two-hours-after-expiry-capitalised': [
    async (w) => {
      const pair = await w.pair();
      w.later(14_400);
      const early = await w.refreshed(pair);
      w.later(14_401);
      return [early.token_type, (await w.refreshed(early)).token_type];
    },
    ['bearer', 'bearer'],
    ['bearer', 'Bearer'],
  ],
  'token-secret-unchecked-behind-credential': [
    async (w) => {
      const wrong = { client_secret: 'wrong' };
      const before = ['grant_type', 'client_id', 'client_secret', 'redirect_uri', 'code'];
      const behind = ['grant_type', 'client_id', 'redirect_uri', 'code', 'client_secret'];
      const { refresh_token } = await w.pair();
      const refresh = { ...wrong, grant_type: 'refresh_token', refresh_token };
      return outcomes([
        await tokensInOrder(w, before, { ...wrong, code: await w.code() }),
        await tokensInOrder(w, behind, { ...wrong, code: await w.code() }),
        await tokensInOrder(w, ['grant_type', 'client_id', 'client_secret', 'refresh_token'], refresh),
        await tokensInOrder(w, ['grant_type', 'client_id', 'refresh_token', 'client_secret'], refresh),
      ]);
    },
    ['refused', 'refused', 'refused', 'refused'],
    ['refused', 'honoured', 'refused', 'honoured'],
  ],
  'refresh-with-grant-type-behind-keeps-refresh-token': [
    async (w) => {
      const pair = await w.pair();
      const usual = ['grant_type', 'client_id', 'client_secret', 'refresh_token'];
      const sent = (held: Held | undefined) => ({
        grant_type: 'refresh_token',
        refresh_token: held?.refresh_token ?? '',
      });
      const next = await tokensInOrder(w, usual, sent(pair));
      const last = await tokensInOrder(w, usual.toReversed(), sent(next));
      return [sameToken(pair, next), sameToken(next, last)];
    },
    [false, false],
    [false, true],
  ],
  'authorize-redirect-unchecked-before-client-id': [
    async (w) => {
      const elsewhere = { redirect_uri: 'https://other.example.test/' };
      return outcomes([
        await codeInOrder(w, ['client_id', 'redirect_uri', 'response_type', 'scope'], elsewhere),
        await codeInOrder(w, ['redirect_uri', 'client_id', 'response_type', 'scope'], elsewhere),
      ]);
    },
    ['refused', 'refused'],
    ['refused', 'honoured'],
  ],
  'authorize-response-type-unchecked-at-end': [
    async (w) => {
      const other = { response_type: 'token' };
      return outcomes([
        await codeInOrder(w, ['client_id', 'redirect_uri', 'response_type', 'scope'], other),
        await codeInOrder(w, ['client_id', 'redirect_uri', 'scope', 'response_type'], other),
      ]);
    },
    ['refused', 'refused'],
    ['refused', 'honoured'],
  ],
  'authorize-scope-in-front-refused': [
    async (w) =>
      outcomes([
        await codeInOrder(w, ['client_id', 'redirect_uri', 'response_type', 'scope']),
        await codeInOrder(w, ['scope', 'client_id', 'redirect_uri', 'response_type']),
      ]),
    ['honoured', 'honoured'],
    ['honoured', 'refused'],
  ],
  'exchange-redirect-uri-unchecked-at-end': [
    async (w) => {
      const elsewhere = { redirect_uri: 'https://other.example.test/' };
      const names = ['grant_type', 'client_id', 'client_secret', 'redirect_uri', 'code'];
      const atEnd = ['grant_type', 'client_id', 'client_secret', 'code', 'redirect_uri'];
      return outcomes([
        await tokensInOrder(w, names, { ...elsewhere, code: await w.code() }),
        await tokensInOrder(w, atEnd, { ...elsewhere, code: await w.code() }),
      ]);
    },
    ['refused', 'refused'],
    ['refused', 'honoured'],
  ],
  'exchange-code-good-again-in-other-order': [
    async (w) => {
      const names = ['grant_type', 'client_id', 'client_secret', 'redirect_uri', 'code'];
      const code = await w.code();
      return outcomes([
        await tokensInOrder(w, names, { code }),
        await tokensInOrder(w, names, { code }),
        await tokensInOrder(w, names.toReversed(), { code }),
        await tokensInOrder(w, names.toReversed(), { code }),
      ]);
    },
    ['honoured', 'refused', 'refused', 'refused'],
    ['honoured', 'refused', 'honoured', 'refused'],
  ],
  'list-forgets-assignments-after-a-day': [
    async (w) => {
      await w.assign(await w.pair(), '504');
      w.later(DAY);
      const before = await w.list(await w.pair());
      w.later(1);
      return [before, await w.list(await w.pair()), await w.list(await w.pair(), '1042')];
    },
    [['504'], ['504'], ['503']],
    [['504'], [], ['503']],
  ],
  'list-shows-unassigned-after-an-hour': [
    async (w) => {
      const pair = await w.pair();
      await w.assign(pair, '504');
      await w.unassign(pair, '504');
      w.later(3_599);
      const before = await w.list(pair);
      w.later(1);
      return [before, await w.list(pair)];
    },
    [[], []],
    [[], ['504']],
  ],
  'unassign-right-after-assign-lost': [
    async (w) => {
      const pair = await w.pair();
      await w.assign(pair, '504');
      await w.unassign(pair, '504');
      await w.assign(pair, '505');
      const lists = [await w.list(pair)];
      await w.unassign(pair, '505');
      lists.push(await w.list(pair));
      await w.assign(pair, '506');
      w.later(3);
      await w.unassign(pair, '506');
      return [...lists, await w.list(pair)];
    },
    [['505'], [], []],
    [['504', '505'], ['504'], ['504']],
  ],
  'assign-right-after-vain-unassign-lost': [
    async (w) => {
      const pair = await w.pair();
      for (const user of ['504', '505']) await w.unassign(pair, user);
      w.later(5);
      await w.assign(pair, '504');
      w.later(1);
      await w.assign(pair, '505');
      return w.list(pair);
    },
    ['504', '505'],
    ['505'],
  ],
  'list-first-after-idle-day-empty': [
    async (w) => {
      await w.list(await w.pair(), '1042');
      w.later(DAY - 1);
      const lists = [await w.list(await w.pair(), '1042')];
      w.later(DAY);
      const pair = await w.pair();
      return [...lists, await w.list(pair, '1042'), await w.list(pair, '1042')];
    },
    [['503'], ['503'], ['503']],
    [['503'], [], ['503']],
  ],
  'assign-repeated-after-an-hour-unassigns': [
    async (w) => {
      const pair = await w.pair();
      await w.assign(pair, '504');
      w.later(3_599);
      await w.assign(pair, '504');
      const before = await w.list(pair);
      w.later(1);
      await w.assign(pair, '504');
      return [before, await w.list(pair)];
    },
    [['504'], ['504']],
    [['504'], []],
  ],
};
