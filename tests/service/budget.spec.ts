/** The budget of a run on a live target: stated before, held during, reported after. */

import { expect, test } from '@playwright/test';
import type { RequirementId } from '../../generated/ids.ts';
import type { ConfigurationFile } from '../../generated/schemas.d.ts';
import { budgetProblem } from '../../src/commands/check/forecast.ts';
import { selectRequirements } from '../../src/commands/shared/selection.ts';
import { loadCatalogue } from '../../src/document/load-catalogue.ts';
import { loadProfile } from '../../src/emulator/policy/load-profile.ts';
import { SharedRefusals } from '../../src/evaluation/language/shared-refusals.ts';
import { runCheck } from '../../src/evaluation/run/run-check.ts';
import { SecretRegistry } from '../../src/http/secrets/registry.ts';
import type { Configuration } from '../../src/service/configuration/configuration.ts';
import { loadConfiguration } from '../../src/service/configuration/load-configuration.ts';
import { connectWithoutBrowser } from '../../src/service/flow/connect.ts';
import { runSmokeFlow } from '../../src/service/flow/smoke-flow.ts';
import { CHECKS_IN_ORDER } from '../proof/kill-matrix/run-checks.ts';
import { checkLive } from '../support/check-live.ts';
import { runHere } from '../support/command-here.ts';
import { emulatorAsLiveTarget } from '../support/emulator-as-live.ts';
import { type FaultyService, startFaultyService } from '../support/faulty-service/service.ts';

const catalogue = loadCatalogue();
let service: FaultyService;

test.beforeAll(async () => {
  service = await startFaultyService();
});

test.afterAll(() => service.close());

test.beforeEach(() => service.reset());

/** A configuration of a service in good health, and how to evaluate it. */
function configured(change: Partial<ConfigurationFile>) {
  return service.configure(test.info().outputPath('.'), change);
}

test('no run is refused for a budget that it keeps: the whole, each clause, and each check by itself', async () => {
  const changes: readonly ((own: Configuration) => Configuration)[] = [
    (own) => own,
    (own) => ({ ...own, projects: own.projects.slice(0, 1), abilities: [], clock: undefined }),
  ];
  for (const change of changes) {
    let configuration: Configuration | undefined;
    const target = await emulatorAsLiveTarget(await loadProfile('doorkeeper-5'), [], (own) => {
      const shaped = change({ ...own, consent: { ...own.consent, shown: 'once' } });
      configuration = shaped;
      return shaped;
    });
    const session = connectWithoutBrowser(target, new SecretRegistry());
    const used = () => target.traffic?.used.requests ?? 0;
    const smokeFlow = await runSmokeFlow(session);
    const toBegin = used();
    const emulatorParts = {
      catalogue,
      session: { ...session, requestStyle: smokeFlow.requestStyle },
      smokeFlow,
      sharedRefusals: new SharedRefusals(),
      keepEvidence: false,
    };
    const taken = new Map<RequirementId, number>();
    for (const check of CHECKS_IN_ORDER) {
      const before = used();
      const { result } = await runCheck(check, emulatorParts);
      if (result.result !== 'not-applicable') taken.set(check.id, used() - before);
    }
    await target.close();
    const ids = [...taken.keys()];
    const clauseOf = (id: RequirementId) => catalogue.requirement(id).clause;
    const parts = [ids, ...ids.map((id) => [id]), ...Object.values(Object.groupBy(ids, clauseOf))];
    for (const part of parts) {
      const requests = part.reduce((sum, id) => sum + (taken.get(id) ?? 0), toBegin);
      const budgeted = {
        ...(configuration as Configuration),
        budget: { ...configuration?.budget, requests },
      };
      expect(budgetProblem(budgeted as Configuration, part)).toBeUndefined();
    }
  }
});

test.describe('a run that cannot fit', () => {
  const misfitOf = async (change: Partial<ConfigurationFile>, ...only: readonly string[]) => {
    const { file, env } = configured(change);
    return budgetProblem(await loadConfiguration(file, env), selectRequirements(only).ids);
  };

  test('into its requests is told so, with both numbers', async () => {
    const reported = (await misfitOf({ budget: { requests: 500 } })) ?? '';
    const [, about] =
      /^budget.requests: the budget is 500, and the run takes about (\d+) requests; raise it/.exec(
        reported,
      ) ?? [];
    expect(Number(about), reported).toBeGreaterThan(500);
    expect(await misfitOf({ budget: { requests: 500 } }, '4.4')).toBeUndefined();
  });

  test('into its time is told so: pacing counts', async () => {
    const slow = { pacing: { requestsPerSecond: 0.15 } };
    expect(await misfitOf(slow)).toMatch(
      /^budget.seconds: the budget is 3600, and the run takes about \d+ seconds;/,
    );
    expect(await misfitOf({ ...slow, budget: { seconds: 20_000 } })).toBeUndefined();
  });

  test('counts no requirement that does not apply', async () => {
    const least = async (change: Partial<ConfigurationFile>) =>
      Number(
        /takes about (\d+) requests/.exec(
          (await misfitOf({ budget: { requests: 1 }, ...change })) ?? '',
        )?.[1],
      );
    const plain = await least({});
    expect(await least({ abilities: ['destructive-ids'] })).toBeGreaterThan(plain);
  });

  test('is refused by the command: 2, and nothing is sent', async () => {
    const { file, env } = configured({ budget: { requests: 20 } });
    const end = await runHere(['check', '--target', file, '--only', '4.4'], env);
    expect(end.stderr).toContain('the budget is 20');
    expect(end.code).toBe(2);
    expect(service.asked).toEqual([]);
  });
});

test.describe('a budget that is spent on the way', () => {
  test('leaves what is left not run, and nobody assigned', async () => {
    const only = ['4.4', '7'];
    const requests = 150;
    const results = await checkLive(configured({ budget: { requests } }), { only });
    expect(results.exitCode).toBe(3);
    expect(results.totals.fail).toBe(0);
    expect(results.totals.pass).toBeGreaterThan(3);
    const [reason] = results.requirements.filter(({ result }) => result === 'not-run').map((r) => r.reason);
    expect(reason).toContain(`this run has used its ${requests} requests (\`budget.requests\`)`);
    expect(results.troubles.filter(({ kind }) => kind === 'broken')).toEqual([]);
    // Twelve are kept for the release of the lock.
    expect(results.used?.requests).toBeGreaterThanOrEqual(requests - 12);
    expect(service.asked.length).toBeLessThanOrEqual(requests + 100);
    const later = await checkLive(configured({}), { only: ['version.prefix'] });
    expect(later.exitCode).toBe(0);
  });

  test('of refused authentications ends token requests', async () => {
    const results = await checkLive(configured({ budget: { refusedAuthentications: 3 } }), { only: ['4.2'] });
    expect(results.exitCode).toBe(3);
    expect(results.used?.refusedAuthentications).toBe(3);
    const reasons = results.requirements.map(({ reason }) => reason).join('\n');
    expect(reasons).toContain('`budget.refusedAuthentications`');
  });
});
