import { type Examples, type Held, outcomes } from './world.ts';

/** Defects that show while two requests are in flight at once, or after that. Each is tried one after another, too. */
export const concurrency: Examples = {
  'refresh-at-once-of-same-token-answered-alike': [
    async (w) => {
      const pair = await w.pair();
      const [one, other] = await Promise.all([w.refresh(pair), w.refresh(pair)]);
      const alone = await w.pair();
      const alike = one !== undefined && one.refresh_token === other?.refresh_token;
      return {
        sameRefreshToken: alike,
        sameAccessToken: alike && one.access_token === other?.access_token,
        oneAfterAnother: outcomes([await w.refresh(alone), await w.refresh(alone)]),
      };
    },
    { sameRefreshToken: false, sameAccessToken: false, oneAfterAnother: ['honoured', 'refused'] },
    { sameRefreshToken: true, sameAccessToken: true, oneAfterAnother: ['honoured', 'refused'] },
  ],
  'refresh-at-once-answers-crossed': [
    async (w) => {
      const pairs = [await w.pair('read'), await w.pair('write')];
      const alone = await Promise.all(pairs.slice(0, 1).map((pair) => w.refreshed(pair)));
      const next = await Promise.all([...alone, ...pairs.slice(1)].map((pair) => w.refresh(pair)));
      return [...alone, ...next].map((pair) => pair?.scope);
    },
    ['read', 'read', 'write'],
    ['read', 'write', 'read'],
  ],
  'exchange-at-once-answers-share-refresh-token': [
    async (w) => {
      const codes = [await w.code(), await w.code()];
      const [one, other] = await Promise.all(codes.map((code) => w.exchange(code)));
      const [first, second] = [await w.pair(), await w.pair()];
      return [one?.refresh_token === other?.refresh_token, first.refresh_token === second.refresh_token];
    },
    [false, false],
    [true, false],
  ],
  'exchange-at-once-with-wrong-address-shares-answer': [
    async (w) => {
      const elsewhere = { redirect_uri: w.secondAddress };
      const code = await w.code();
      const [right, wrong] = await Promise.all([w.exchange(code), w.exchange(code, elsewhere)]);
      const later = await w.code();
      const shared = wrong !== undefined && wrong.access_token === right?.access_token;
      const oneAfterAnother = outcomes([await w.exchange(later, elsewhere), await w.exchange(later)]);
      return { right: outcomes([right]), shared, oneAfterAnother };
    },
    { right: ['honoured'], shared: false, oneAfterAnother: ['refused', 'honoured'] },
    { right: ['honoured'], shared: true, oneAfterAnother: ['refused', 'honoured'] },
  ],
  'refresh-at-once-with-wrong-secret-shares-answer': [
    async (w) => {
      const wrongly = { client_secret: 'wrong' };
      const pair = await w.pair();
      const [right, wrong] = await Promise.all([w.refresh(pair), w.refresh(pair, wrongly)]);
      const shared = wrong !== undefined && wrong.refresh_token === right?.refresh_token;
      const alone = await w.pair();
      const oneAfterAnother = outcomes([await w.refresh(alone, wrongly), await w.refresh(alone)]);
      return { right: outcomes([right]), shared, oneAfterAnother };
    },
    { right: ['honoured'], shared: false, oneAfterAnother: ['refused', 'honoured'] },
    { right: ['honoured'], shared: true, oneAfterAnother: ['refused', 'honoured'] },
  ],
  'refresh-at-once-of-same-token-both-void': [
    async (w) => {
      const pair = await w.pair();
      const both = await Promise.all([w.refresh(pair), w.refresh(pair)]);
      const given = both.filter((next) => next !== undefined);
      const again = [];
      for (const next of given.toReversed()) again.push(await w.refresh(next));
      const alone = outcomes([await w.refresh(await w.refreshed(await w.pair()))]);
      return { given: given.length, again: outcomes(again), alone };
    }, // The second of the two is refused, and takes the chain with it.
    { given: 1, again: ['refused'], alone: ['honoured'] },
    { given: 2, again: ['refused', 'refused'], alone: ['honoured'] },
  ],
  'refresh-at-once-of-same-token-without-refresh-token': [
    async (w) => {
      const pair = await w.pair();
      const both = await Promise.all([w.refresh(pair), w.refresh(pair)]);
      const alone = await w.refreshed(await w.pair());
      return [
        ...both.map((next) => next && Object.hasOwn(next, 'refresh_token')),
        Object.hasOwn(alone, 'refresh_token'),
      ];
    },
    [true, undefined, true],
    [true, false, true],
  ],
  'lifetime-of-second-of-refreshes-at-once-an-hour': [
    async (w) => {
      const pairs = [await w.pair(), await w.pair()];
      const next = await Promise.all(pairs.map((pair) => w.refreshed(pair)));
      next.push(await w.refreshed(await w.pair()));
      w.later(3_600);
      const alive: boolean[] = [];
      for (const pair of next) alive.push(await w.alive(pair));
      return alive;
    },
    [true, true, true],
    [true, false, true],
  ],
  'exchange-at-once-accepts-credentials-of-other': [
    async (w) => {
      const { redirect_uri } = w.application(0);
      const taken = await w.code();
      const [own, foreign] = await Promise.all([
        w.exchange(await w.code()),
        w.exchange(taken, { redirect_uri }, 1),
      ]);
      return outcomes([own, foreign, await w.exchange(await w.code(), { redirect_uri }, 1)]);
    },
    ['honoured', 'refused', 'refused'],
    ['honoured', 'honoured', 'refused'],
  ],
  'lifetime-unchecked-beside-live-request': [
    async (w) => {
      const old = await w.pair();
      w.later(7200);
      const live = await w.pair();
      const beside = await Promise.all([w.alive(live), w.alive(old)]);
      return [...beside, await w.alive(old)];
    },
    [true, false, false],
    [true, true, false],
  ],
  'list-at-once-with-refresh-empty': [
    async (w) => {
      const [pair, other] = [await w.pair(), await w.pair()];
      const [beside] = await Promise.all([w.list(pair, '1042'), w.refresh(pair)]);
      const [apart] = await Promise.all([w.list(pair, '1042'), w.refresh(other)]);
      return [beside, apart, await w.list(pair, '1042')];
    },
    [['503'], ['503'], ['503']],
    [[], ['503'], ['503']],
  ],
  'assign-at-once-in-project-lost': [
    async (w) => {
      const pair = await w.pair();
      await w.assign(pair, '504');
      const honoured = await Promise.all([
        w.assign(pair, '505'),
        w.assign(pair, '506'),
        w.assign(pair, '507', '1044'),
      ]);
      return [honoured, await w.list(pair), await w.list(pair, '1044')];
    },
    [[true, true, true], ['504', '505', '506'], ['507']],
    [[true, true, true], ['504', '506'], ['507']],
  ],
  'list-at-once-answers-crossed': [
    async (w) => {
      const pair = await w.pair();
      const crossed = await Promise.all([w.list(pair, '1041'), w.list(pair, '1042')]);
      return [...crossed, await w.list(pair, '1041'), await w.list(pair, '1042')];
    },
    [['501', '502'], ['503'], ['501', '502'], ['503']],
    [['503'], ['501', '502'], ['501', '502'], ['503']],
  ],
  'unassign-at-once-with-assign-lost': [
    async (w) => {
      const pair = await w.pair();
      for (const user of ['504', '505']) await w.assign(pair, user);
      await w.unassign(pair, '504');
      const honoured = await Promise.all([w.assign(pair, '506'), w.unassign(pair, '505')]);
      return [honoured, await w.list(pair)];
    },
    [[true, true], ['506']],
    [
      [true, true],
      ['505', '506'],
    ],
  ],
  'list-at-once-with-write-remembered': [
    async (w) => {
      const pair = await w.pair();
      await w.assign(pair, '504');
      const before = await w.list(pair);
      await Promise.all([w.list(pair), w.assign(pair, '505')]);
      const after = await w.list(await w.pair());
      w.later(10);
      return [before, after, await w.list(pair)];
    },
    [['504'], ['504', '505'], ['504', '505']],
    [['504'], ['504'], ['504', '505']],
  ],
  'unassign-at-once-twice-leaves-user': [
    async (w) => {
      const pair = await w.pair();
      for (const user of ['504', '505']) await w.assign(pair, user);
      await Promise.all([w.unassign(pair, '504'), w.unassign(pair, '504')]);
      for (let time = 0; time < 2; time += 1) await w.unassign(pair, '505');
      return w.list(pair);
    },
    [],
    ['504'],
  ],
  'assign-at-once-third-lost': [
    async (w) => {
      const pair = await w.pair();
      await Promise.all([w.assign(pair, '504'), w.assign(pair, '505', '1044'), w.assign(pair, '506')]);
      await Promise.all([w.assign(pair, '507'), w.assign(pair, '508')]);
      return [await w.list(pair), await w.list(pair, '1044')];
    },
    [['504', '506', '507', '508'], ['505']],
    [['504', '507', '508'], ['505']],
  ],
  'assign-at-once-to-two-projects-stored-in-one': [
    async (w) => {
      const pair = await w.pair();
      await Promise.all([
        w.assign(pair, '504'),
        w.assign(pair, '504', '1044'),
        w.assign(pair, '505', '1044'),
      ]);
      await w.assign(pair, '505');
      return [await w.list(pair), await w.list(pair, '1044')];
    },
    [
      ['504', '505'],
      ['504', '505'],
    ],
    [['504', '505'], ['505']],
  ],
  'list-fourth-at-once-without-last': [
    async (w) => {
      const pair = await w.pair();
      const lists = await Promise.all([1, 2, 3, 4, 5].map(() => w.list(pair, '1041')));
      return lists.map(({ length }) => length);
    },
    [2, 2, 2, 2, 2],
    [2, 2, 2, 1, 1],
  ],
  'unassign-at-once-of-two-users-lost': [
    async (w) => {
      const pair = await w.pair();
      for (const user of ['504', '505', '506']) await w.assign(pair, user);
      await w.unassign(pair, '506');
      await Promise.all([w.unassign(pair, '504'), w.unassign(pair, '505')]);
      return w.list(pair);
    },
    [],
    ['505'],
  ],
  'assign-at-once-with-list-rolled-back': [
    async (w) => {
      const pair = await w.pair();
      await Promise.all([w.assign(pair, '504'), w.list(pair)]);
      await Promise.all([w.assign(pair, '505'), w.list(pair, '1044')]);
      return w.list(pair);
    },
    ['504', '505'],
    ['505'],
  ],
  'unassign-after-assigns-at-once-leaves-a-row': [
    async (w) => {
      const pair: Held = await w.pair();
      await Promise.all([w.assign(pair, '504'), w.assign(pair, '504')]);
      for (const user of ['505', '505']) await w.assign(pair, user);
      for (const user of ['504', '505']) await w.unassign(pair, user);
      const once = await w.list(pair);
      await w.unassign(pair, '504');
      return [once, await w.list(pair)];
    },
    [[], []],
    [['504'], []],
  ],
};
