/** A service that is busy for a moment: every check that rests on such an answer is made anew, and the report says so. */
import { expect, test } from '@playwright/test';
import { loadCatalogue } from '../../../src/document/load-catalogue.ts';
import { renderJUnit } from '../../../src/report/junit.ts';
import type { Results } from '../../../src/report/results.ts';
import { checkLive, idsWith } from '../../support/check-live.ts';
import { answer, at, type Fault, times } from '../../support/faulty-service/faults.ts';
import { type FaultyService, startFaultyService } from '../../support/faulty-service/service.ts';
import { firstInTest, PROVE } from '../../support/prove.ts';
import { renderConsole, renderMarkdownSummary } from '../../support/render-results.ts';
import { SERVICES } from '../../support/two-services.ts';

let service: FaultyService;

test.beforeAll(async () => {
  service = await startFaultyService();
});

test.afterAll(() => service.close());

test.beforeEach(() => service.reset());

/** Evaluates one requirement on a service that gets into trouble when its check begins. */
async function evaluate(only: readonly string[], fault: Fault): Promise<Results> {
  const beforeCheck = () => service.suffer(fault);
  return checkLive(service.configure(test.info().outputPath('.')), { only, beforeCheck });
}

function nth(count: number, pattern: RegExp, fault: Fault): Fault {
  let seen = 0;
  return at(pattern, (...call) => {
    seen += 1;
    return seen === count && fault(...call);
  });
}

for (const [count, code] of [
  [2, 0],
  [3, 3],
] as const)
  test(`410 for a moment in ${count} checks, each of which passes then: ${code}`, async () => {
    const only = ['assign.adds-user', 'unassign.removes-user', 'list.returns-assigned'].slice(0, count);
    const begun = new Set<number>();
    const beforeCheck = (done: number) => {
      if (begun.has(done)) return;
      begun.add(done);
      service.suffer(nth(1, /^GET .*assigned_users/, answer(410)));
    };
    const results = await checkLive(service.configure(test.info().outputPath('.')), { only, beforeCheck });
    expect(idsWith(results, 'pass')).toEqual(only);
    expect(results.troubles.map(({ message }) => message)).toEqual(
      code === 0 ? [] : [expect.stringContaining('not there all the time: 3 checks met 410')],
    );
    expect(results.exitCode).toBe(code);
  });

const ONCE: readonly (readonly [requirement: string, verb: RegExp, status: number, which: number])[] = [
  ['token.error-json', /^POST \/oauth\/token/, 503, 1],
  ['token.error-json', /^POST \/oauth\/token/, 503, 2],
  ['resource.no-5xx', /^PUT /, 503, 2],
  ['token.no-5xx', /^POST \/oauth\/token/, 504, 3],
  ['token.error-status', /^POST \/oauth\/token/, 502, 5],
  ['resource.failure-status', /^DELETE /, 502, 2],
  ['assign.adds-user', /^PUT /, 502, 1],
  ['unassign.removes-user', /^DELETE /, 504, 1],
  ['exchange.code-single-use', /^POST \/oauth\/token/, 503, 2],
  ['exchange.code-single-use-parallel', /^POST \/oauth\/token/, 502, 2],
];

for (const [[requirement, verb, status, which], details] of firstInTest(ONCE, 4)) {
  test(
    `${status} to request ${which} of ${verb.source} in ${requirement}: passed, made anew`,
    details,
    async () => {
      const results = await evaluate([requirement], nth(which, verb, answer(status, '<h1>Bad gateway</h1>')));
      expect(results.requirements).toMatchObject([
        { id: requirement, result: 'pass', earlierAttempts: [expect.stringContaining(`status ${status}`)] },
      ]);
      expect(results.exitCode).toBe(0);
      const text = renderConsole(results, loadCatalogue(), { style: 'plain' });
      expect(text).toMatch(
        new RegExp(`rerun: ${requirement} \\(once, the service was in trouble: .*${status}`),
      );
    },
  );
}

for (const [name, start] of Object.entries(SERVICES)) {
  for (const verb of ['PUT', 'DELETE']) {
    test(`${name}: 503 to one ${verb} is passed, made anew, and told in every report`, async () => {
      let busy = false;
      const { configure, close } = await start({
        before: ({ method }) => {
          if (!busy || method !== verb) return undefined;
          busy = false;
          return { status: 503 };
        },
      });
      try {
        const beforeCheck = () => {
          busy = true;
        };
        const results = await checkLive(configure(), { only: ['unassign.removes-user'], beforeCheck });
        expect(results.requirements).toMatchObject([
          { result: 'pass', earlierAttempts: [expect.stringContaining('status 503')] },
        ]);
        const reported = /once, the service was in trouble: .*503/;
        expect(renderMarkdownSummary(results)).toMatch(reported);
        expect(renderJUnit(results, loadCatalogue())).toMatch(reported);
        expect(renderConsole(results, loadCatalogue(), { style: 'plain' })).toMatch(reported);
      } finally {
        await close();
      }
    });
  }
}

test('nothing that was sent is sent again', async () => {
  await evaluate(['exchange.client-id-checked'], nth(2, /^POST \/oauth\/token/, answer(503)));
  const withCode = service.tokenRequests.filter((body) => /(?:^|&)(?:code|refresh_token)=[^&]/.test(body));
  expect(new Set(withCode).size).toBe(withCode.length);
});

test('a service that answers so each time to the same request is what no-5xx is about', PROVE, async () => {
  const always: Fault = async (req, res, passOn) => {
    const unknown = /\/projects\/98765/.test(req.url ?? '') && req.method === 'PUT';
    return unknown && answer(503)(req, res, passOn);
  };
  const results = await evaluate(['resource.no-5xx', 'assign.unknown-project-refused'], always);
  expect(idsWith(results, 'warning')).toEqual(['resource.no-5xx']);
  expect(idsWith(results, 'pass')).toEqual(['assign.unknown-project-refused']);
});

test('a service that stays busy is 3, and no requirement is blamed', async () => {
  const results = await evaluate(['token.error-json'], times(1_000, at(/^POST \/oauth\/token/, answer(503))));
  expect(idsWith(results, 'not-run')).toEqual(['token.error-json']);
  expect(results.exitCode).toBe(3);
});

test(
  'a page that stays busy leaves the check behind it not run, and does not fail the requirement that passed',
  PROVE,
  async () => {
    const results = await checkLive(service.configure(test.info().outputPath('.')), {
      only: ['authorize.redirects-with-code', 'authorize.not-framable'],
      beforeCheck: (done) => {
        if (done > 0) service.suffer(at(/^GET \/oauth\/authorize/, answer(503)));
      },
    });
    expect(idsWith(results, 'pass')).toEqual(['authorize.redirects-with-code']);
    expect(results.requirements.find(({ id }) => id === 'authorize.not-framable')).toMatchObject({
      result: 'not-run',
      reason: expect.stringContaining('status 503'),
    });
    expect(results.exitCode).toBe(3);
  },
);
