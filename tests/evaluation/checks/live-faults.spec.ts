/** An outage, a gateway or a wrong setting is never blamed on the contract (3), a broken contract always is (1). */
import { type Browser, chromium, expect, test } from '@playwright/test';
import type { ConfigurationFile } from '../../../generated/schemas.d.ts';
import type { Results } from '../../../src/report/results.ts';
import { verdictOf } from '../../../src/report/verdict.ts';
import { CHECKS_IN_ORDER } from '../../proof/kill-matrix/run-checks.ts';
import { checkLive, type EvaluateOptions, idsWith } from '../../support/check-live.ts';
import { runHere } from '../../support/command-here.ts';
import {
  answer,
  at,
  drip,
  type Fault,
  flood,
  lostAnswer,
  redirectForEver,
  reset,
  stall,
  times,
  truncate,
  withHeaders,
} from '../../support/faulty-service/faults.ts';
import { type FaultyService, startFaultyService } from '../../support/faulty-service/service.ts';
import { makeCertificates, makeExpiredCertificate } from '../../support/independent-service/certificates.ts';
import { firstInTest, PROVE } from '../../support/prove.ts';
import { browserPath } from '../../support/run/browser-path.ts';

/** Milliseconds that an exchange may take where none ever ends. Elsewhere the usual deadline holds: machines are slow at times. */
const SHORT_MS = 400;
/** The same where pages must have the time to load, and one of them waits for what never comes. */
const HASTY = { pacing: { requestsPerSecond: 1_000, deadlineMs: 4_000 } };
const IMPATIENT = { pacing: { requestsPerSecond: 1_000, deadlineMs: SHORT_MS } };

/** Longest that a run may take, whatever the service does. Of it the suite waits 24 s for state that ages. */
const NO_HANG_MS = 50_000;

const SOME = [
  'exchange.token-type-bearer',
  'authorize.scope-each',
  'refresh.chain',
  'list.fresh',
  'version.prefix',
];

const DIED =
  /closes? connections without an answer since request \d+: check that it runs, and `tls.client` if it wants a client certificate, and run again; \d+ requirements not run$/m;

const TOKEN = /^POST \/oauth\/token/;
const LIST = /^GET \/v2\//;

let service: FaultyService;
let browser: Browser;

test.beforeAll(async () => {
  const executablePath = await browserPath();
  browser = await chromium.launch(executablePath === undefined ? {} : { executablePath });
  service = await startFaultyService();
});

test.afterAll(async () => {
  await service.close();
  await browser.close();
});

test.beforeEach(() => service.reset());

const folder = () => test.info().outputPath('.');

/** The requirements to check, and the wrong settings and secrets. */
interface Evaluating extends EvaluateOptions {
  readonly change?: Partial<ConfigurationFile>;
  readonly env?: Readonly<Record<string, string>>;
}

async function evaluate(
  { change, env = {}, ...options }: Evaluating = {},
  of: FaultyService = service,
): Promise<Results> {
  const written = of.configure(folder(), change);
  const begun = performance.now();
  const results = await checkLive(
    { ...written, env: { ...written.env, ...env } },
    { only: SOME, ...options },
  );
  expect(performance.now() - begun).toBeLessThan(NO_HANG_MS);
  return results;
}

/** Demands exit code 3 with a sentence, and that no requirement is blamed. */
function expectInconclusive(results: Results, says: RegExp): void {
  expect(results.requirements.filter(({ result }) => result === 'fail').map(({ id }) => id)).toEqual([]);
  expect(results.exitCode).toBe(3);
  expect(verdictOf(results).because.join('\n')).toMatch(says);
}

function expectAllPassed(results: Results): void {
  expect(results.requirements.map(({ id, result, reason }) => `${id} ${result} ${reason}`.trim())).toEqual(
    results.requirements.map(({ id }) => `${id} pass`),
  );
  expect(results.exitCode).toBe(0);
}

const MAINTENANCE = '<!doctype html><title>Maintenance</title><h1>Back soon</h1>';
const PORTAL = '<!doctype html><title>Welcome</title><h1>Accept our terms to go online</h1>';

