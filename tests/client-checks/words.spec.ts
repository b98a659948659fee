import { expect, test } from '@playwright/test';
import type { ClientRequirementId, SituationId } from '../../generated/ids.ts';
import { errorLine } from '../../src/client-checks/drive/processes.ts';
import type { Act, Episode } from '../../src/client-checks/evaluate/episode.ts';
import { loadClientCatalogue } from '../../src/document/load-client-requirements.ts';
import type { JournalEntry } from '../../src/emulator/control/control-types.ts';
import { evaluateEpisodes } from '../support/evaluate-episodes.ts';
import { evaluateVariation } from '../support/faulty-client/evaluate-variation.ts';
import type { FaultId } from '../support/faulty-client/faults.ts';
import { evaluateSent } from '../support/own-tests/evaluate-sent.ts';

const SAID: readonly (readonly [
  fault: FaultId,
  situation: SituationId,
  id: ClientRequirementId,
  words: RegExp,
])[] = [
  ['scope-unknown', 'flow', 'sign-in.scopes', /asks for the scope "admin", which does not exist/],
  ['scopes-by-comma', 'flow', 'sign-in.scopes', /joins its scopes with ",", not with a space/],
  [
    'redirect-address-of-its-own',
    'flow',
    'sign-in.redirect-address',
    /asks for \S+\/callback\/legacy, which is not authorized; \S+\/callback is/,
  ],
  [
    'another-path-to-assign',
    'flow',
    'calls.documented-paths',
    /sent to assign, which is PUT \{base_url\}\/v2/,
  ],
  [
    'calls-at-the-other-address',
    'flow',
    'calls.documented-paths',
    /went to \{auth_url\}, not to \{base_url\}/,
  ],
  [
    'tokens-of-255-characters',
    'token-length',
    'answers.every-character',
    /presents the first 255 of the 2000 characters of (?:access|refresh)_token#1/,
  ],
  [
    'form-values-not-encoded',
    'token-characters',
    'answers.every-character',
    /presents code#1, not encoded in the form: a plus sign arrives as a blank/,
  ],
];

test('the fix for a session cookie that does not come back names no attribute that the cookie lacks', () => {
  const fix = loadClientCatalogue().requirements.find(({ id }) => id === 'callback.session-cookie')?.fix;
  expect(fix).toEqual(["Set the session's cookie with `SameSite=Lax`."]);
});

for (const [fault, situation, id, words] of SAID)
  test(`${fault}: ${words.source}`, async () => {
    const { of } = await evaluateVariation(fault, { situations: ['flow', situation] });
    const evaluation = of(id);
    expect(evaluation?.kind === 'broken' ? evaluation.lines.join('\n') : evaluation).toMatch(words);
  });

test('refreshes with a wrong token are named where none with the right one was sent', async () => {
  const { of } = await evaluateSent(async ({ emulator, token, list }) => {
    const { refresh_token } = emulator.tokens();
    const refresh = (token: string) => ({ grant_type: 'refresh_token', refresh_token: token });
    const { access_token: accessToken } = await token(refresh(refresh_token));
    emulator.control.clock.advance(7_201);
    await list(`Bearer ${accessToken}`);
    await token(refresh('the-old-one'));
    await list(`Bearer ${accessToken}`);
  });
  expect(of('renewal.after-expiry')).toEqual({
    kind: 'broken',
    lines: [expect.stringContaining('and only refreshes with unissued_refresh_token#1 were sent')],
  });
});

test('an application that hangs for want of a deadline, and so gives no answer, has one finding', () => {
  const act = { session: 'first', outcome: 'no-answer', detail: 'got no answer within 10 s' } as const;
  const episodeOf = (situation: SituationId, first: Partial<Act>): Episode => ({
    situation,
    steps: [
      { ...act, act: 'callback', as: 'stalled', after: 0, until: 1, ...first },
      { ...act, act: 'connect', as: 'recover', after: 1, until: 1 },
    ],
    entries: [],
    owners: { first: 'ada@example.test', second: 'ben@example.test' },
  });
  const broken = (...episodes: readonly Episode[]) => evaluateEpisodes(episodes).broken;
  const hanging = episodeOf('exchange-stalled', {});
  expect(broken(hanging)).toEqual(['errors.deadline']);
  const answered = episodeOf('exchange-stalled', { outcome: 'error', detail: 'answered 502' });
  expect(broken(answered)).toEqual(['errors.still-answers']);
  const elsewhere = episodeOf('exchange-500', { as: 'failed', outcome: 'error', detail: 'answered 502' });
  expect(broken(hanging, elsewhere)).toEqual(['errors.deadline', 'errors.still-answers']);
});

