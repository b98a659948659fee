/** A contradiction of the configuration is exit 3 and names the key. A fault that looks alike still fails. */

import { expect, test } from '@playwright/test';
import type { RequirementId } from '../../../generated/ids.ts';
import { loadProfile } from '../../../src/emulator/policy/load-profile.ts';
import type { Results } from '../../../src/report/results.ts';
import type { Configuration } from '../../../src/service/configuration/configuration.ts';
import type { Target } from '../../../src/service/target.ts';
import { anyDefectsById } from '../../proof/second-order/index.ts';
import { checkLive, checkOpened, idsWith } from '../../support/check-live.ts';
import { emulatorAsLiveTarget } from '../../support/emulator-as-live.ts';
import {
  type RunningIndependentService,
  startIndependentService,
} from '../../support/independent-service/start.ts';
import { independentServiceConfiguration, writeLiveConfiguration } from '../../support/live-config.ts';
import { firstInTest } from '../../support/prove.ts';

type Change = (written: Configuration) => Configuration;

interface Row {
  readonly key: string;
  readonly change?: Change;
  readonly remembered?: boolean;
  readonly behind?: (target: Target) => Target;
  readonly only: readonly RequirementId[];
}

const DENIAL: readonly RequirementId[] = ['authorize.grant-needed', 'authorize.denial-redirects'];
const TOKENS: readonly RequirementId[] = [
  'exchange.token-response',
  'exchange.form-encoded',
  'exchange.token-acts',
];
const USERS: readonly RequirementId[] = [
  'assign.adds-user',
  'unassign.removes-user',
  'list.returns-assigned',
];
const AREA: readonly RequirementId[] = ['application.account-area'];
const UNREGISTERED = 'https://unregistered.example/callback';

const second = (change: Partial<NonNullable<Configuration['secondApplication']>>): Change => {
  return (c) => ({
    ...c,
    ...(c.secondApplication && { secondApplication: { ...c.secondApplication, ...change } }),
  });
};
const area = (change: Partial<NonNullable<Configuration['accountArea']>>): Change => {
  return (c) => ({ ...c, ...(c.accountArea && { accountArea: { ...c.accountArea, ...change } }) });
};
const shown =
  (when: 'always' | 'once' | 'never'): Change =>
  (c) => ({ ...c, consent: { ...c.consent, shown: when } });
const userAt =
  (index: number, id: string): Change =>
  (c) => ({ ...c, users: c.users.map((user, i) => (i === index ? id : user)) as [string, ...string[]] });
const refusing =
  (path: (target: Target) => string, status: number) =>
  (target: Target): Target => ({
    ...target,
    transport: async (request, signal) =>
      new URL(request.url).pathname.includes(path(target))
        ? { status, headers: [], body: '', bytes: 0 }
        : target.transport(request, signal),
  });