type Throughout = readonly [name: string, fault: Fault, says: RegExp, change?: Partial<ConfigurationFile>];
const THROUGHOUT: readonly Throughout[] = [
  ['a reset connection', reset, /closes? connections without an answer/],
  ['a stall', stall, /no whole answer within|did not load within/, IMPATIENT],
  ['a truncated body', truncate, /closes? connections|gave no answer|redirected to the client/, HASTY],
  ['429', answer(429), /429/],
  ['429 with Retry-After', answer(429, '', { 'Retry-After': '1' }), /429/],
  ['503, maintenance', answer(503, MAINTENANCE), /503/],
  ['an endless redirect', redirectForEver, /it redirects|TOO_MANY_REDIRECTS/],
  ['a gigantic body', flood, /larger than|too large|did not load within/, IMPATIENT],
  ['a slow drip', drip, /no whole answer within|did not load within/, IMPATIENT],
  ['410', answer(410), /retired/],
  ['a retirement page', answer(404, '<h1>This API has been retired.</h1>'), /retired/],
];

test.describe('throughout, seen by a browser:', () => {
  test('a captive portal is 3', async () => {
    service.suffer(answer(200, PORTAL));
    expectInconclusive(await evaluate({ browser }), /Welcome|Accept.*check `authUrl`/);
  });

  for (const [[name, fault, says, change = {}], details] of firstInTest(THROUGHOUT, 1)) {
    test(`${name} is 3`, details, async () => {
      service.suffer(fault);
      expectInconclusive(await evaluate({ browser, change }), says);
    });
  }
});

