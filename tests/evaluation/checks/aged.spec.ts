/** State that breaks with its age is found on a live target, where the suite waits a moment. The time here is the sum of the waits. */
import { expect, test } from '@playwright/test';
import type { RequirementId } from '../../../generated/ids.ts';
import { type Changes, defect } from '../../../src/emulator/defects/define-defect.ts';
import { loadProfile } from '../../../src/emulator/policy/load-profile.ts';
import { checkOpened, idsWith } from '../../support/check-live.ts';
import { emulatorAsLiveTarget } from '../../support/emulator-as-live.ts';

type Aged = (now: () => number) => Changes;

const FAULTS: readonly (readonly [what: string, aged: Aged, broken: readonly RequirementId[]])[] = [
  ['nothing', () => () => ({}), []],
  [
    'a sign-in page that was open for more than nine seconds leads to the first address',
    (now) => (policy) => {
      let opened: number | undefined;
      const { owner, redirectUri } = policy.authorize;
      return {
        authorize: {
          owner(session, owners) {
            if (session === undefined) opened = now();
            return owner(session, owners);
          },
          redirectUri(request, application) {
            const isSlow = opened !== undefined && now() - opened > 9_000;
            opened = undefined;
            return isSlow ? (application.redirectUris[0] ?? '') : redirectUri(request, application);
          },
        },
      };
    },
    ['authorize.redirects-with-code'],
  ],
  [
    'a user who is assigned twice is forgotten after six seconds',
    (now) => (policy) => {
      const again = new Map<string, number>();
      const { assign, list } = policy.assignments;
      return {
        assignments: {
          assign(all, project, user, at) {
            if (all.has(project.id, user.id)) again.set(user.id, now());
            return assign(all, project, user, at);
          },
          list: async (all, project, at) =>
            (await list(all, project, at)).filter((id) => now() - (again.get(id) ?? now()) <= 6_000),
        },
      };
    },
    ['assign.leaves-others'],
  ],
  [
    'the address of a code is looked at for nine seconds',
    (now) => (policy) => {
      const issued = new Map<string, number>();
      return {
        code: {
          value(randomness) {
            const value = policy.code.value(randomness);
            issued.set(value, now());
            return value;
          },
          check(code, exchange, at) {
            const isOld = now() - (issued.get(code.value) ?? now()) > 9_000;
            const redirectUri = isOld ? code.redirectUri : exchange.redirectUri;
            return policy.code.check(code, { ...exchange, redirectUri }, at);
          },
        },
      };
    },
    ['exchange.redirect-uri-same-among-authorized'],
  ],
];

const STORY: readonly RequirementId[] = [
  'exchange.code-single-use',
  'authorize.redirects-with-code',
  'assign.leaves-others',
  'exchange.redirect-uri-same-among-authorized',
];

async function checkedOn(aged: Aged, only: readonly RequirementId[], shown: 'once' | 'always' = 'once') {
  let now = 0;
  const profile = await loadProfile('by-the-rfc');
  const open = async () => {
    const defects = [
      defect(
        'aged',
        aged(() => now),
      ),
    ];
    // Without a clock the suite really waits.
    const { clock: _, ...target } = await emulatorAsLiveTarget(profile, defects, (written) => ({
      ...written,
      consent: { ...written.consent, shown },
    }));
    const pause = async (ms: number) => {
      now += ms;
    };
    return { ...target, pause };
  };
  return checkOpened(open, { only });
}

for (const [what, aged, broken] of FAULTS)
  test(`state that ages: ${what}`, async () => {
    const results = await checkedOn(aged, STORY);
    expect(idsWith(results, 'fail')).toEqual(broken);
    expect(results.exitCode).toBe(broken.length === 0 ? 0 : 1);
  });

test('a denial that refuses grants for fifteen seconds fails by name, and the run goes on', async () => {
  const sticking: Aged = (now) => (policy) => {
    let denied = Number.NEGATIVE_INFINITY;
    return {
      authorize: {
        decision(submitted) {
          const decision = policy.authorize.decision(submitted);
          if (decision === 'deny') denied = now();
          return decision === 'grant' && now() - denied < 15_000 ? 'deny' : decision;
        },
      },
    };
  };
  const only = ['authorize.grant-needed', 'authorize.redirects-with-code', 'list.returns-assigned'] as const;
  const results = await checkedOn(sticking, only);
  expect(idsWith(results, 'fail')).toEqual(['authorize.redirects-with-code']);
  expect(idsWith(results, 'pass')).toEqual(['list.returns-assigned']);
  expect(results.exitCode).toBe(1);
});

test('a consent page that is always shown, and grants nothing after nine seconds, fails by name', async () => {
  const consentExpires: Aged = (now) => (policy) => {
    let asked: number | undefined;
    return {
      authorize: {
        consentNeeded() {
          asked ??= now();
          return true;
        },
        decision(submitted) {
          const isLate = asked !== undefined && now() - asked > 9_000;
          asked = undefined;
          return isLate ? 'deny' : policy.authorize.decision(submitted);
        },
      },
    };
  };
  const results = await checkedOn(consentExpires, STORY, 'always');
  expect(idsWith(results, 'fail')).toEqual(['authorize.redirects-with-code']);
});