test('a refresh before each call is found where others state a short lifetime: the flow has the documented one', async () => {
  const { of } = await evaluateVariation('eager-refresh', { situations: ['flow'], expiresIn: 30 });
  expect(of('renewal.when-needed')).toEqual({
    kind: 'broken',
    lines: [
      expect.stringMatching(
        /^flow: 7 of 7 calls, each just after another one or a sign-in, began with a refresh$/,
      ),
    ],
  });
});

test('a call is refused although the client refreshes a minute early, and tokens that expire live for seconds', async () => {
  const { of } = await evaluateVariation('401-passed-on', {
    situations: ['unauthorized-once'],
    expiresIn: 30,
  });
  expect(of('unauthorized.recovers')).toEqual({
    kind: 'broken',
    lines: [expect.stringMatching(/^unauthorized-once: 1 answered 401, 0 refreshes/)],
  });
});

test('a pair that is not kept is one finding, for a client that refreshes early and hides the refusal', async () => {
  const { broken } = await evaluateVariation('refreshed-pair-not-kept', {
    situations: ['flow', 'expiry', 'token-type-capital', 'additional-fields', 'token-characters'],
    expiresIn: 3,
  });
  expect(broken).toEqual(['pair.newest-refresh-token']);
});

test('the first secret of each kind is named: many tokens hide no client secret, and make no second line', async () => {
  const { of } = await evaluateVariation('tokens-logged', {
    situations: ['second-expiry', 'flow', 'forbidden'],
  });
  expect(of('secrets.not-in-output')).toEqual({
    kind: 'broken',
    lines: [
      'second-expiry: the client printed access_token#1, refresh_token#1',
      'flow: the client printed access_token#1, refresh_token#1',
      // The refresh token was never presented.
      'forbidden: the client printed access_token#1, refresh_token#1',
    ],
  });
});

test('a failed sign-in that ends well is no pass where no text shows success', () => {
  const entry = { arrival: 1, endpoint: 'token', grantType: 'authorization_code', status: 400 } as const;
  const sent = { method: 'POST', target: '/oauth/token', body: '', headers: [], parameters: [] } as const;
  const step = { session: 'first', outcome: 'ok', detail: 'answered 200', until: 1 } as const;
  const failed = { session: 'first', outcome: 'error', detail: 'answered 401', after: 1, until: 1 } as const;
  const found = (shown: Pick<Act, 'shown'>) =>
    evaluateEpisodes([
      {
        situation: 'unknown-code',
        steps: [
          { ...step, ...shown, act: 'callback', as: 'hostile', after: 0 },
          { ...failed, act: 'call', as: 'after-refusal' },
        ],
        entries: [{ ...entry, ...sent, presented: {}, issued: {} } as unknown as JournalEntry],
        owners: { first: 'ada@example.test', second: 'ben@example.test' },
      },
    ]).of('code.refused-means-no');
  expect(found({})).toEqual({
    kind: 'not-exercised',
    why: expect.stringContaining('answered 200: put success.contains into the file'),
  });
  expect(found({ shown: true })).toMatchObject({ kind: 'broken' });
});

test('a change that is sent during the next call names the ids of its own call', () => {
  const call = {
    session: 'first',
    outcome: 'ok',
    detail: 'answered 200',
    act: 'call',
    as: 'awkward',
  } as const;
  const asked = (user: string) =>
    ({ operation: 'assign', project: '1041', user, named: ['project', 'user'] }) as const;
  const none = { body: '', headers: [], parameters: [], presented: {}, issued: {}, method: 'PUT' } as const;
  const sent = { ...none, endpoint: 'assign', status: 200 } as const;
  const target = (user: string) => `/v2/projects/1041/assigned_users/${user}`;
  const found = (firstSent: number) =>
    evaluateEpisodes([
      {
        situation: 'awkward-ids',
        steps: [
          { ...call, asked: asked('501'), after: 0, until: firstSent },
          { ...call, asked: asked('502'), after: firstSent, until: 2 },
        ],
        entries: [
          { ...sent, arrival: 1, target: target('501') },
          { ...sent, arrival: 2, target: target('502') },
        ] as unknown as readonly JournalEntry[],
        owners: { first: 'ada@example.test', second: 'ben@example.test' },
      },
    ]).of('calls.ids-encoded').kind;
  expect([found(1), found(0)]).toEqual(['kept', 'kept']);
});

