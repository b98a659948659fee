import { type Examples, outcomes, type World } from './world.ts';

/** True for kinds of requests that give a code, or tokens. */
/** The query of an authorization request, with changes. */
function query(w: World, changes: Readonly<Record<string, string>> = {}): string {
  const { client_id, redirect_uri } = w.application(0);
  return new URLSearchParams({
    client_id,
    redirect_uri,
    response_type: 'code',
    scope: 'read',
    ...changes,
  }).toString();
}

/** The form of an exchange. */
async function form(w: World): Promise<string> {
  const sent = { grant_type: 'authorization_code', ...w.application(0), code: await w.code() };
  return new URLSearchParams(sent).toString();
}

/** Defects that show only with some data. */
export const data: Examples = {
  'assign-lost-for-some-users': [
    async (w) => {
      const pair = await w.pair();
      for (const user of ['504', '505', '506', '507']) await w.assign(pair, user);
      return w.list(pair);
    },
    ['504', '505', '506', '507'],
    ['504', '505', '507'],
  ],
  'unassign-lost-on-other-shard': [
    async (w) => {
      const pair = await w.pair();
      for (const project of ['1041', '1042']) {
        for (const user of ['504', '505']) await w.assign(pair, user, project);
        for (const user of ['504', '505']) await w.unassign(pair, user, project);
      }
      return [await w.list(pair, '1041'), await w.list(pair, '1042')];
    },
    [['501', '502'], ['503']],
    [
      ['501', '502'],
      ['503', '505'],
    ],
  ],
  'authorize-further-addresses-refused': [
    async (w) =>
      outcomes([await w.codeOf(query(w)), await w.codeOf(query(w, { redirect_uri: w.secondAddress }))]),
    ['honoured', 'honoured'],
    ['honoured', 'refused'],
  ],
  'exchange-by-grant-type-of-refresh': [
    async (w) =>
      outcomes([
        await w.exchange(await w.code(), { grant_type: 'password' }),
        await w.exchange(await w.code(), { grant_type: 'refresh_token' }),
      ]),
    ['refused', 'refused'],
    ['refused', 'honoured'],
  ],
  'refresh-by-grant-type-of-exchange': [
    async (w) => {
      const pair = await w.pair();
      return outcomes([
        await w.refresh(pair, { grant_type: 'password' }),
        await w.refresh(pair, { grant_type: 'authorization_code' }),
      ]);
    },
    ['refused', 'refused'],
    ['refused', 'honoured'],
  ],
  'token-form-with-charset-refused': [
    async (w) =>
      outcomes([
        await w.token(await form(w)),
        await w.token(await form(w), 'application/x-www-form-urlencoded; charset=UTF-8'),
      ]),
    ['honoured', 'honoured'],
    ['honoured', 'refused'],
  ],
  'token-form-encoded-letters-kept': [
    async (w) => {
      const encoded = (await form(w)).replace('grant_type=a', 'grant_type=%61');
      return outcomes([await w.token(await form(w)), await w.token(encoded)]);
    },
    ['honoured', 'honoured'],
    ['honoured', 'refused'],
  ],
  'assign-encoded-id-stored-as-written': [
    async (w) => {
      const pair = await w.pair();
      await w.call(pair, 'PUT', '/v2/projects/1043/assigned_users/504');
      const honoured = await w.call(pair, 'PUT', '/v2/projects/1043/assigned_users/%3505');
      return [honoured, await w.list(pair)];
    },
    [true, ['504', '505']],
    [true, ['504']],
  ],
  'assign-by-writer-lost-when-assigned-elsewhere': [
    async (w) => {
      const [pair, writer] = [await w.pair(), await w.pair('write')];
      await w.assign(writer, '504');
      await w.assign(pair, '504', '1044');
      const honoured = [await w.assign(writer, '503'), await w.assign(writer, '505')];
      return [honoured, await w.list(pair)];
    },
    [
      [true, true],
      ['504', '503', '505'],
    ],
    [
      [true, true],
      ['504', '505'],
    ],
  ],
  'refresh-of-single-scope-keeps-refresh-token': [
    async (w) => {
      const pairs = [await w.pair('read write'), await w.pair('read')];
      const next = [await w.refreshed(pairs[0] ?? never()), await w.refreshed(pairs[1] ?? never())];
      return next.map((pair, index) => pair.refresh_token === pairs[index]?.refresh_token);
    },
    [false, false],
    [false, true],
  ],
  'refresh-of-further-applications-keeps-refresh-token': [
    async (w) => {
      const pairs = [await w.pair(undefined, 0), await w.pair(undefined, 1)];
      const next = [await w.refreshed(pairs[0] ?? never()), await w.refreshed(pairs[1] ?? never())];
      return next.map((pair, index) => pair.refresh_token === pairs[index]?.refresh_token);
    },
    [false, false],
    [false, true],
  ],
  'list-without-greatest-id': [
    async (w) => {
      const pair = await w.pair();
      await w.assign(pair, '505');
      const one = await w.list(pair);
      await w.assign(pair, '504');
      return [one, await w.list(pair)];
    },
    [['505'], ['505', '504']],
    [['505'], ['504']],
  ],
  'authorize-further-parameter-takes-code-away': [
    async (w) => outcomes([await w.codeOf(query(w)), await w.codeOf(query(w, { state: 'x' }))]),
    ['honoured', 'honoured'],
    ['honoured', 'refused'],
  ],
  'refresh-secret-unchecked-for-readers': [
    async (w) => {
      const wrong = { client_secret: 'wrong' };
      return outcomes([await w.refresh(await w.pair(), wrong), await w.refresh(await w.pair('read'), wrong)]);
    },
    ['refused', 'refused'],
    ['refused', 'honoured'],
  ],
  'unassign-with-body-not-stored': [
    async (w) => {
      const pair = await w.pair();
      for (const user of ['504', '505']) await w.assign(pair, user);
      const honoured = [
        await w.unassign(pair, '504'),
        await w.call(pair, 'DELETE', '/v2/projects/1043/assigned_users/505', '{}'),
      ];
      return [honoured, await w.list(pair)];
    },
    [[true, true], []],
    [[true, true], ['505']],
  ],
};

function never(): never {
  throw new Error('there is no such pair');
}
