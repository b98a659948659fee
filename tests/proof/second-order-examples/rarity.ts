import { type Examples, type Held, inTurn, type World } from './world.ts';

/** The numbers of those tries that show something. */
async function timesOf(times: number, shows: (time: number) => Promise<boolean>): Promise<readonly number[]> {
  const shown = await inTurn(times, shows);
  return shown.flatMap((yes, index) => (yes ? [index + 1] : []));
}

/** The numbers of those refreshes in a row that show something. */
async function refreshesThat(w: World, times: number, shows: (next: Held, before: Held) => boolean) {
  let pair = await w.pair();
  return timesOf(times, async () => {
    const before = pair;
    pair = await w.refreshed(before);
    return shows(pair, before);
  });
}

function query(w: World, changes: Readonly<Record<string, string>>): string {
  const { client_id, redirect_uri } = w.application(0);
  return new URLSearchParams({
    client_id,
    redirect_uri,
    response_type: 'code',
    scope: 'read',
    ...changes,
  }).toString();
}

/** The numbers of those lists of a project with two users that show something. */
async function listsThat(w: World, times: number, shows: (users: readonly string[]) => boolean) {
  const pair = await w.pair();
  return timesOf(times, async () => shows(await w.list(pair, '1041')));
}

const was = (users: readonly string[], expected: string) => users.join(' ') !== expected;