test('the refusal of an expired token is no try of a call that the service answers 500', () => {
  const none = { body: '', headers: [], parameters: [], presented: {}, issued: {}, method: 'GET' } as const;
  const listed = { ...none, endpoint: 'list', target: '/v2/projects/1041/assigned_users' } as const;
  const found = (...statuses: readonly number[]) => {
    const entries = statuses.map((status, index) => ({ ...listed, status, arrival: index + 1 }));
    const call = { session: 'first', outcome: 'error', detail: 'answered 500', act: 'call' } as const;
    return evaluateEpisodes([
      {
        situation: 'call-failed-after-refresh',
        steps: [{ ...call, as: 'failed', after: 0, until: entries.length }],
        entries: entries as unknown as readonly JournalEntry[],
        owners: { first: 'ada@example.test', second: 'ben@example.test' },
      },
    ]).of('waiting.few-tries').kind;
  };
  expect(found(401, 500, 500, 500, 500)).toBe('kept');
  expect(found(401, 500, 500, 500, 500, 500)).toBe('broken');
});

test('a call that ends well without a request of its own takes nobody for a user', () => {
  const refused = {
    endpoint: 'token',
    grantType: 'authorization_code',
    status: 400,
    method: 'POST',
  } as const;
  const listed = { endpoint: 'list', status: 200, method: 'GET', arrival: 2 } as const;
  const step = { session: 'first', outcome: 'ok', detail: 'answered 200' } as const;
  const none = { target: '/', body: '', headers: [], parameters: [], presented: {}, issued: {} } as const;
  const found = (sent: readonly object[]) =>
    evaluateEpisodes([
      {
        situation: 'unknown-code',
        steps: [
          { ...step, outcome: 'error', act: 'callback', as: 'hostile', after: 0, until: 1 },
          { ...step, act: 'call', as: 'after-refusal', after: 1, until: 2 },
        ],
        entries: [{ ...refused, arrival: 1 }, ...sent].map(
          (one) => ({ ...none, ...one }) as unknown as JournalEntry,
        ),
        owners: { first: 'ada@example.test', second: 'ben@example.test' },
      },
    ]).of('code.refused-means-no').kind;
  expect(found([])).not.toBe('broken');
  expect(found([listed])).toBe('broken');
});

test('an application that asks its user to wait after a failed refresh, and sends nothing, loses no pair', () => {
  const sent = { method: 'POST', target: '/oauth/token', body: '', headers: [], parameters: [] } as const;
  const refresh = { arrival: 1, endpoint: 'token', grantType: 'refresh_token', status: 503, fault: 'status' };
  const presented = { refreshToken: 'refresh_token#1' };
  const step = { session: 'first', outcome: 'error', detail: 'answered 503', act: 'call' } as const;
  const found = (asksAgain?: true) => {
    const next = { ...step, ...(asksAgain && { asksAgain }), after: 1, until: 1 };
    const { of } = evaluateEpisodes([
      {
        situation: 'refresh-503',
        steps: [
          { ...step, as: 'failed', after: 0, until: 1 },
          { ...next, as: 'after-503' },
          { ...next, as: 'recover' },
        ],
        entries: [{ ...sent, ...refresh, presented, issued: {} } as unknown as JournalEntry],
        owners: { first: 'ada@example.test', second: 'ben@example.test' },
      },
    ]);
    return (['pair.kept-on-failure', 'errors.still-answers'] as const).map((id) => of(id).kind);
  };
  expect(found()).toEqual(['broken', 'broken']);
  expect(found(true)).toEqual(['not-exercised', 'not-exercised']);
});

test('a pair that an older refresh token cost before the failure was not lost for it', () => {
  const sent = { method: 'POST', target: '/oauth/token', body: '', headers: [], parameters: [] } as const;
  const refresh = { ...sent, endpoint: 'token', grantType: 'refresh_token', issued: {} } as const;
  const step = { session: 'first', outcome: 'error', detail: 'answered 401', act: 'call' } as const;
  const found = (refused: string) =>
    evaluateEpisodes([
      {
        situation: 'refresh-503',
        steps: [
          { ...step, as: 'recover', after: 0, until: 1 },
          { ...step, as: 'failed', after: 1, until: 2 },
          { ...step, as: 'after-503', after: 2, until: 2 },
        ],
        entries: [
          { ...refresh, arrival: 1, status: 400, presented: {}, refusal: { refused } },
          {
            ...refresh,
            arrival: 2,
            status: 503,
            presented: { refreshToken: 'refresh_token#2' },
            fault: 'status',
          },
        ].map((one) => one as unknown as JournalEntry),
        owners: { first: 'ada@example.test', second: 'ben@example.test' },
      },
    ]).of('pair.kept-on-failure').kind;
  expect(found('client-unknown')).toBe('broken');
  expect(found('refresh-token-used')).toBe('kept');
});

