/** The base walk against a service that is not ours, by way of a configuration file as somebody would write it. */
import { expect, test } from '@playwright/test';
import type { RequirementId } from '../../generated/ids.ts';
import { loadCatalogue } from '../../src/catalogue/load-catalogue.ts';
import { SecretRegistry } from '../../src/secrets/registry.ts';
import { walkBase } from '../../src/target/base-walk.ts';
import { connectWithoutBrowser } from '../../src/target/connect.ts';
import { Conversation } from '../../src/target/conversation.ts';
import { ownUsersAssigned, preflightTrouble } from '../../src/target/preflight.ts';
import type { Session } from '../../src/target/session.ts';
import { CHECKS } from '../conformance/checks/index.ts';
import { runCheck } from '../support/check/run-check.ts';
import { withLiveTarget } from '../support/live-config.ts';
import { DEMANDS, type DemandId } from '../support/stand-in/start.ts';

test.describe('the base walk gets through, nothing refused,', () => {
  const variants: readonly Record<string, string>[] = [
    {},
    { STAND_IN_CONSENT: 'always', STAND_IN_TWO_ORIGINS: '1' },
    { STAND_IN_CONSENT: 'never', STAND_IN_INTERSTITIAL: '1' },
    { STAND_IN_MODE: 'as-shipped' },
  ];
  for (const env of variants) {
    test(`with ${JSON.stringify(env)}`, async () => {
      await withLiveTarget(env, {}, async ({ target, ready }) => {
        const session = connectWithoutBrowser(target, new SecretRegistry());
        const walk = await walkBase(session);
        expect(walk.stopped).toBeUndefined();
        expect(walk.steps.map(({ step, status }) => `${step} ${status}`)).toEqual([
          'authorize done',
          'exchange done',
          'act done',
          'assign done',
          'unassign done',
          'refresh done',
        ]);
        expect(walk.dialect.userIdPointer).toBe('/data/*/id');
        const everybody = Object.values(ready.assigned).flat();
        expect(everybody.filter((user) => target.users.includes(user))).toEqual([]);
      });
    });
  }
});

const OWNERS: Readonly<Record<DemandId, RequirementId>> = {
  state: 'authorize.redirects-with-code',
  percent20: 'authorize.redirects-with-code',
  'first-scope-only': 'authorize.redirects-with-code',
  basic: 'exchange.form-encoded',
  json: 'exchange.form-encoded',
  'no-v2': 'version.prefix',
};

test.describe('a service that demands something else than the document is found out:', () => {
  for (const demand of Object.keys(DEMANDS) as DemandId[]) {
    test(`${demand} fails ${OWNERS[demand]}`, async () => {
      await withLiveTarget({ STAND_IN_DEMANDS: demand }, {}, async ({ target }) => {
        const session = connectWithoutBrowser(target, new SecretRegistry());
        const walk = await walkBase(session);
        const departed = walk.steps.filter((step) => step.status === 'departed');
        expect(departed).toHaveLength(1);

        const check = CHECKS.find(({ id }) => id === OWNERS[demand]);
        if (check === undefined) throw new Error(`there is no check ${OWNERS[demand]}`);
        const surroundings = { catalogue: loadCatalogue(), session, walk, keepEvidence: true };
        const { result, broken } = await runCheck(check, surroundings);
        expect(broken).toBeUndefined();
        expect(result.result).toBe('fail');
        expect(result.reason).toContain(departed[0]?.departure?.description);
        expect(result.evidence.length).toBeGreaterThan(1);
      });
    });
  }
});

test.describe('sign-ins that lead nowhere', () => {
  test('stop the walk after the second, before an account gets locked', async () => {
    const owner = { login: 'owner@staging.example.test', password: { env: 'STAGING_CLIENT_SECRET' } };
    await withLiveTarget({}, { owner }, async ({ target }) => {
      const { steps, stopped } = await walkBase(connectWithoutBrowser(target, new SecretRegistry()));
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
      const { steps, stopped } = await walkBase(connectWithoutBrowser(target, new SecretRegistry()));
      expect(stopped?.message).toContain('`budget.signIns`');
      expect(steps.flatMap(({ entries }) => entries).filter(isPasswordPost)).toHaveLength(1);
    });
  });

  function isPasswordPost(entry: Awaited<ReturnType<typeof walkBase>>['steps'][number]['entries'][number]) {
    return entry.kind === 'exchange' && entry.exchange.request.body?.includes('passwd=') === true;
  }
});

test.describe('before the first change', () => {
  async function accessToken(session: Session): Promise<string> {
    const { steps } = await walkBase(session);
    const bodies = steps
      .flatMap(({ entries }) => entries)
      .map((e) => (e.kind === 'exchange' ? e.exchange.response?.body : ''));
    const token = bodies
      .map((body) => /"access_token":"([^"]+)"/.exec(body ?? '')?.[1])
      .find((t) => t !== undefined);
    if (token === undefined) throw new Error('the base walk was expected to obtain an access token');
    return token;
  }

  test('own users who are assigned are named, others are not', async () => {
    await withLiveTarget({}, {}, async ({ target }) => {
      const session = connectWithoutBrowser(target, new SecretRegistry());
      const token = await accessToken(session);
      const conversation = new Conversation(session, session.newRecorder());
      expect(preflightTrouble(await ownUsersAssigned(conversation, token))).toBeUndefined();

      const [project, second] = target.projects;
      const [, user] = target.users;
      if (second === undefined || user === undefined) throw new Error('two projects and users are expected');
      await conversation.resource('assign', { operation: 'assign', project: second, user, token });
      const found = await ownUsersAssigned(conversation, token);
      expect(found.assigned).toEqual([{ project: second, user }]);
      expect(preflightTrouble(found)).toContain(
        `user ${user} in project ${second}; unassign them with \`sweep\``,
      );
      expect(preflightTrouble(found)).not.toContain(`project ${project}`);
    });
  });

  test('a list that cannot be read is no list without own users', async () => {
    await withLiveTarget({}, { projects: ['no-such-project'] }, async ({ target }) => {
      const conversation = await unassignedConversation(connectWithoutBrowser(target, new SecretRegistry()));
      const found = await ownUsersAssigned(conversation, 'not-a-token');
      expect(preflightTrouble(found)).toContain('the list of project no-such-project: status 401');
    });
  });

  async function unassignedConversation(session: Session): Promise<Conversation> {
    return new Conversation(session, session.newRecorder());
  }
});
