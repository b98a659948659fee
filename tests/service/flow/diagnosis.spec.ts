/** A service that demands something else, or breaks the document: one requirement fails, or a wrong setting is named. */
import { expect, test } from '@playwright/test';
import type { RequirementId } from '../../../generated/ids.ts';
import type { WireResponse } from '../../../src/http/exchange.ts';
import { noticesIn, saysRetired } from '../../../src/http/retirement.ts';
import type { Results } from '../../../src/report/results.ts';
import { likelySetting } from '../../../src/service/flow/diagnosis.ts';
import type { Clues } from '../../../src/service/flow/smoke-steps.ts';
import { checkLive, idsWith } from '../../support/check-live.ts';
import type { DefectId, DemandId } from '../../support/independent-service/start.ts';
import { withIndependentService } from '../../support/live-config.ts';
import { firstInTest } from '../../support/prove.ts';

/** Starts an independent service and evaluates it, without a browser: its pages need no script. */
async function evaluate(env: Readonly<Record<string, string>>, only: readonly string[]): Promise<Results> {
  return withIndependentService(env, {}, (written) => checkLive(written, { only }));
}

const ELSEWHERE = ['1', '2.1', '4.4', '5', '9'];

/** Requirements that fail for each demand beside the owner of the step, and those that are blocked behind them. */
const DEMANDED: Readonly<
  Record<
    Exclude<DemandId, 'first-scope-only' | 'one-scope-acts'>,
    {
      readonly fails: readonly RequirementId[];
      readonly says: string;
      readonly blocked?: readonly RequirementId[];
    }
  >
> = {
  state: { fails: ['authorize.redirects-with-code'], says: 'accepted with a `state` parameter' },
  percent20: {
    fails: ['authorize.redirects-with-code'],
    says: 'accepted with `%20` in place of the plus sign',
  },
  basic: { fails: ['exchange.form-encoded'], says: 'accepted with HTTP Basic client authentication' },
  json: { fails: ['exchange.form-encoded'], says: 'accepted with a JSON body' },
  'scope-at-refresh': {
    fails: ['refresh.token-response'],
    says: 'accepted with a `scope` parameter',
    // They refresh a token of one scope too, and the suite asks for all three.
    blocked: [
      'refresh.new-refresh-token',
      'refresh.new-access-token',
      'refresh.new-token-acts',
      'scope.granted-scopes-act',
    ],
  },
  'unassign-without-v2': {
    fails: ['version.prefix'],
    says: 'unassign answered 404; accepted without `/v2` in the path of unassign',
  },
  'no-v2': { fails: ['version.prefix'], says: 'accepted without `/v2` in the path' },
};

test.describe('what a service demands beyond the document is 1, and all else is evaluated:', () => {
  for (const [[demand, { fails, says, blocked = [] }], details] of firstInTest(Object.entries(DEMANDED), 2)) {
    test(demand, details, async () => {
      const results = await evaluate({ INDEPENDENT_SERVICE_DEMANDS: demand }, [...ELSEWHERE, ...fails]);
      expect(idsWith(results, 'fail')).toEqual(fails);
      expect(results.requirements.find(({ id }) => id === fails[0])?.reason).toContain(says);
      expect(idsWith(results, 'blocked')).toEqual(blocked);
      expect(idsWith(results, 'not-run')).toEqual([]);
      expect(results.totals.pass).toBeGreaterThan(25);
      expect(results.exitCode).toBe(1);
    });
  }
});

for (const [[demand, id], details] of firstInTest(
  [
    ['first-scope-only', 'authorize.redirects-with-code'],
    ['one-scope-acts', 'scope.granted-scopes-act'],
  ] as const,
  2,
))
  test(`scopes that do not work together are 1, by name: ${demand}`, details, async () => {
    const results = await evaluate({ INDEPENDENT_SERVICE_DEMANDS: demand }, [...ELSEWHERE, id]);
    expect(idsWith(results, 'fail')).toContain(id);
    expect(results.exitCode).toBe(1);
  });

/** Requirements of level `documented` that the independent service's own defects break. */
const DEFECTIVE: Readonly<Record<DefectId, readonly RequirementId[]>> = {
  'expires-in-3600': ['exchange.expires-in-7200', 'refresh.expires-in-7200'],
  'no-refresh-tokens': ['exchange.token-response'],
  'denial-grants': ['authorize.grant-needed'],
  'no-rotation': ['refresh.new-refresh-token'],
  'code-reusable': ['exchange.code-single-use', 'exchange.code-single-use-parallel'],
  'redirect-uri-unchecked-at-exchange': [
    'exchange.redirect-uri-same',
    'exchange.redirect-uri-same-among-authorized',
  ],
  'client-secret-unchecked': [
    'exchange.client-secret-checked',
    'exchange.client-secret-of-other-application',
    'refresh.client-secret-checked',
  ],
  'list-crosses-projects': ['assign.project-scoped', 'list.project-scoped'],
  'unassign-removes-all': ['unassign.leaves-others'],
  'token-not-required-for-list': ['list.token-required'],
};

