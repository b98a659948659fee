/** The smoke flow against a service that is not ours, by way of a configuration file as somebody would write it. */

import { expect, test } from '@playwright/test';
import type { RequirementId } from '../../../generated/ids.ts';
import { loadCatalogue } from '../../../src/document/load-catalogue.ts';
import { CHECKS } from '../../../src/evaluation/checks/index.ts';
import { SharedRefusals } from '../../../src/evaluation/language/shared-refusals.ts';
import { runCheck } from '../../../src/evaluation/run/run-check.ts';
import { headerOf, isSuccess, type Transport } from '../../../src/http/exchange.ts';
import { SecretRegistry } from '../../../src/http/secrets/registry.ts';
import { cleanUp } from '../../../src/service/flow/clean-up.ts';
import { connectWithoutBrowser } from '../../../src/service/flow/connect.ts';
import { ServiceClient } from '../../../src/service/flow/service-client.ts';
import type { Session } from '../../../src/service/flow/session.ts';
import { runSmokeFlow } from '../../../src/service/flow/smoke-flow.ts';
import type { StepId } from '../../../src/service/flow/smoke-steps.ts';
import { checkBehind, idsWith } from '../../support/check-live.ts';
import { DEMANDS, type DemandId } from '../../support/independent-service/start.ts';
import { withLiveTarget } from '../../support/live-config.ts';

test.describe('the smoke flow gets through, nothing refused,', () => {
  const variants: readonly Record<string, string>[] = [
    {},
    { INDEPENDENT_SERVICE_CONSENT: 'always', INDEPENDENT_SERVICE_TWO_ORIGINS: '1' },
    { INDEPENDENT_SERVICE_CONSENT: 'never', INDEPENDENT_SERVICE_INTERSTITIAL: '1' },
    { INDEPENDENT_SERVICE_MODE: 'as-shipped' },
  ];
  for (const env of variants) {
    test(`with ${JSON.stringify(env)}`, async () => {
      await withLiveTarget(env, {}, async ({ target, ready }) => {
        const session = connectWithoutBrowser(target, new SecretRegistry());
        const smokeFlow = await runSmokeFlow(session);
        expect(smokeFlow.stopped).toBeUndefined();
        expect(smokeFlow.steps.map(({ step, status }) => `${step} ${status}`)).toEqual([
          'authorize done',
          'exchange done',
          'act done',
          'list done',
          // The first is the lock.
          'assign done',
          'assign done',
          'unassign done',
          'refresh done',
        ]);
        expect(smokeFlow.requestStyle.userIdPointer).toBe('/data/*/id');
        const everybody = Object.values(ready.assigned).flat();
        expect(everybody.filter((user) => target.users.includes(user))).toEqual([]);
      });
    });
  }
});

/** The failing requirement for each demand, and the accepted workaround. */
const FOUND_OUT: Readonly<Partial<Record<DemandId, readonly [owner: RequirementId, workaround: string]>>> = {
  state: ['authorize.redirects-with-code', 'with a `state` parameter'],
  percent20: ['authorize.redirects-with-code', 'with `%20` in place of the plus sign'],
  basic: ['exchange.form-encoded', 'with HTTP Basic client authentication'],
  json: ['exchange.form-encoded', 'with a JSON body'],
  'scope-at-refresh': ['refresh.token-response', 'with a `scope` parameter'],
  'unassign-without-v2': ['version.prefix', 'without `/v2` in the path of unassign'],
  'no-v2': ['version.prefix', 'without `/v2` in the path'],
};

test.describe('a service that demands something else than the document is found out:', () => {
  for (const [demand, [owner, workaround]] of Object.entries(FOUND_OUT)) {
    test(`${demand} fails ${owner}`, async () => {
      await withLiveTarget({ INDEPENDENT_SERVICE_DEMANDS: demand }, {}, async ({ target }) => {
        const session = connectWithoutBrowser(target, new SecretRegistry());
        const smokeFlow = await runSmokeFlow(session);
        const taken = smokeFlow.steps.filter((step) => step.status === 'workaround');
        expect(taken.map(({ message }) => message.split('accepted ')[1])).toEqual([workaround]);

        const check = CHECKS.find(({ id }) => id === owner);
        if (check === undefined) throw new Error(`there is no check ${owner}`);
        const emulatorParts = {
          catalogue: loadCatalogue(),
          session,
          smokeFlow,
          sharedRefusals: new SharedRefusals(),
          keepEvidence: true,
        };
        const { result, broken } = await runCheck(check, emulatorParts);
        expect(broken).toBeUndefined();
        expect(result.result).toBe('fail');
        expect(result.reason).toContain(`accepted ${workaround}`);
        expect(result.evidence.length).toBeGreaterThan(1);
      });
    });
  }
});