const ROWS: Readonly<Record<string, Row>> = {
  'consent that is remembered is said to be asked for every time': {
    key: 'consent.shown',
    remembered: true,
    only: DENIAL,
  },
  'consent that is asked for every time is said to be remembered': {
    key: 'consent.shown',
    change: shown('once'),
    only: DENIAL,
  },
  'consent that is asked for every time is said never to be': {
    key: 'consent.shown',
    change: shown('never'),
    only: DENIAL,
  },
  'a second user whom the service does not know': { key: 'users', change: userAt(1, '99999'), only: USERS },
  'a third user whom the service does not know': { key: 'users', change: userAt(2, '99999'), only: USERS },
  'a second project that the service does not know': {
    key: 'projects[1]',
    change: (c) => ({ ...c, projects: [c.projects[0] ?? '', '99999'] }),
    only: USERS,
  },
  'a second project that the owner may not see': {
    key: 'projects[1]',
    behind: refusing(({ projects }) => `/projects/${projects[1]}/`, 403),
    only: USERS,
  },
  'a second application whose id is not known': {
    key: 'secondApplication.clientId',
    change: second({ clientId: 'no-such-application' }),
    only: TOKENS,
  },
  'a second application with another secret': {
    key: 'secondApplication.clientSecret',
    change: second({ clientSecret: 'no-such-secret-anywhere' }),
    only: TOKENS,
  },
  'a second application whose address is not registered': {
    key: 'secondApplication.redirectUris[0]',
    change: second({ redirectUris: [UNREGISTERED] }),
    only: TOKENS,
  },
  'a second redirect address that is not registered': {
    key: 'application.redirectUris[1]',
    change: (c) => ({
      ...c,
      application: { ...c.application, redirectUris: [c.application.redirectUris[0] ?? '', UNREGISTERED] },
    }),
    only: ['authorize.redirects-with-code', 'exchange.redirect-uri-same-among-authorized'],
  },
  'a clock that does not move the time of the service': {
    key: 'clock.advanceUrl',
    behind: (target) => ({ ...target, clock: { advance: async () => undefined } }),
    only: ['lifetime.alive-until-7200', 'lifetime.dead-after-7200', 'lifetime.refreshed-full'],
  },
  'a clock that does not move, where the checks would pass': {
    key: 'clock.advanceUrl',
    behind: (target) => ({ ...target, clock: { advance: async () => undefined } }),
    only: ['lifetime.alive-until-7200', 'refresh.after-expiry'],
  },
  'a clock whose token is wrong': {
    key: 'clock.advanceUrl',
    change: (c) => ({ ...c, ...(c.clock && { clock: { ...c.clock, token: 'another-token-altogether' } }) }),
    only: ['lifetime.dead-after-7200'],
  },
  'a place that holds no ids of users': {
    key: 'list.userId',
    change: (c) => ({ ...c, list: { userId: '/*/name' } }),
    only: USERS,
  },
  'a place that is not in the list': {
    key: 'list.userId',
    change: (c) => ({ ...c, list: { userId: '/data/*/id' } }),
    only: USERS,
  },
  'a module that does not read the list': {
    key: 'list.reader',
    change: (c) => ({ ...c, list: { reads: () => [] } }),
    only: USERS,
  },
  'another presentation of the token': {
    key: 'token.presentation',
    change: (c) => ({ ...c, token: { presentation: { query: 'nonsense' } } }),
    only: TOKENS,
  },
  'an account area elsewhere': { key: 'accountArea.path', change: area({ path: '/elsewhere' }), only: AREA },
  'an account area without the button': {
    key: 'accountArea.open',
    change: area({ open: { button: 'No such' } }),
    only: AREA,
  },
  'an account area without the field': {
    key: 'accountArea.name',
    change: area({ name: '#no-such' }),
    only: AREA,
  },
  'an account area that shows the id elsewhere': {
    key: 'accountArea.clientId',
    change: area({ clientId: '#no-such' }),
    only: AREA,
  },
  'an account area that shows the secret elsewhere': {
    key: 'accountArea.clientSecret',
    change: area({ clientSecret: '#no-such' }),
    only: AREA,
  },
  'an application that may not ask for destroy': {
    key: 'application',
    behind: (target) => ({
      ...target,
      transport: async (request, signal) =>
        /\/oauth\/authorize\?.*destroy/.test(request.url)
          ? { status: 400, headers: [['content-type', 'text/html']], body: '<p>invalid scope</p>', bytes: 20 }
          : target.transport(request, signal),
    }),
    only: TOKENS,
  },
};

function reported({ troubles, requirements }: Results): string {
  return [...troubles.map(({ message }) => message), ...requirements.map(({ reason }) => reason)]
    .filter((text) => /configuration|projects\[1\]|clock\.advanceUrl|list\.userId/.test(text))
    .join('\n');
}

async function emulator(
  row: Pick<Row, 'change' | 'remembered' | 'behind'>,
  defect?: string,
): Promise<Target> {
  const base = await loadProfile('by-the-rfc');
  const memory = {
    'consent-memory.remembered': row.remembered ?? false,
    'consent-memory.remembered-for-fewer': false,
  };
  const profile = { ...base, answers: { ...base.answers, ...memory } };
  const target = await emulatorAsLiveTarget(
    profile,
    anyDefectsById(defect === undefined ? [] : [defect]),
    row.change,
  );
  return row.behind?.(target) ?? target;
}

test.describe('on the emulator as a live target, 3 and the key:', () => {
  for (const [title, row] of Object.entries(ROWS)) {
    test(title, async () => {
      const results = await checkOpened(() => emulator(row), { only: row.only });
      expect(idsWith(results, 'fail')).toEqual([]);
      expect(results.exitCode).toBe(3);
      expect(reported(results)).toContain(`\`${row.key}`);
    });
  }

  test('and nothing where every key is right', async () => {
    const only = [...new Set(Object.values(ROWS).flatMap((row) => row.only))];
    const results = await checkOpened(() => emulator({}), { only });
    expect(results.troubles).toEqual([]);
    expect(results.exitCode).toBe(0);
  });
});