test.describe('a fault of a service that is not ours is found, and nobody else blamed:', () => {
  const others = ['exchange.token-response', 'unassign.removes-user', 'version.prefix'] as const;
  for (const [[defect, broken], details] of firstInTest(Object.entries(DEFECTIVE), 2)) {
    const innocent = others.filter((id) => !broken.includes(id));
    test(defect, details, async () => {
      const results = await evaluate({ INDEPENDENT_SERVICE_DEFECT: defect }, [...broken, ...innocent]);
      expect(idsWith(results, 'fail').toSorted()).toEqual(broken.toSorted());
      expect(idsWith(results, 'pass').toSorted()).toEqual(innocent.toSorted());
      expect(results.exitCode).toBe(1);
    });
  }
});

function response(status: number, body = '', contentType = 'application/json'): WireResponse {
  return { status, body, bytes: body.length, headers: [['Content-Type', contentType]] };
}

test.describe('the setting that is likely wrong is named:', () => {
  const shown: Clues = { cause: 'no form' };
  const carries = (says: string): Clues => ({ cause: 'error redirected', says });
  const refuses = (says: string): Clues => ({ cause: 'request refused', says });
  const grant: Clues = { says: '{"error":"invalid_grant"}' };
  const none: Clues = {};
  for (const [what, step, clues, status, names] of [
    ['a client nobody knows', 'authorize', shown, 400, '`application.clientId`'],
    ['an authorization server elsewhere', 'authorize', shown, 404, '`authUrl`'],
    ['a page that is not recognised', 'authorize', shown, 200, '`authUrl`'],
    ['a redirect address', 'authorize', refuses('Redirect…'), 200, '`application.redirectUris[0]`'],
    ['an application', 'authorize', refuses('No application…'), 200, '`application.clientId`'],
    ['scopes that are not to be had', 'authorize', carries('invalid_scope'), 0, 'read, write and destroy'],
    ['a denial', 'authorize', carries('access_denied'), 0, '`consent.grant`'],
    ['a wrong secret', 'exchange', none, 401, '`application.clientSecret`'],
    ['a code for another address', 'exchange', grant, 400, '`application.redirectUris[0]`'],
    ['a token endpoint elsewhere', 'exchange', none, 404, '`authUrl`'],
    ['a token endpoint behind TLS', 'exchange', none, 301, '`authUrl`'],
    ['another presentation', 'act', none, 401, '`token.presentation`'],
    ['a project of others', 'act', none, 403, '`projects[0]`'],
    ['a project that is none', 'act', none, 404, '`projects[0]`'],
    ['a user who is none', 'assign', none, 404, '`users[0]`'],
    ['a body that is wanted', 'assign', none, 422, '`requests.assign`'],
    ['a limit of the service', 'exchange', none, 429, '`pacing.perMinute`'],
    ['a refresh that comes too early', 'refresh', grant, 400, '--wait-expiry'],
  ] as const) {
    test(what, () => {
      const answer = status === 0 ? undefined : response(status);
      expect(likelySetting({ step, ...clues }, answer)).toContain(names);
    });
  }
});

test('a page that says why it refuses tells more than its status', () => {
  const finding = { observed: 'a page that asks again', remedy: 'check the password' };
  expect(likelySetting({ step: 'authorize', finding, pageStatus: 422 }, undefined)).toBeUndefined();
  expect(likelySetting({ step: 'authorize', pageStatus: 422 }, undefined)).toContain('clientId');
});

test.describe('the end of a service', () => {
  for (const [header, value, date] of [
    ['Deprecation', '@1767225600', '2026-01-01'],
    ['deprecation', 'Thu, 01 Jan 2026 00:00:00 GMT', '2026-01-01'],
    ['Deprecation', 'true', undefined],
    ['Sunset', 'Sun, 31 Jan 2027 23:59:59 GMT', '2027-01-31'],
    ['Sunset', 'soon', undefined],
    ['Deprecation', '@99999999999999999999', undefined],
  ] as const) {
    test(`is read from ${header}: ${value}`, () => {
      const answer = { ...response(200), headers: [[header, value]] as const };
      expect(noticesIn(answer, 'https://api.example/v2/projects/1/assigned_users')).toEqual([
        {
          kind: header.toLowerCase(),
          origin: 'https://api.example',
          value,
          date,
        },
      ]);
    });
  }

  for (const [retired, status, body] of [
    [true, 410, ''],
    [true, 404, '<h1>The legacy API has been <b>retired</b></h1>'],
    [true, 200, 'This service is no longer available.'],
    [false, 404, '<h1>Not found</h1>'],
    [false, 401, '{"error":"The access token was revoked"}'],
    [false, 503, 'The service is temporarily unavailable'],
  ] as const) {
    test(`is ${retired ? '' : 'not '}told by ${status} ${body}`, () => {
      expect(saysRetired({ status, body })).toBe(retired);
    });
  }
});
