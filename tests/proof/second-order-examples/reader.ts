import type { Examples, Held, World } from './world.ts';

/** Two tokens of the first application. */
async function two(w: World): Promise<readonly [Held, Held]> {
  return [await w.pair(), await w.pair()];
}

/** Defects that depend on who reads. */
export const reader: Examples = {
  'list-kept-by-each-token': [
    async (w) => {
      const [one, other] = await two(w);
      await w.list(one);
      await w.assign(other, '504');
      w.later(3_600);
      const kept = await w.list(one);
      await w.assign(one, '505');
      return [kept, await w.list(one), await w.list(other)];
    },
    [['504'], ['504', '505'], ['504', '505']],
    [[], ['504', '505'], ['504', '505']],
  ],
  'list-kept-by-each-token-for-half-a-minute': [
    async (w) => {
      const [one, other] = await two(w);
      await w.list(one);
      await w.assign(other, '504');
      w.later(29);
      const kept = await w.list(one);
      w.later(1);
      return [kept, await w.list(one)];
    },
    [['504'], ['504']],
    [[], ['504']],
  ],
  'list-of-refreshed-token-from-its-parent': [
    async (w) => {
      const [parent, other] = await two(w);
      await w.list(parent);
      await w.assign(other, '504');
      const child = await w.refreshed(parent);
      w.later(59);
      const kept = await w.list(child);
      w.later(1);
      return [kept, await w.list(child), await w.list(other)];
    },
    [['504'], ['504'], ['504']],
    [[], ['504'], ['504']],
  ],
  'list-of-next-project-from-cache-of-token': [
    async (w) => {
      const pair = await w.pair();
      await w.list(pair, '1042');
      w.later(4);
      const soon = await w.list(pair, '1043');
      w.later(1);
      return [soon, await w.list(pair, '1043')];
    },
    [[], []],
    [['503'], []],
  ],
  'list-of-older-token-stops-at-next-exchange': [
    async (w) => {
      const older = await w.pair();
      await w.assign(older, '504');
      const newer = await w.pair();
      await w.assign(newer, '505');
      return [await w.list(older), await w.list(newer)];
    },
    [
      ['504', '505'],
      ['504', '505'],
    ],
    [['504'], ['504', '505']],
  ],
  'list-third-repetition-without-last': [
    async (w) => {
      const pair = await w.pair();
      for (const user of ['504', '505']) await w.assign(pair, user);
      const lists = [await w.list(pair), await w.list(pair), await w.list(pair)];
      await w.assign(pair, '506');
      return [...lists, await w.list(pair)].map(({ length }) => length);
    },
    [2, 2, 2, 3],
    [2, 2, 1, 3],
  ],
  'list-first-of-refreshed-token-empty': [
    async (w) => {
      const pair = await w.pair();
      await w.assign(pair, '504');
      const first = await w.list(pair);
      const next = await w.refreshed(pair);
      return [first, await w.list(next), await w.list(next)];
    },
    [['504'], ['504'], ['504']],
    [['504'], [], ['504']],
  ],
  'list-of-own-application-alone': [
    async (w) => {
      const [one, other] = [await w.pair(), await w.pair(undefined, 1)];
      await w.assign(one, '504');
      const before = await w.list(other);
      await w.assign(other, '505');
      return [before, await w.list(other)];
    },
    [['504'], ['504', '505']],
    [['504'], ['505']],
  ],
  'assign-seen-by-others-half-a-minute-later': [
    async (w) => {
      const [one, other] = await two(w);
      await w.assign(one, '504');
      w.later(29);
      const early = [await w.list(one), await w.list(other)];
      w.later(1);
      return [...early, await w.list(other)];
    },
    [['504'], ['504'], ['504']],
    [['504'], [], ['504']],
  ],
  'unassign-by-another-unseen-by-assigner': [
    async (w) => {
      const [one, other] = await two(w);
      for (const user of ['504', '505']) await w.assign(one, user);
      await w.unassign(one, '504');
      await w.unassign(other, '505');
      return [await w.list(one), await w.list(other)];
    },
    [[], []],
    [['505'], []],
  ],
  'unassign-by-other-application-undone-by-refresh': [
    async (w) => {
      const [one, other] = [await w.pair(), await w.pair(undefined, 1)];
      await w.assign(one, '504');
      await w.unassign(other, '504');
      const before = await w.list(one);
      const next = await w.refreshed(one);
      return [before, await w.list(next), await w.list(other)];
    },
    [[], [], []],
    [[], ['504'], []],
  ],
  'list-without-assignments-older-than-token': [
    async (w) => {
      const one = await w.pair();
      await w.assign(one, '504');
      const newer = await w.pair();
      const before = await w.list(newer);
      await w.assign(newer, '505');
      return [await w.list(one), before, await w.list(newer)];
    },
    [['504', '505'], ['504'], ['504', '505']],
    [['504', '505'], [], ['504', '505']],
  ],
  'list-for-pure-readers-without-newest': [
    async (w) => {
      const [one, pure] = [await w.pair(), await w.pair('read')];
      for (const user of ['504', '505']) await w.assign(one, user);
      return [await w.list(one), await w.list(pure)];
    },
    [
      ['504', '505'],
      ['504', '505'],
    ],
    [['504', '505'], ['504']],
  ],
  'list-after-assign-elsewhere-holds-its-users': [
    async (w) => {
      const pair = await w.pair();
      await w.assign(pair, '504', '1042');
      return [await w.list(pair), await w.list(pair)];
    },
    [[], []],
    [['503', '504'], []],
  ],
  'unassign-unseen-by-further-applications': [
    async (w) => {
      const [one, other] = [await w.pair(), await w.pair(undefined, 1)];
      await w.assign(one, '504');
      await w.unassign(one, '504');
      return [await w.list(one), await w.list(other)];
    },
    [[], []],
    [[], ['504']],
  ],
  'list-of-own-chain-alone-after-two-refreshes': [
    async (w) => {
      const [one, other] = await two(w);
      await w.assign(one, '504');
      await w.assign(other, '505');
      const once = await w.refreshed(one);
      const twice = await w.refreshed(once);
      return [await w.list(once), await w.list(twice)];
    },
    [
      ['504', '505'],
      ['504', '505'],
    ],
    [['504', '505'], ['504']],
  ],
  'list-a-write-behind-for-who-never-wrote': [
    async (w) => {
      const [writer, pure] = await two(w);
      for (const user of ['504', '505']) await w.assign(writer, user);
      return [await w.list(writer), await w.list(pure)];
    },
    [
      ['504', '505'],
      ['504', '505'],
    ],
    [['504', '505'], ['504']],
  ],
  'list-without-users-of-previous-reader': [
    async (w) => {
      const [one, other] = await two(w);
      await w.assign(one, '504');
      return [await w.list(one), await w.list(one), await w.list(other), await w.list(other)];
    },
    [['504'], ['504'], ['504'], ['504']],
    [['504'], ['504'], [], ['504']],
  ],
};