/** The first token is not found at the API, where a canary release has another prefix. */
const firstTokenNotFound = (inner: Transport): Transport => {
  let first: string | undefined;
  return async (request, signal) => {
    const [, token] = headerOf(request, 'authorization')?.split(' ') ?? [];
    first ??= token;
    return token !== undefined && token === first
      ? { status: 404, headers: [], body: '', bytes: 0 }
      : inner(request, signal);
  };
};

test('a first token that meets 404 beside later ones that are accepted: exchange.token-acts', async () => {
  const results = await checkBehind(firstTokenNotFound, ['exchange.token-acts', 'list.safe']);
  const found = [results.exitCode, idsWith(results, 'fail'), idsWith(results, 'pass'), results.troubles];
  expect(found).toEqual([1, ['exchange.token-acts'], ['list.safe'], []]);
});

/** Tokens from before the first change may only read; others may do all. With `stated`, their token responses say so. */
const losesTheFirstScopes =
  (stated: boolean) =>
  (inner: Transport): Transport => {
    const readers = new Set<string>();
    let isRefused = false;
    return async (request, signal) => {
      const [, token = ''] = headerOf(request, 'authorization')?.split(' ') ?? [];
      if (readers.has(token) && request.method !== 'GET') {
        isRefused = true;
        return { status: 403, headers: [], body: '', bytes: 0 };
      }
      const response = await inner(request, signal);
      if (isRefused || !request.url.endsWith('/oauth/token') || !isSuccess(response)) return response;
      readers.add(JSON.parse(response.body).access_token);
      return stated ? { ...response, body: response.body.replace('read write destroy', 'read') } : response;
    };
  };

for (const [stated, id] of [
  [true, 'authorize.scope-combined'],
  [false, 'scope.granted-scopes-act'],
] as const)
  test(`first tokens that may only read, beside later ones that may do all, ${stated ? 'as stated' : 'not stated'}: ${id}`, async () => {
    const results = await checkBehind(losesTheFirstScopes(stated));
    expect([results.exitCode, idsWith(results, 'fail'), results.troubles]).toEqual([1, [id], []]);
    expect(results.requirements.find((one) => one.id === id)?.reason).toContain('with another code or token');
  });

/** The step that stops where scopes do not work together, and what the suite says of it. */
const ONE_SCOPE: Readonly<Partial<Record<DemandId, readonly [step: StepId, said: string]>>> = {
  'first-scope-only': ['authorize', 'accepted with one scope alone'],
  'one-scope-acts': ['assign', 'a token of one scope alone may unassign, one of all three may not'],
};

for (const [demand, [step, said]] of Object.entries(ONE_SCOPE))
  test(`a service whose scopes do not work together is not as documented: ${demand}`, async () => {
    await withLiveTarget({ INDEPENDENT_SERVICE_DEMANDS: demand }, {}, async ({ target }) => {
      const { stopped } = await runSmokeFlow(connectWithoutBrowser(target, new SecretRegistry()));
      expect(stopped).toMatchObject({ step, status: 'wrong', message: expect.stringContaining(said) });
    });
  });

/** Refuses exchanges as long as it says so; `signIns` counts the passwords that were sent. */
const REFUSALS: readonly (readonly [
  what: string,
  refuses: (exchanges: number, signIns: number) => boolean,
  stopped: unknown,
])[] = [
  ['the first code alone', (exchanges) => exchanges === 1, undefined],
  [
    'every code of the first browser',
    (_, signIns) => signIns < 2,
    expect.objectContaining({
      step: 'exchange',
      status: 'wrong',
      message: expect.stringContaining('accepted for a code of another browser'),
    }),
  ],
];

for (const [what, refuses, expected] of REFUSALS)
  test(`a service that refuses ${what} is at fault, not the configuration`, async () => {
    await withLiveTarget({}, {}, async ({ target }) => {
      let exchanges = 0;
      let signIns = 0;
      const transport: Transport = async (request, signal) => {
        if (request.body?.includes('passwd=')) signIns += 1;
        if (!request.body?.includes('grant_type=authorization_code'))
          return target.transport(request, signal);
        exchanges += 1;
        const body = request.body.replace(/\bcode=[^&]+/, 'code=never-issued');
        return target.transport(refuses(exchanges, signIns) ? { ...request, body } : request, signal);
      };
      const session = connectWithoutBrowser({ ...target, transport }, new SecretRegistry());
      const { stopped } = await runSmokeFlow(session);
      expect(stopped).toEqual(expected);
    });
  });

test('every demand of the independent service has its row', () => {
  expect(Object.keys({ ...FOUND_OUT, ...ONE_SCOPE }).toSorted()).toEqual(Object.keys(DEMANDS).toSorted());
});