test.describe('throughout, behind the pages:', () => {
  for (const [where, pattern] of [
    ['the token endpoint', TOKEN],
    ['the resource API', /\/v2\//],
  ] as const) {
    for (const [[name, fault, says, change = {}], details] of firstInTest(THROUGHOUT, 1)) {
      test(`${name} at ${where} is 3`, details, async () => {
        service.suffer(at(pattern, fault));
        expectInconclusive(await evaluate({ change }), says);
      });
    }
  }
});

test.describe('once:', () => {
  const faults = [
    ['429 with Retry-After', answer(429, '', { 'Retry-After': '1' })],
    ['429', answer(429)],
    ['503, maintenance', answer(503, MAINTENANCE)],
  ] as const;
  for (const [[name, fault], details] of firstInTest(faults, 1)) {
    for (const [where, pattern] of [
      ['the authorization address', /^GET \/oauth\/authorize/],
      ['the token endpoint', TOKEN],
      ['a list', LIST],
    ] as const) {
      test(`${name} at ${where}, and the run goes on`, details, async () => {
        service.suffer(times(1, at(pattern, fault)));
        expectAllPassed(await evaluate());
      });
    }

    test(`${name} in the middle of a check, and the run goes on`, details, async () => {
      const beforeCheck = (done: number) => {
        if (done === 1) service.suffer(times(1, at(TOKEN, fault)));
      };
      expectAllPassed(await evaluate({ beforeCheck }));
    });
  }

  test('429 with Retry-After at every fortieth token request ends nothing', async () => {
    const busy = at(TOKEN, answer(429, '', { 'Retry-After': '0' }));
    let requests = 0;
    service.suffer(async (req, res, passOn) => {
      if (req.method !== 'POST') return false;
      requests += 1;
      return requests % 40 === 0 && (await busy(req, res, passOn));
    });
    const only = ['exchange.code-single-use', 'exchange.requires-client-secret', 'refresh.chain'];
    expectAllPassed(await evaluate({ only: [...SOME, ...only] }));
    expect(requests).toBeGreaterThan(80);
  });

  for (const [where, pattern] of [
    ['the authorization address', /^GET \/oauth\/authorize/],
    ['the token endpoint', TOKEN],
    ['a list', LIST],
  ] as const) {
    test(`a refusal at ${where}, and no workaround from the document is blamed for it`, async () => {
      service.suffer(times(1, at(pattern, answer(400))));
      const owners = ['authorize.redirects-with-code', 'exchange.form-encoded', 'list.returns-assigned'];
      expectAllPassed(await evaluate({ only: [...SOME, ...owners] }));
    });
  }

  for (const [what, pattern, fault] of [
    ['a lost answer to an assign', /^PUT /, lostAnswer],
    ['a lost answer to an unassign', /^DELETE /, lostAnswer],
    ['a page in place of tokens', TOKEN, answer(200, '<!doctype html><title>Maintenance</title>')],
    ['a page in place of a list', LIST, answer(200, '<!doctype html><title>Maintenance</title>')],
  ] as const) {
    test(`${what} in the middle of the checks: that check is run again, and the report says so`, async () => {
      const only = ['exchange.token-acts', 'unassign.removes-user'];
      const [first, second] = CHECKS_IN_ORDER.filter(({ id }) => only.includes(id));
      const hit = pattern === TOKEN ? first?.id : 'unassign.removes-user';
      const beforeCheck = (done: number) => {
        if ([first, second][done]?.id === hit) service.suffer(times(1, at(pattern, fault)));
      };
      const results = await evaluate({ only, beforeCheck });
      expectAllPassed(results);
      expect(results.requirements.flatMap(({ earlierAttempts = [] }) => earlierAttempts)).toHaveLength(1);
    });
  }

  test('a read whose connection fails is made again', async () => {
    service.suffer(times(1, at(LIST, reset)));
    expectAllPassed(await evaluate());
  });

  test('a lost answer to a token request: that check is run again with its own tokens, and nothing is sent twice', async () => {
    const beforeCheck = (done: number) => done === 2 && service.suffer(times(1, at(TOKEN, lostAnswer)));
    const results = await evaluate({ beforeCheck });
    expectAllPassed(results);
    expect(results.requirements.flatMap(({ earlierAttempts = [] }) => earlierAttempts)).toHaveLength(1);
    expect(new Set(service.tokenRequests).size).toBe(service.tokenRequests.length);
  });
});

test.describe('nobody there:', () => {
  test('a name that does not resolve is 3', async () => {
    const nowhere = 'http://no-such-service.invalid';
    const results = await evaluate({ browser, change: { authUrl: nowhere, baseUrl: nowhere } });
    expectInconclusive(
      results,
      / has a host name that does not resolve: correct .*; \d+ requirements not run$/,
    );
  });

  test('a connection that is refused is 3', async () => {
    const gone = await startFaultyService();
    await gone.close();
    const results = await evaluate({ browser }, gone);
    expectInconclusive(
      results,
      /^the service at \S+ \(`authUrl`\) and at \S+ \(`baseUrl`\) refuse connections: check that the service runs.*; \d+ requirements not run$/,
    );
    expect(results.used?.requests).toBe(0);
  });

  test('a resource API that is not there, beside an authorization server that is, is 3', async () => {
    const results = await evaluate({ change: { baseUrl: 'http://127.0.0.1:1' } });
    expectInconclusive(
      results,
      /^the service at http:\/\/127\.0\.0\.1:1 \(`baseUrl`\) refuses connections: check that the service runs.*; \d+ requirements not run$/,
    );
    expect(service.tokenRequests).toEqual([]);
  });

  for (const [where, pattern, details] of [
    ['both addresses', /./, {}],
    ['the resource API', /\/v2\//, PROVE],
  ] as const)
    test(
      `a service that ends during the run, ${where}: that is the one reason, with the request`,
      details,
      async () => {
        const beforeCheck = (done: number) => done === 2 && service.suffer(at(pattern, reset));
        const results = await evaluate({ browser, beforeCheck, only: ['4.4', '2.1', '5'] });
        const [first = '', ...others] = verdictOf(results).because;
        expect(first).toMatch(DIED);
        expect(first).toContain(pattern.test('x') ? '`authUrl`' : '`baseUrl`');
        // A user who may be assigned is named beside it.
        for (const other of others) expect(other).toMatch(/may still be assigned/);
        const reasons = results.requirements
          .filter(({ result }) => result === 'not-run')
          .map(({ reason }) => reason);
        expect(new Set(reasons).size).toBe(1);
        expect(JSON.stringify(verdictOf(results))).not.toMatch(/ERR_|ECONN|oauth\/authorize\?/);
      },
    );

  for (const [count, options] of [
    [3, { only: ['4.4'] }],
    [6, { smoke: true, only: [] }],
  ] as const)
    test(`a service that ends after ${count} requests, before any check: the same words`, async () => {
      let sent = 0;
      service.suffer((...exchange) => ++sent > count && reset(...exchange));
      const [first, ...others] = verdictOf(await evaluate({ browser, ...options })).because;
      expect(first).toMatch(/^the service at \S+ \(`(?:auth|base)Url`\) (?:and .* )?closes? /);
      expect(first).toMatch(DIED);
      for (const other of others) expect(other).toMatch(/may still be assigned/);
    });
});

test.describe('certificates:', () => {
  test('one that nobody vouches for is 3, and what would help is said', async () => {
    const { key, cert } = await makeCertificates(folder());
    const secure = await startFaultyService({ tls: { key, cert } });
    const results = await evaluate({ browser }, secure);
    await secure.close();
    expectInconclusive(results, /name the authority’s certificate in `tls.caFile`/);
  });

  test('one that has expired is 3, although its authority is trusted', async () => {
    const { caFile, ...tls } = await makeExpiredCertificate(folder());
    const secure = await startFaultyService({ tls });
    const results = await evaluate({ browser, change: { tls: { caFile } } }, secure);
    await secure.close();
    expectInconclusive(results, /certificates that have expired/);
  });
});

test.describe('settings that are wrong:', () => {
  const typed = () => service.asked.filter((asked) => asked.startsWith('POST') && !TOKEN.test(asked));

  test('a sign-in page that has changed is 3, and the step that fails is named', async () => {
    const { form } = service.settings.signIn;
    const steps = [
      { fill: 'input[name=username]', with: 'login' as const },
      { fill: 'input[name=password]', with: 'password' as const },
      { click: { button: 'Sign in' } },
    ];
    const results = await evaluate({ browser, change: { ...HASTY, signIn: { form, steps } } });
    expectInconclusive(results, /input\[name=username\]/);
    expect(typed()).toEqual([]);
  });

  const steps = [{ click: { button: 'Sign in' } }];
  const consent = { grant: { button: 'Allow' }, shown: 'once' as const };
  // The diagnosis looks once more, without a browser; the form of the sign-in leads back.
  for (const [what, opened, change, says] of [
    ['sign-in page', 2, { signIn: { form: '#login', steps } }, /correct `signIn.form`/],
    ['consent page', 3, { consent }, /correct `consent.grant`/],
  ] as const)
    test(`a ${what} that is not recognised is 3, and no other request is tried`, async () => {
      expectInconclusive(await evaluate({ browser, change }), says);
      expect(service.asked.filter((asked) => asked === 'GET /oauth/authorize')).toHaveLength(opened);
      expect(typed()).toHaveLength(opened - 2);
    });

  test('a wrong password is 3, and is typed once', async () => {
    const results = await evaluate({ browser, env: { STAGING_PASSWORD: 'not-the-password-of-anybody' } });
    expectInconclusive(results, /check the login, the password and the steps of `signIn`/);
    expect(typed()).toHaveLength(1);
  });

  const redirectUris = ['https://elsewhere.example.test/callback'];
  const elsewhere = () => ({ change: { application: { ...service.settings.application, redirectUris } } });
  for (const [what, wrong, says] of [
    [
      'client secret',
      () => ({ env: { STAGING_CLIENT_SECRET: 'not-the-secret' } }),
      /check `application.clientSecret`/,
    ],
    ['redirect address', elsewhere, /`application.redirectUris\[0\]`/],
    ['project', () => ({ change: { projects: ['987654321'] } }), /`owner` may see a project `projects\[0\]`/],
  ] as const)
    test(`a wrong ${what} is 3, and named`, async () => expectInconclusive(await evaluate(wrong()), says));
});

test.describe('a clock that is ten minutes off', () => {
  /** To the millisecond, at each answer: with the whole seconds of HTTP it would now and then be 599 or 601 s. */
  const wrong = (): Fault => (request, response, passOn) =>
    withHeaders({ Date: new Date(Date.now() + 599_500).toISOString() })(request, response, passOn);

  test('is 3 where one-time codes depend on it, before anything is typed', async () => {
    service.suffer(wrong());
    const { owner, signIn } = service.settings;
    const change = {
      owner: { ...owner, totpSecret: { env: 'STAGING_TOTP_SECRET' } },
      signIn: { ...signIn, steps: [...(signIn.steps ?? []), { fill: '#code', with: 'totp' as const }] },
    };
    const env = { STAGING_TOTP_SECRET: 'JBSWY3DPEHPK3PXP' };
    expectInconclusive(await evaluate({ change, env }), /clock is 600 s ahead of ours/);
    expect(service.asked).toEqual(['GET /oauth/authorize']);
  });

  test('is no matter elsewhere', async () => {
    service.suffer(wrong());
    expectAllPassed(await evaluate());
  });
});

/** Checks before the first grant, because the service remembers it from then on. */
const DENIED_FIRST = [
  'authorize.grant-needed',
  'authorize.state-echoed-on-denial',
  'authorize.denial-redirects',
];

/** Checks before the service goes wrong: the next one sends requests of its own. */
const BEFORE = 11;

test.describe('halfway', () => {
  for (const [name, fault, says, change] of [
    ['dies', reset, DIED, {}],
    [
      'answers no more',
      stall,
      /gives? no whole answer within 400 ms since request \d+: .* not run$/m,
      IMPATIENT,
    ],
    ['is retired', answer(410), /retired/, {}],
  ] as const) {
    test(`a service that ${name} is 3, and what was seen before is kept`, PROVE, async () => {
      let before = 0;
      const beforeCheck = (done: number) => {
        if (done !== BEFORE) return;
        service.suffer(fault);
        before = service.asked.length;
      };
      const evaluatedBefore: string[] = [];
      const afterCheck = ({ id }: { id: string }) =>
        evaluatedBefore.length < BEFORE && evaluatedBefore.push(id);
      const only = ['2.1', '4.1', '4.4', '5', '7'];
      const results = await evaluate({ only, change, beforeCheck, afterCheck });
      expectInconclusive(results, says);
      expect([...idsWith(results, 'pass')].sort()).toEqual([...evaluatedBefore, ...DENIED_FIRST].sort());
      expect(results.retirement?.retired ?? false).toBe(name === 'is retired');
      // The suite stops sending to a service that does not answer.
      if (name !== 'is retired') expect(service.asked.length - before).toBeLessThan(30);
    });
  }
});

test.describe('good health', () => {
  test('and a documented requirement that fails is 1', async () => {
    const broken = await startFaultyService({ defects: ['exchange-code-reusable'] });
    const results = await evaluate({ only: ['exchange.code-single-use', '9'] }, broken);
    await broken.close();
    expect(results.requirements.map(({ id, result }) => `${id} ${result}`)).toEqual([
      'exchange.code-single-use fail',
      'version.prefix pass',
    ]);
    expect(results.exitCode).toBe(1);
  });

  test('that ends right after a used code got tokens does not take the proof away', async () => {
    const broken = await startFaultyService({ defects: ['exchange-code-reusable'] });
    const beforeCheck = () => {
      // One exchange, its repetition, which is honoured, and nothing more.
      let left = 2;
      broken.suffer(at(TOKEN, (req, res, passOn) => left-- <= 0 && reset(req, res, passOn)));
    };
    const results = await evaluate({ only: ['exchange.code-single-use'], beforeCheck }, broken);
    await broken.close();
    expect([results.exitCode, idsWith(results, 'fail')]).toEqual([1, ['exchange.code-single-use']]);
  });

  test('that ends right after a refusal leaves it open whose fault that was', async () => {
    const beforeCheck = () => {
      let sent = 0;
      service.suffer(
        at(TOKEN, async (req, res, passOn) => {
          sent += 1;
          return sent > 3 && (sent === 4 ? answer(400) : reset)(req, res, passOn);
        }),
      );
    };
    const results = await evaluate({ only: ['refresh.chain'], beforeCheck });
    expectInconclusive(results, /did not run/);
    expect(results.requirements[0]?.reason).toContain('so it may be an outage');
  });
});

test.describe('what a service says about its end', () => {
  test('is told with its dates, and changes no verdict', async () => {
    const headers = { Deprecation: '@1767225600', Sunset: 'Sun, 31 Jan 2027 23:59:59 GMT' };
    service.suffer(withHeaders(headers));
    const results = await evaluate();
    expectAllPassed(results);
    expect(results.retirement?.retired).toBe(false);
    const said = results.retirement?.notices.map(({ kind, date }) => `${kind} ${date}`) ?? [];
    expect([...new Set(said)].sort()).toEqual(['deprecation 2026-01-01', 'sunset 2027-01-31']);
  });

  test('is nothing where it says nothing', async () => {
    expect((await evaluate()).retirement).toBeUndefined();
  });
});

test('a stall ends the command, with exit code 3', PROVE, async () => {
  service.suffer(stall);
  // A browser that has just started may need more than the shortest deadline on a busy machine.
  const { file, env } = service.configure(folder(), {
    ...IMPATIENT,
    pacing: { ...IMPATIENT.pacing, deadlineMs: 2_000 },
  });
  const report = test.info().outputPath('report');
  const end = await runHere(['check', '--target', file, '--report', report, '--only', '9'], env);
  expect(end.stdout).toMatch(/did not load within|no whole answer/);
  expect(end.stdout).toContain('inconclusive');
  expect(end.code).toBe(3);
});
