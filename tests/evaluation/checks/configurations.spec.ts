/** No form of configuration, and no demand of a target beside the document, makes a healthy service violate or hides a defect. */
import { expect, test } from '@playwright/test';
import { type Defect, defect } from '../../../src/emulator/defects/define-defect.ts';
import { loadProfile } from '../../../src/emulator/policy/load-profile.ts';
import type { RequirementResult, Results } from '../../../src/report/results.ts';
import type { Configuration } from '../../../src/service/configuration/configuration.ts';
import { anyDefectsById } from '../../proof/second-order/index.ts';
import { checkOpened, idsWith } from '../../support/check-live.ts';
import { pairwise } from '../../support/controls/pairwise.ts';
import { emulatorAsLiveTarget } from '../../support/emulator-as-live.ts';
import { firstInTest } from '../../support/prove.ts';

const FACTORS = {
  profile: ['by-the-rfc', 'doorkeeper-5', 'rotation-with-grace', 'adversarial'],
  users: [1, 2, 3],
  projects: [1, 2],
  addresses: [1, 2, 9],
  consent: ['always', 'remembered', 'remembered, no deny'],
  secondApplication: [true, false],
  clock: [true, false],
  accountArea: [true, false],
  destructiveIds: [true, false],
} as const;

type Row = { readonly [K in keyof typeof FACTORS]: (typeof FACTORS)[K][number] };

const NAMES = Object.keys(FACTORS) as (keyof typeof FACTORS)[];
const ROWS = pairwise(NAMES.map((name) => FACTORS[name].length)).map(
  (row) => Object.fromEntries(NAMES.map((name, i) => [name, FACTORS[name][row[i] ?? 0]])) as Row,
);

const HEALTHY: Row = {
  profile: 'by-the-rfc',
  users: 3,
  projects: 2,
  addresses: 9,
  consent: 'always',
  secondApplication: true,
  clock: true,
  accountArea: true,
  destructiveIds: true,
};

for (const [row, details] of firstInTest(ROWS, 2)) {
  test(`nothing is held against a healthy service with ${inWords(row)}`, details, async () => {
    const results = await resultsOn(row);
    const warned = idsWith(results, 'warning');
    // Its own requirement of level `standard` may block others.
    const isBad = ({ result, blockedBy = '' }: RequirementResult) =>
      result === 'fail' || result === 'not-run' || (result === 'blocked' && !warned.includes(blockedBy));
    const bad = results.requirements.filter(isBad).map(({ id }) => id);
    expect([bad, results.troubles, results.exitCode]).toEqual([[], [], 0]);
  });
}

test('a failure of a check of several cases names its case, and a known deviation does not', async () => {
  const defects = anyDefectsById(['unassign-at-once-leaves-one']);
  const { requirements } = await resultsOn(HEALTHY, defects, ['unassign.removes-user']);
  const [failed] = requirements;
  expect(failed?.reason).toMatch(/; got a list with one of them \(case: two at once\)/);
  expect(failed?.signature).not.toContain('case');
});

const OF_PROJECTS = ['assign.project-scoped', 'list.project-scoped', 'unassign.project-scoped'];

test('one user is enough to tell two projects apart', async () => {
  const with1 = (...ids: string[]) => resultsOn({ ...HEALTHY, users: 1 }, anyDefectsById(ids), OF_PROJECTS);
  expect(idsWith(await with1(), 'pass').toSorted()).toEqual(OF_PROJECTS);
  for (const id of ['assign-to-every-project', 'assign-takes-from-other-projects'] as const)
    expect(idsWith(await with1(id), 'fail'), id).toContain('assign.project-scoped');
});

test('an empty list for a token that may not list is not the doing of another client', async () => {
  const only = ['list.token-required', 'list.token-invalid-refused', 'list.fresh', 'resource.failure-status'];
  const results = await resultsOn(HEALTHY, [EMPTY_WITHOUT_RIGHT], only);
  expect(results.troubles).toEqual([]);
  expect(idsWith(results, 'not-run')).toEqual([]);
  expect(idsWith(results, 'warning')).toEqual(['resource.failure-status']);
});

const REMEMBERED: Row = { ...HEALTHY, consent: 'remembered' };

test('an empty list for a token that may be dead holds nothing against what is assigned', async () => {
  const results = await resultsOn({ ...HEALTHY, profile: 'by-the-rfc' }, [EMPTY_WITHOUT_RIGHT]);
  expect(idsWith(results, 'fail')).toEqual([]);
  expect(idsWith(results, 'warning')).toContain('resource.failure-status');
});

test('where consent is remembered, only a 307 after a form counts', async () => {
  const no307 = (which: Defect) => resultsOn(REMEMBERED, [which], ['authorize.no-307']);
  expect(idsWith(await no307(redirecting307(true)), 'warning')).toEqual(['authorize.no-307']);
  expect(idsWith(await no307(redirecting307(false)), 'pass')).toEqual(['authorize.no-307']);
});