test.describe('sign-ins that lead nowhere', () => {
  test('stop the walk after the second, before an account gets locked', async () => {
    const owner = { login: 'owner@staging.example.test', password: { env: 'STAGING_CLIENT_SECRET' } };
    await withLiveTarget({}, { owner }, async ({ target }) => {
      const { steps, stopped } = await runSmokeFlow(connectWithoutBrowser(target, new SecretRegistry()));
      expect(stopped).toMatchObject({ step: 'authorize', status: 'no-answer' });
      expect(stopped?.message).toContain('check the login, the password and the steps of `signIn`');
      const typed = steps.flatMap(({ entries }) => entries).filter(isPasswordPost);
      expect(typed).toHaveLength(2);
    });
  });

  test('stop at the budget', async () => {
    const owner = { login: 'owner@staging.example.test', password: { env: 'STAGING_CLIENT_SECRET' } };
    const change = { owner, budget: { signIns: 1 } };
    await withLiveTarget({}, change, async ({ target }) => {
      const { steps, stopped } = await runSmokeFlow(connectWithoutBrowser(target, new SecretRegistry()));
      expect(stopped?.message).toContain('`budget.signIns`');
      expect(steps.flatMap(({ entries }) => entries).filter(isPasswordPost)).toHaveLength(1);
    });
  });

  function isPasswordPost(
    entry: Awaited<ReturnType<typeof runSmokeFlow>>['steps'][number]['entries'][number],
  ) {
    return entry.kind === 'exchange' && entry.exchange.request.body?.includes('passwd=') === true;
  }
});

test.describe('before the first change', () => {
  async function assignOne(session: Session): Promise<{ project: string; user: string }> {
    const { projects, users } = session.target;
    const [project, user] = [projects[1] ?? '', users[1] ?? ''];
    const smokeFlow = await runSmokeFlow(session);
    const token = smokeFlow.steps
      .flatMap(({ entries }) => entries)
      .map((entry) => (entry.kind === 'exchange' ? entry.exchange.response?.body : undefined))
      .map((body) => /"access_token":"([^"]+)"/.exec(body ?? '')?.[1])
      .find((found) => found !== undefined);
    await new ServiceClient(session).resource('assign', {
      operation: 'assign',
      project,
      user,
      token,
    });
    return { project, user };
  }

  test('own users who are assigned stop the walk, and the remedy is told', async () => {
    await withLiveTarget({}, {}, async ({ target, ready }) => {
      const session = connectWithoutBrowser(target, new SecretRegistry());
      const { project, user } = await assignOne(connectWithoutBrowser(target, new SecretRegistry()));
      const { steps, stopped } = await runSmokeFlow(session);
      expect(stopped).toMatchObject({ step: 'list', status: 'refused' });
      expect(stopped?.message).toContain(
        `user ${user} is assigned to project ${project}: another run is under way, or was killed\n`,
      );
      for (const other of Object.values(ready.assigned).flat()) expect(stopped?.message).not.toContain(other);
      const sent = steps
        .flatMap(({ entries }) => entries)
        .map((e) => (e.kind === 'exchange' ? e.exchange.request.method : ''));
      expect(sent).not.toContain('PUT');
      expect(sent).not.toContain('DELETE');
    });
  });

  test('they can be unassigned although nobody knows yet where ids stand in a list', async () => {
    await withLiveTarget({}, {}, async ({ target }) => {
      const session = connectWithoutBrowser(target, new SecretRegistry());
      await assignOne(session);
      const { steps } = await runSmokeFlow(session);
      const token = /"access_token":"([^"]+)"/.exec(JSON.stringify(steps).replaceAll('\\', ''))?.[1] ?? '';
      const serviceClient = new ServiceClient(session);
      expect(serviceClient.requestStyle.userIdPointer).toBeUndefined();
      expect(await cleanUp(serviceClient, token)).toEqual([]);
      expect((await runSmokeFlow(session)).stopped).toBeUndefined();
    });
  });

  test('a project that cannot be read stops the walk', async () => {
    await withLiveTarget({}, { projects: ['prj-kd82m', 'no-such-project'] }, async ({ target }) => {
      const { stopped } = await runSmokeFlow(connectWithoutBrowser(target, new SecretRegistry()));
      expect(stopped?.message).toContain('the list of project no-such-project (`projects[1]`): status 404');
    });
  });
});

test('a clock that is configured and does not move leaves its checks not run', async () => {
  const clock = { advanceUrl: 'http://127.0.0.1:1/' };
  await withLiveTarget({}, { clock }, async ({ target }) => {
    const session = connectWithoutBrowser(target, new SecretRegistry());
    const smokeFlow = await runSmokeFlow(session);
    const check = CHECKS.find(({ id }) => id === 'refresh.after-expiry');
    if (check === undefined) throw new Error('there is no check refresh.after-expiry');
    const { result, broken } = await runCheck(check, {
      catalogue: loadCatalogue(),
      session: { ...session, requestStyle: smokeFlow.requestStyle },
      smokeFlow: smokeFlow,
      sharedRefusals: new SharedRefusals(),
      keepEvidence: false,
    });
    expect(broken).toBeUndefined();
    expect(result.result).toBe('not-run');
    expect(result.reason).toContain('the clock did not move (`clock.advanceUrl`): the service at ');
  });
});