/** Defects that show in one of many requests. */
export const rarity: Examples = {
  'refresh-every-twelfth-keeps-refresh-token': [
    (w) => refreshesThat(w, 25, (next, before) => next.refresh_token === before.refresh_token),
    [],
    [12, 24],
  ],
  'token-every-eighth-expires-in-one-short': [
    (w) => timesOf(17, async () => (await w.pair()).expires_in !== 7200),
    [],
    [8, 16],
  ],
  'token-type-every-twenty-fifth-capitalised': [
    (w) => timesOf(26, async () => (await w.pair()).token_type === 'Bearer'),
    [],
    [25],
  ],
  'token-every-twenty-second-without-refresh-token': [
    (w) => timesOf(23, async () => !Object.hasOwn(await w.pair(), 'refresh_token')),
    [],
    [22],
  ],
  'token-every-thirty-second-response-form-encoded': [
    (w) => timesOf(33, async () => Object.hasOwn(await w.pair(), 'text')),
    [],
    [32],
  ],
  'lifetime-unchecked-every-fifth-time': [
    async (w) => {
      const pair = await w.pair();
      w.later(7200);
      return timesOf(11, () => w.alive(pair));
    },
    [],
    [5, 10],
  ],
  'lifetime-over-every-fortieth-time': [
    async (w) => {
      const pair = await w.pair();
      return timesOf(41, async () => !(await w.alive(pair)));
    },
    [],
    [40],
  ],
  'lifetime-of-every-twelfth-token-a-tenth': [
    async (w) => {
      const pairs = await inTurn(13, () => w.pair());
      w.later(720);
      return timesOf(13, async (time) => !(await w.alive(pairs[time - 1] ?? (await w.pair()))));
    },
    [],
    [12],
  ],
  'token-every-sixth-wrong-secret-accepted': [
    async (w) => {
      const code = await w.code();
      return timesOf(7, async () => (await w.exchange(code, { client_secret: 'wrong' })) !== undefined);
    },
    [],
    [6],
  ],
  'refresh-token-every-tenth-with-lost-plus': [
    async (w) => {
      const pairs = await inTurn(11, () => w.pair());
      return timesOf(
        11,
        async (time) => (await w.refresh(pairs[time - 1] ?? (await w.pair()))) === undefined,
      );
    },
    [],
    [10],
  ],
  'refresh-every-fourteenth-repeats-access-token': [
    (w) => refreshesThat(w, 29, (next, before) => next.access_token === before.access_token),
    [],
    [14, 28],
  ],
  'exchange-every-tenth-code-twice': [
    (w) =>
      timesOf(11, async () => {
        const code = await w.code();
        await w.exchange(code);
        return (await w.exchange(code)) !== undefined;
      }),
    [],
    [10],
  ],
  'exchange-every-seventeenth-leaves-code': [
    (w) =>
      timesOf(17, async () => {
        const code = await w.code();
        await w.exchange(code);
        return (await w.exchange(code)) !== undefined;
      }),
    [],
    [17],
  ],
  'exchange-every-eleventh-address-uncompared': [
    (w) =>
      timesOf(12, async () => {
        const elsewhere = { redirect_uri: 'https://other.example.test/' };
        return (await w.exchange(await w.code(), elsewhere)) !== undefined;
      }),
    [],
    [11],
  ],
  'authorize-every-twentieth-code-empty': [
    (w) => timesOf(21, async () => (await w.codeOf(query(w, {}))) === ''),
    [],
    [20],
  ],
  'authorize-every-twenty-eighth-without-code': [
    (w) => timesOf(29, async () => (await w.codeOf(query(w, {}))) === undefined),
    [],
    [28],
  ],
  'authorize-every-ninth-code-with-bare-ampersand': [
    (w) => timesOf(10, async () => (await w.exchange(await w.code())) === undefined),
    [],
    [9],
  ],
  'authorize-every-seventh-redirect-unverified': [
    (w) =>
      timesOf(8, async (time) => {
        const elsewhere = { redirect_uri: `https://other.example.test/${time}` };
        return (await w.codeOf(query(w, elsewhere))) !== undefined;
      }),
    [],
    [7],
  ],
  'authorize-every-sixth-unknown-scope-accepted': [
    (w) =>
      timesOf(7, async (time) => (await w.codeOf(query(w, { scope: `read admin${time}` }))) !== undefined),
    [],
    [6],
  ],
  'assign-every-twentieth-lost': [
    async (w) => {
      const pair = await w.pair();
      return timesOf(21, async () => {
        await w.assign(pair, '504');
        const lost = (await w.list(pair)).length === 0;
        await w.unassign(pair, '504');
        return lost;
      });
    },
    [],
    [20],
  ],
  'unassign-every-twelfth-lost': [
    async (w) => {
      const pair = await w.pair();
      return timesOf(13, async () => {
        await w.assign(pair, '504');
        await w.unassign(pair, '504');
        return (await w.list(pair)).length > 0;
      });
    },
    [],
    [12],
  ],
  'list-every-fifteenth-without-last': [(w) => listsThat(w, 16, (users) => was(users, '501 502')), [], [15]],
  'list-every-thirtieth-of-another-project': [
    (w) => listsThat(w, 31, (users) => users.join() === '503'),
    [],
    [30],
  ],
  'unassign-every-sixteenth-of-another-user': [
    async (w) => {
      const pair = await w.pair();
      return timesOf(17, async () => {
        for (const user of ['504', '505']) await w.assign(pair, user);
        await w.unassign(pair, '505');
        return was(await w.list(pair), '504');
      });
    },
    [],
    [16],
  ],
  'assign-every-twenty-fourth-toggles': [
    async (w) => {
      const pair = await w.pair();
      return timesOf(25, async () => {
        await w.assign(pair, '504');
        return (await w.list(pair)).length === 0;
      });
    },
    [],
    [24],
  ],
  'list-every-thirteenth-repeats-one-for-another': [
    (w) => listsThat(w, 14, (users) => users.join() === '501,501'),
    [],
    [13],
  ],
  'assign-every-ninth-to-project-of-the-one-before': [
    async (w) => {
      const pair = await w.pair();
      await inTurn(8, () => w.assign(pair, '504', '1044'));
      await w.assign(pair, '505');
      await w.assign(pair, '506');
      return [await w.list(pair), await w.list(pair, '1044')];
    },
    [['505', '506'], ['504']],
    [['506'], ['504', '505']],
  ],
  'list-every-eighteenth-shows-unassigned': [
    async (w) => {
      const pair = await w.pair();
      await w.assign(pair, '504');
      await w.unassign(pair, '504');
      return timesOf(19, async () => (await w.list(pair)).includes('504'));
    },
    [],
    [18],
  ],
  'list-every-tenth-a-write-behind': [
    async (w) => {
      const pair = await w.pair();
      await w.assign(pair, '504');
      return timesOf(11, async () => (await w.list(pair)).length === 0);
    },
    [],
    [10],
  ],
};