test('where consent is remembered, a page for consent is looked at all the same, or the check is not applicable', async () => {
  const only = ['authorize.not-framable'];
  const framable = anyDefectsById(['authorize-consent-framable']);
  expect(idsWith(await resultsOn(REMEMBERED, framable, only), 'warning')).toEqual(only);
  const nowhere = { ...REMEMBERED, secondApplication: false, accountArea: false };
  expect(idsWith(await resultsOn(nowhere, [ALL_ASKED_ONCE], only), 'not-applicable')).toEqual(only);
});

test('clocks that may differ by seconds hide no lifetime that is off by more', async () => {
  const lifetimes = ['lifetime.alive-until-7200', 'lifetime.dead-after-7200', 'lifetime.refreshed-full'];
  const failed = async (skewSeconds: number, ...ids: string[]) =>
    idsWith(await resultsOn(HEALTHY, anyDefectsById(ids), lifetimes, { skewSeconds }), 'fail').toSorted();
  expect(await failed(5)).toEqual([]);
  expect(await failed(30)).toEqual([]);
  expect(await failed(5, 'lifetime-a-little-short-after-exchange')).toEqual(['lifetime.alive-until-7200']);
  expect(await failed(30, 'lifetime-a-little-short-after-exchange')).toEqual([]);
  expect(await failed(30, 'lifetime-with-a-minute-of-grace')).toEqual(lifetimes.slice(1));
  expect(await failed(90, 'lifetime-with-a-minute-of-grace')).toEqual([]);
});

for (const demanded of ['exchange-basic-demanded', 'exchange-json-demanded'] as const) {
  for (const leak of ['token-error-tells-secret', 'token-error-tells-code'] as const) {
    test(`${leak} is seen where there is ${demanded}`, async () => {
      const results = await resultsOn(HEALTHY, anyDefectsById([demanded, leak]), [
        'token.error-leaks-nothing',
      ]);
      expect(idsWith(results, 'warning')).toEqual(['token.error-leaks-nothing']);
    });
  }
}

/** A redirect to the client with status 307, either after the consent form or where no form was sent. */
function redirecting307(afterForm: boolean): Defect {
  return defect('test-307', ({ authorize, answer }) => {
    let asked = false;
    return {
      authorize: {
        consentNeeded(scopes, granted) {
          asked = authorize.consentNeeded(scopes, granted);
          return asked;
        },
      },
      answer: {
        authorization(outcome) {
          const redirect = answer.authorization(outcome);
          return asked === afterForm ? { ...redirect, status: 307 } : redirect;
        },
      },
    };
  });
}

const ALL_ASKED_ONCE = defect('test-asked-once', ({ authorize }) => ({
  authorize: {
    consentNeeded: (scopes, granted) => granted.length === 0 && authorize.consentNeeded(scopes, granted),
  },
}));

/** A list that is asked for without a token, or with an invalid one, is `200 []`. */
const EMPTY_WITHOUT_RIGHT = defect('test-empty-without-right', ({ answer, token }) => {
  let method = '';
  return {
    token: {
      presented: (request) => {
        method = request.method;
        return token.presented(request);
      },
    },
    answer: {
      resourceFailure: (refusal) => {
        const refused = answer.resourceFailure(refusal);
        if (method !== 'GET' || refused.status !== 401) return refused;
        return { ...refused, status: 200, headers: [['Content-Type', 'application/json']], body: '[]' };
      },
    },
  };
});

async function resultsOn(
  row: Row,
  defects: readonly Defect[] = [],
  only: readonly string[] = [],
  also: Partial<Configuration> = {},
): Promise<Results> {
  const base = await loadProfile(row.profile);
  const memory = {
    'consent-memory.remembered': row.consent !== 'always',
    'consent-memory.remembered-for-fewer': false,
  };
  const profile = { ...base, answers: { ...base.answers, ...memory } };
  return checkOpened(
    () => emulatorAsLiveTarget(profile, defects, (whole) => ({ ...configured(whole, row), ...also })),
    {
      only,
    },
  );
}

function configured(whole: Configuration, row: Row): Configuration {
  const { secondApplication, clock, accountArea, consent, ...rest } = whole;
  const { deny, ...grant } = consent;
  const first = ([one = '', ...more]: readonly string[], count: number): [string, ...string[]] => [
    one,
    ...more.slice(0, count - 1),
  ];
  return {
    ...rest,
    users: first(whole.users, row.users),
    projects: first(whole.projects, row.projects),
    application: {
      ...whole.application,
      redirectUris: first(whole.application.redirectUris, row.addresses),
    },
    consent: {
      ...grant,
      ...(row.consent === 'remembered, no deny' || deny === undefined ? {} : { deny }),
      shown: row.consent === 'always' ? 'always' : 'once',
    },
    ...(row.secondApplication && secondApplication ? { secondApplication } : {}),
    ...(row.clock && clock ? { clock } : {}),
    ...(row.accountArea && accountArea ? { accountArea } : {}),
    abilities: [
      ...(row.destructiveIds ? (['destructive-ids'] as const) : []),
      ...(row.accountArea ? (['create-application'] as const) : []),
    ],
  };
}

function inWords(row: Row): string {
  return NAMES.map((name) => `${name} ${row[name]}`).join(', ');
}