test('a refused call that was shown as good is named by its operation', async () => {
  const { of } = await evaluateVariation('refused-assign-called-good', { situations: ['forbidden'] });
  expect(of('errors.failed-call')).toEqual({
    kind: 'broken',
    lines: [expect.stringContaining('forbidden: the service refused, and the assign ended well')],
  });
});

test('what an application printed is cut between words, without colours: a half code could not be masked', () => {
  const code = 'VUJB-_89vtofUvP3oYnHJAJ3NSW1v981BudA';
  for (let words = 0; words < 60; words += 1) {
    const printed = errorLine(
      `begun /callback?code=${code}&state=1 ${'and '.repeat(words)}\u001b[35mHTTP/1.1" 502\u001b[0m`,
    );
    expect(printed).toMatch(/HTTP\/1\.1" 502$/);
    expect(printed).not.toContain('\u001b');
    expect(printed.replaceAll(code, '')).not.toContain('BudA');
  }
});

test('a list of requests is cut after ten, with the number of the others', async () => {
  const { of } = await evaluateSent(async ({ emulator, token }) => {
    const { refresh_token } = emulator.tokens();
    emulator.control.revoke({ token: refresh_token });
    for (let sent = 0; sent < 30; sent += 1) await token({ grant_type: 'refresh_token', refresh_token });
  });
  const evaluation = of('renewal.refused-not-repeated');
  expect(evaluation?.kind === 'broken' ? evaluation.lines.join() : evaluation).toMatch(
    /requests \d+(, \d+){9} and 20 more\)/,
  );
});

test('a flow that stopped at the sign-in says nothing about ids that no call names', async () => {
  const { of } = await evaluateVariation('exchange-without-secret', { situations: ['flow'] });
  expect(of('calls.ids-as-given')).toEqual({
    kind: 'not-exercised',
  });
});

test('fixes and effects name only what every client that breaks them has', () => {
  const { requirement } = loadClientCatalogue();
  expect(requirement('sign-in.scopes').fix.join(' ')).not.toContain('comma');
  // In brief, a finding has the first line alone.
  const firstFix = (id: ClientRequirementId) => requirement(id).fix[0];
  expect(firstFix('sign-in.scopes')).toContain('separate them by a space');
  expect(firstFix('errors.still-answers')).toContain('timeout');
  expect(firstFix('callback.at-once')).toMatch(/Flask.*one-time record/);
  expect(requirement('renewal.one-at-a-time').suffers).toContain(
    'A client that takes this refusal for the end',
  );
});

test("a timer may refresh an older session's newest pair; a call of the newest session may not", () => {
  const user = 'ada@example.test';
  const sent = { method: 'POST', target: '/oauth/token', body: '', headers: [], parameters: [], status: 200 };
  const pair = (number: number) => ({
    accessToken: `access_token#${number}`,
    refreshToken: `refresh_token#${number}`,
  });
  const exchange = { ...sent, user, endpoint: 'token', grantType: 'authorization_code' };
  const refresh = { ...exchange, grantType: 'refresh_token', presented: { refreshToken: 'refresh_token#1' } };
  const list = { ...sent, user, method: 'GET', endpoint: 'list', effect: 'listed', issued: {} };
  const step = { session: 'first', outcome: 'ok', detail: 'answered 200', as: '' } as const;
  const found = (used: number) =>
    evaluateEpisodes([
      {
        situation: 'second-expiry',
        steps: [
          { ...step, act: 'callback', after: 0, until: 1 },
          { ...step, act: 'callback', after: 1, until: 2 },
          { ...step, act: 'call', after: 2, until: 4 },
        ],
        entries: [
          { ...exchange, arrival: 1, grant: 1, presented: { code: 'code#1' }, issued: pair(1) },
          { ...exchange, arrival: 2, grant: 2, presented: { code: 'code#2' }, issued: pair(2) },
          { ...refresh, arrival: 3, grant: 1, issued: pair(3) },
          { ...list, arrival: 4, grant: used, presented: { accessToken: `access_token#${used}` } },
        ].map((one) => {
          const times = { arrivedMs: 1_000 * one.arrival, answeredMs: 1_000 * one.arrival };
          return { ...one, ...times } as unknown as JournalEntry;
        }),
        owners: { first: user, second: 'ben@example.test' },
      },
    ]).of('pair.newest-refresh-token').kind;
  expect(found(2)).not.toBe('broken');
  expect(found(3)).toBe('broken');
});