test.describe('in a whole run, which explores, 3 and the key:', () => {
  for (const [[title, row], details] of firstInTest(Object.entries(ROWS), 5)) {
    test(title, details, async () => {
      const results = await checkOpened(() => emulator(row), { explores: true });
      const failed = results.requirements.filter(({ result }) => result === 'fail');
      expect(failed.map(({ id, reason }) => `${id}: ${reason}`)).toEqual([]);
      expect(results.exitCode).toBe(3);
      expect(reported(results)).toContain(`\`${row.key}`);
    });
  }
});

/** A fault of the service that looks like a wrong key, and what fails for it. */
const ALIKE: readonly (readonly [string, RequirementId, readonly RequirementId[]])[] = [
  ['authorize-consent-never-asked', 'authorize.grant-needed', DENIAL],
  ['authorize-consent-skipped-for-new-scopes', 'authorize.grant-needed', DENIAL],
  ['authorize-denial-remembered-as-consent', 'authorize.grant-needed', DENIAL],
  ['lifetime-endless', 'lifetime.dead-after-7200', ['lifetime.dead-after-7200']],
  ['exchange-code-never-expires', 'exchange.code-short-lived', ['exchange.code-short-lived']],
  ['assign-not-stored', 'assign.adds-user', USERS],
  ['assign-stored-in-the-first-project-alone', 'assign.adds-user', USERS],
  [
    'authorize-redirects-to-first-address',
    'authorize.redirects-with-code',
    ['authorize.redirects-with-code'],
  ],
  ['scope-second-application-reads-only', 'exchange.token-acts', TOKENS],
  ['application-secret-not-shown', 'application.account-area', AREA],
  ['authorize-destroy-never-alone', 'authorize.scope-each', ['authorize.scope-each']],
  ['authorize-one-scope-only', 'authorize.redirects-with-code', ['authorize.redirects-with-code']],
];

test.describe('a fault that looks alike still fails:', () => {
  for (const [defect, broken, only] of ALIKE) {
    test(defect, async () => {
      const results = await checkOpened(() => emulator({}, defect), { only });
      expect([...idsWith(results, 'fail'), ...idsWith(results, 'warning')]).toContain(broken);
      expect(reported(results).includes('configuration') && results.exitCode === 3).toBe(false);
    });
  }
});

test.describe('on a service that is not ours, 3 and the key:', () => {
  let running: RunningIndependentService;

  test.beforeAll(async () => {
    running = await startIndependentService({ INDEPENDENT_SERVICE_CONSENT: 'once' });
  });

  test.afterAll(async () => {
    await running.stop();
  });

  const WRITTEN: Readonly<
    Record<
      string,
      Pick<Row, 'key' | 'only'> & {
        readonly write: (c: ReturnType<typeof independentServiceConfiguration>) => object;
      }
    >
  > = {
    'consent that is remembered is said to be asked for every time': {
      key: 'consent.shown',
      only: DENIAL,
      write: ({ consent }) => ({ consent: { ...consent, shown: 'always' } }),
    },
    'a second project that the service does not know': {
      key: 'projects[1]',
      only: USERS,
      write: ({ projects }) => ({ projects: [projects[0], 'no-such-project'] }),
    },
    'a second application with another secret': {
      key: 'secondApplication.clientSecret',
      only: TOKENS,
      write: ({ secondApplication }) => ({
        secondApplication: { ...secondApplication, clientSecret: { env: 'STAGING_CLIENT_SECRET' } },
      }),
    },
    'a place that holds no ids of users': {
      key: 'list.userId',
      only: USERS,
      write: () => ({ list: { userId: '/data/*/type' } }),
    },
  };

  for (const [title, { key, only, write }] of Object.entries(WRITTEN)) {
    test(title, async () => {
      const change = write(independentServiceConfiguration(running.ready));
      const results = await checkLive(
        writeLiveConfiguration(running.ready, test.info().outputPath('.'), change),
        { only },
      );
      expect(idsWith(results, 'fail')).toEqual([]);
      expect(results.exitCode).toBe(3);
      expect(reported(results)).toContain(`\`${key}`);
    });
  }
});
