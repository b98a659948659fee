/** Signing in where pages are not as simple as one would like, in a real browser. */
import { type Browser, expect, test } from '@playwright/test';
import type { ConfigurationFile } from '../../../generated/schemas.d.ts';
import { SecretRegistry } from '../../../src/http/secrets/registry.ts';
import { connectThrough } from '../../../src/service/flow/connect.ts';
import { flowToToken } from '../../../src/service/flow/smoke-flow.ts';
import type { TokenFlow } from '../../../src/service/flow/smoke-steps.ts';
import { runHere } from '../../support/command-here.ts';
import { SELECTORS } from '../../support/independent-service/start.ts';
import { withIndependentService, withLiveTarget } from '../../support/live-config.ts';
import { PROVE } from '../../support/prove.ts';

const TOTP_SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

const LOGIN = [
  { fill: SELECTORS.login, with: 'login' },
  { click: SELECTORS.next },
  { wait: SELECTORS.password },
  { fill: SELECTORS.password, with: 'password' },
  { click: SELECTORS.signIn },
] as const satisfies ConfigurationFile['signIn']['steps'];

/** Returns the end of an authorization in a browser, and the requests that the service got meanwhile. */
interface Walked extends TokenFlow {
  readonly received: readonly string[];
  readonly message: string;
}

async function walk(
  browser: Browser,
  independentService: Readonly<Record<string, string>>,
  change: Partial<ConfigurationFile>,
  variables: Readonly<Record<string, string>> = {},
): Promise<Walked> {
  return withLiveTarget(
    independentService,
    change,
    async ({ target, received }) => {
      const { session, close } = await connectThrough(browser, target, new SecretRegistry());
      try {
        const walked = await flowToToken(session);
        return { ...walked, received: await received(), message: walked.stopped?.message ?? '' };
      } finally {
        await close();
      }
    },
    variables,
  );
}

function passwordsSent({ received }: Walked): number {
  return received.filter((line) => /^POST .*\/password$/.test(line)).length;
}

test.describe('gets through', () => {
  test('pages that are drawn by script, a moment after they have loaded', async ({ browser }) => {
    const { tokens } = await walk(browser, { INDEPENDENT_SERVICE_DRAWN_AFTER_MS: '400' }, {});
    expect(tokens?.accessToken).toBeTruthy();
  });

  test('a notice that no step knows of, clicked away wherever it is shown', PROVE, async ({ browser }) => {
    const signIn = { form: SELECTORS.login, steps: [...LOGIN], interstitials: [SELECTORS.proceed] };
    const { tokens } = await walk(
      browser,
      { INDEPENDENT_SERVICE_INTERSTITIAL: '1', INDEPENDENT_SERVICE_CONSENT: 'always' },
      { signIn },
    );
    expect(tokens?.accessToken).toBeTruthy();
  });

  test('a one-time code, two origins, and no consent page', async ({ browser }) => {
    const steps = [
      ...LOGIN,
      { wait: SELECTORS.code },
      { fill: SELECTORS.code, with: 'totp' as const },
      { click: SELECTORS.codeNext },
    ];
    const independentService = {
      INDEPENDENT_SERVICE_TOTP_SECRET: TOTP_SECRET,
      INDEPENDENT_SERVICE_TWO_ORIGINS: '1',
      INDEPENDENT_SERVICE_CONSENT: 'never',
    };
    const owner = {
      login: 'owner@staging.example.test',
      password: { env: 'STAGING_PASSWORD' },
      totpSecret: { env: 'TOTP' },
    };
    const change = { signIn: { form: SELECTORS.login, steps }, owner };
    const { tokens } = await walk(browser, independentService, change, { TOTP: TOTP_SECRET });
    expect(tokens?.accessToken).toBeTruthy();
  });
});

test.describe('stops, says why, and types no password twice', () => {
  test('before a captcha', async ({ browser }) => {
    const walked = await walk(browser, { INDEPENDENT_SERVICE_CAPTCHA: '1' }, {});
    expect(walked.message).toContain('the sign-in page asks for a captcha, which the suite does not pass');
    expect(walked.message).toContain('legacy-conformance sign-in --save');
    expect(walked.stopped?.status).toBe('no-answer');
    expect(passwordsSent(walked)).toBe(0);
  });

  test('before a second factor that no step fills', PROVE, async ({ browser }) => {
    const walked = await walk(browser, { INDEPENDENT_SERVICE_TOTP_SECRET: TOTP_SECRET }, {});
    expect(walked.message).toContain('the sign-in page asks for a second factor');
    expect(walked.message).toContain('`totp`');
    expect(walked.message).toContain('legacy-conformance sign-in --save');
    expect(passwordsSent(walked)).toBe(1);
  });

  test('at a field that is called otherwise, naming the step', async ({ browser }) => {
    const steps = [{ fill: 'Email', with: 'login' as const }, ...LOGIN.slice(1)];
    const walked = await walk(
      browser,
      {},
      { signIn: { form: SELECTORS.login, steps }, pacing: { requestsPerSecond: 1_000, deadlineMs: 1_500 } },
    );
    expect(walked.message).toMatch(
      /^signIn\.steps\[0\]: expected Email to fill on the page, got none within 1500 ms, at 127\.0\.0\.1:\d+\/signin\/…; the page offers field "Account" \(.*\); button "Next"; correct the step: a label is written \{ "label": "Email" \}$/,
    );
    expect(passwordsSent(walked)).toBe(0);
  });
});

test('a wrong password: 3, and what the page says', async () => {
  await withIndependentService({}, {}, async ({ running, file, env }) => {
    const report = test.info().outputPath('report');
    const wrong = { ...env, STAGING_PASSWORD: 'not-the-password-of-anybody' };
    const end = await runHere(['check', '--target', file, '--report', report, '--only', '9'], wrong);
    expect(end.stdout).toContain('asks again');
    expect(end.stdout).toContain('which says "That was not it."');
    expect(end.code).toBe(3);
    const received = await running.received();
    expect(received.filter((line) => /^POST .*\/password$/.test(line))).toHaveLength(1);
  });
});
