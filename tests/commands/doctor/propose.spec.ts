/** `doctor --walk --propose`: a sign-in without selectors, on pages that the suite does not know. */
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { expect, test } from '@playwright/test';
import type { ConfigurationFile } from '../../../generated/schemas.d.ts';
import { runHere } from '../../support/command-here.ts';
import { answer, at, type Fault, type PassedOn } from '../../support/faulty-service/faults.ts';
import { type FaultyService, startFaultyService } from '../../support/faulty-service/service.ts';
import {
  type ReadyIndependentService,
  startIndependentService,
} from '../../support/independent-service/start.ts';
import { independentServiceConfiguration, independentServiceSecrets } from '../../support/live-config.ts';
import { onLoopback } from '../../support/on-loopback.ts';
import { PROVE } from '../../support/prove.ts';

const own = (name: string) => test.info().outputPath(name);

type Variables = Readonly<Record<string, string>>;

/** The configuration of somebody who has not looked at the pages: without `signIn`, and with as much of `consent` as given. */
function without({ signIn: _, consent: __, ...rest }: ConfigurationFile, more: object = {}): object {
  return { ...rest, pacing: { requestsPerSecond: 1_000, deadlineMs: 3_000 }, ...more };
}

/** Runs `doctor --walk --propose` on a configuration in a file of its own. */
async function propose(configuration: object, env: Variables, name = 'conformance.config.json') {
  const file = own(name);
  const text = JSON.stringify(configuration, null, 2);
  writeFileSync(file, name.endsWith('.json') ? text : `export default ${text};\n`);
  const end = await runHere(
    ['doctor', '--target', file, '--walk', '--propose', '--report', own('report')],
    env,
  );
  for (const secret of Object.values(env)) expect(end.stdout + end.stderr).not.toContain(secret);
  const written = () => JSON.parse(readFileSync(file, 'utf8')) as ConfigurationFile;
  return { ...end, file, text: () => readFileSync(file, 'utf8'), written };
}

/** Hits of a pattern in what a service was asked, `POST /sign-in`. */
const count = (asked: readonly string[], pattern: RegExp) =>
  asked.filter((line) => pattern.test(line)).length;

test.describe('one page', () => {
  let service: FaultyService;
  let env: Variables;
  test.beforeAll(async () => {
    service = await startFaultyService();
  });
  test.afterAll(() => service.close());
  test.beforeEach(() => {
    service.reset();
    ({ env } = service.configure(own('settings')));
  });

  /** The emulator's own sign-in page, changed. */
  const changed = (change: (html: string) => string): Fault =>
    at(/^(?:GET|POST) \/sign-in|^GET \/oauth\/authorize/, async (_req, res, passOn) => {
      const { status, headers, cookies, content } = (await passOn()) as PassedOn & {
        readonly cookies: string[];
      };
      if (cookies.length > 0) res.setHeader('Set-Cookie', cookies);
      for (const [name, value] of headers.filter(([one]) => !/^content-(?:security|length)/i.test(one)))
        res.setHeader(name, value);
      res.writeHead(status).end(change(content.toString()));
      return true;
    });

  test('is written into the file, and then `doctor --walk` and `check` succeed', async () => {
    const started = {
      ...without(service.settings, { budget: { signIns: 4 } }),
      users: service.settings.users,
    };
    const end = await propose(started, env);
    expect(end.code, end.stdout + end.stderr).toBe(0);
    expect(end.written()).toEqual({
      ...started,
      signIn: {
        form: 'input[name="email"]',
        steps: [
          { fill: 'input[name="email"]', with: 'login' },
          { fill: 'input[name="password"]', with: 'password' },
          { click: { button: 'Sign in' } },
        ],
      },
      consent: { shown: 'once', grant: { button: 'Authorize' }, deny: { button: 'Deny' } },
    });
    // Signed in twice, decided nothing.
    expect(count(service.asked, /^POST \/sign-in/)).toBe(2);
    expect(count(service.asked, /^POST/)).toBe(2);
    const { code, stdout } = await runHere(['doctor', end.file, '--walk', '--report', own('walk')], env);
    expect(code, stdout).toBe(0);
    const only = ['--only', 'version.prefix', '--report', own('check')];
    const checked = await runHere(['check', end.file, ...only], env);
    expect(checked.code, checked.stdout).toBe(0);
  });

  test('is printed for a module, whose file stays', async () => {
    const end = await propose(without(service.settings), env, 'conformance.config.mjs');
    expect(end.code, end.stdout + end.stderr).toBe(0);
    expect(end.stdout).toContain('\n  "signIn": {\n    "form": "input[name=\\"email\\"]",\n    "steps": [\n');
    expect(end.stdout).toMatch(/paste signIn and consent \(above\) into .*conformance\.config\.mjs/);
    expect(end.text()).not.toContain('signIn');
  });

  test('keeps what the file says of both, in the text as it was', async () => {
    const consent = { grant: { button: 'Yes' }, shown: 'always', settleMs: 60_000 };
    const signIn = { form: '#nothing', steps: [{ wait: '#nothing' }], interstitials: ['#notice'] };
    const end = await propose(without(service.settings, { consent, signIn, care: 'usual' }), env);
    expect(end.code, end.stdout + end.stderr).toBe(0);
    const { consent: seen, signIn: found } = end.written();
    expect(seen).toEqual({ ...consent, grant: { button: 'Authorize' }, deny: { button: 'Deny' } });
    expect(found).toMatchObject({ form: 'input[name="email"]', interstitials: ['#notice'] });
    expect(end.text()).toContain('\n  "care": "usual"\n}');
  });

  test('with labels alone, a search field, a registration and other ways to sign in', async () => {
    const fields = (html: string) =>
      html
        .replace(/<input(?=[^>]* name="email")[^>]*>/, '<input aria-label="Your e-mail">')
        .replace(/<input(?=[^>]* name="password")[^>]*>/, '<input aria-label="Your password" type=password>')
        .replace('<form method="post" action="/sign-in">', (form) => `${AROUND}${form}`)
        .replace('<button class="button" type="submit">Sign in', '<button>Sign in with Google</button>$&')
        .concat(SENDS_LABELLED);
    service.suffer(changed(fields));
    const end = await propose(without(service.settings), env);
    expect(end.code, end.stdout + end.stderr).toBe(0);
    expect(end.written().signIn).toEqual({
      form: { label: 'Your e-mail' },
      steps: [
        { fill: { label: 'Your e-mail' }, with: 'login' },
        { fill: { label: 'Your password' }, with: 'password' },
        { click: { button: 'Sign in' } },
      ],
    });
  });

  test('drawn by script, which asks for the password behind the same button', async () => {
    service.suffer(changed((html) => html.concat(ASKS_LATER)));
    const end = await propose(without(service.settings), env);
    expect(end.code, end.stdout + end.stderr).toBe(0);
    expect(end.written().signIn.steps).toEqual([
      { fill: 'input[name="email"]', with: 'login' },
      { click: { button: 'Sign in' } },
      { fill: 'input[name="password"]', with: 'password' },
      { click: { button: 'Sign in' } },
    ]);
  });

  test('with a banner and a link whose names would grant, while the password is drawn late', async () => {
    const beside =
      '<footer><a href="/terms">User agreement</a><button type="button">Accept all</button></footer>';
    service.suffer(changed((html) => html.concat(html.includes('password') ? ASKS_LATER + beside : '')));
    const end = await propose(without(service.settings), env);
    expect(end.code, end.stdout + end.stderr).toBe(0);
    expect(end.written().signIn.steps).toContainEqual({ fill: 'input[name="password"]', with: 'password' });
    expect(end.written().consent).toMatchObject({ grant: { button: 'Authorize' } });
  });

  test('that demands more is asked for by its key, and gets nothing', async () => {
    const company = '<label>Company <input name=company required></label>';
    service.suffer(changed((html) => html.replace('<p><button', `${company}<p><button`)));
    const end = await propose(without(service.settings), env);
    expect(end.stdout).toMatch(/FAIL +sign-in +expected a sign-in form, got a form that demands "Company"/);
    expect(end.stdout).toContain('fix: write `signIn.steps` yourself, for example [{"fill":"input[name=');
    expect(end.stdout).toContain('"with":"password"},{"fill":{"label":"Company"}');
    expect(count(service.asked, /^POST/)).toBe(0);
    expect(end.written().signIn).toBeUndefined();
    expect(end.code).toBe(3);
  });

  test('with a wrong password: it is typed once, and nothing is written', async () => {
    const end = await propose(without(service.settings), { ...env, STAGING_PASSWORD: 'nobody-has-this-one' });
    expect(end.stdout).toMatch(/FAIL +sign-in +signing in led to no consent .*asks again/);
    expect(end.stdout).toContain('fix: check the login, the password');
    expect(count(service.asked, /^POST \/sign-in/)).toBe(1);
    expect(end.written().signIn).toBeUndefined();
    expect(end.code).toBe(3);
  });

  test('whose password is asked for on another origin: named, and nothing is typed there', async () => {
    const got: string[] = [];
    const form = (field: string) =>
      `<form method=post action="/sign-in">${field}<button>Next</button></form>`;
    const elsewhere = await onLoopback(
      createServer((req, res) => {
        got.push(`${req.method}`);
        res.setHeader('Content-Type', 'text/html').end(form('<input type=password>'));
      }),
    );
    const pages = [
      at(/^GET \/oauth\/authorize/, answer(200, form('<input name=user>'))),
      at(/^POST \/sign-in/, answer(303, '', { Location: elsewhere.origin })),
    ];
    try {
      service.suffer(async (...request) => {
        for (const page of pages) if (await page(...request)) return true;
        return false;
      });
      const end = await propose(without(service.settings), env);
      expect(end.stdout).toContain(`${elsewhere.origin} asks for the owner's credentials`);
      expect(end.stdout).toContain(`add it: "origins": ["${elsewhere.origin}"]`);
      expect(end.code).toBe(3);
      expect(count(service.asked, /^POST \/sign-in/)).toBe(1);
      expect(new Set(got)).toEqual(new Set(['GET']));
    } finally {
      await elsewhere.close();
    }
  });

  test('a service that keeps no session needs more sign-ins than the budget has', async () => {
    let wasTyped = false;
    const forgets: Fault = async (req) => {
      if (req.method === 'GET' && !wasTyped) delete req.headers.cookie;
      wasTyped = req.method === 'POST';
      return false;
    };
    const { file, env: variables } = service.configure(own('live'), { budget: { signIns: 12 } });
    service.suffer(at(/^POST \/sign-in|^GET \/oauth\/authorize/, forgets));
    const end = await runHere(['doctor', '--target', file, '--walk', '--report', own('report')], variables);
    expect(end.stdout).toMatch(/FAIL +settings +the service asked for the password \d times/);
    expect(end.stdout).toContain('set `budget.signIns` to 1000');
    expect(end.code).toBe(3);
  });

  test('a consent page with boxes to tick is noted', async () => {
    const box = '<p><label><input type=checkbox name=read> read</label></p>';
    service.suffer(
      changed((html) => (html.includes('>Authorize<') ? html.replace('</h1>', `</h1>${box}`) : html)),
    );
    const end = await propose(without(service.settings), env);
    expect(end.stdout).toMatch(/note: the page has boxes: if the owner must tick them, export `consent`/);
  });

  test('without known consent buttons writes the steps, and asks for the buttons', async () => {
    const renamed = (html: string) => html.replace('>Authorize<', '>Go<').replace('>Deny<', '>Stop<');
    service.suffer(changed(renamed));
    const end = await propose(without(service.settings), env);
    expect(end.stdout).toMatch(/FAIL +consent +expected one button that grants, got .*"Go", "Stop"/);
    expect(end.stdout).toContain('write `consent.grant` and `consent.deny`, for example "consent": {');
    expect(end.written().signIn.steps).toHaveLength(3);
    expect(end.written().consent).toBeUndefined();
    // The unknown page may be a refusal.
    expect(count(service.asked, /^POST \/sign-in/)).toBe(1);
    expect(end.code).toBe(3);
  });

  test('a module that signs in: 2, and nothing was sent', async () => {
    const signIn = { form: '#login', module: './sign-in.ts' };
    const end = await propose(without(service.settings, { signIn }), env);
    expect(end.stderr).toContain('expected a configuration without `signIn.module` and');
    expect(service.asked).toEqual([]);
    expect(end.code).toBe(2);
  });
});

/** Elements before a form that ask for no sign-in. */
const AROUND = `<form><input name=q aria-label="Search"><button>Search</button></form>
<form><input type=email aria-label="Email"><input type=password autocomplete=new-password><button>Register</button></form>`;

/** Asks for the password only once the login is there. */
const ASKS_LATER = `<script>
const [email, password] = ['email', 'password'].map((name) => document.querySelector('[name=' + name + ']'));
const show = (field, on) => { field.style.display = on ? '' : 'none'; field.disabled = !on };
if (password) show(password, false);
document.addEventListener('submit', (event) => {
  if (!password?.disabled) return;
  event.preventDefault();
  email.style.display = 'none';
  show(password, true);
}, true)</script>`;

/** Sends fields that have no names. */
const SENDS_LABELLED = `<script>document.addEventListener('submit', ({ target }) => {
  for (const [label, name] of [['Your e-mail', 'email'], ['Your password', 'password']])
    target.querySelector('[aria-label="' + label + '"]')?.setAttribute('name', name);
}, true)</script>`;

test.describe('several pages', () => {
  const TOTP = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

  /** Proposes for an independent service, whose login and password stand on two pages. */
  async function onIndependentService(
    settings: Variables,
    more: (ready: ReadyIndependentService) => object = () => ({}),
  ) {
    const running = await startIndependentService(settings);
    try {
      const { ready } = running;
      const env = independentServiceSecrets(ready);
      const end = await propose(without(independentServiceConfiguration(ready), more(ready)), {
        ...env,
        TOTP,
      });
      return { ...end, received: await running.received(), ready };
    } finally {
      await running.stop();
    }
  }
  const passwords = ({ received }: { readonly received: readonly string[] }) =>
    count(received, /^POST .*\/password$/);

  test('a login, then a password', async () => {
    const end = await onIndependentService({});
    expect(end.code, end.stdout + end.stderr).toBe(0);
    expect(end.written().signIn).toEqual({
      form: 'input[name="login"]',
      steps: [
        { fill: 'input[name="login"]', with: 'login' },
        { click: { button: 'Next' } },
        { fill: 'input[name="passwd"]', with: 'password' },
        { click: { button: 'Sign in' } },
      ],
    });
    expect(end.written().consent).toMatchObject({
      grant: { button: 'Allow access' },
      deny: { button: 'No, thanks' },
    });
    expect(passwords(end)).toBe(2);
    expect(count(end.received, /^POST .*\/consent$/)).toBe(0);
  });

  test('and no consent page: the steps are written, and the buttons are asked for', async () => {
    const end = await onIndependentService({ INDEPENDENT_SERVICE_CONSENT: 'never' });
    expect(end.stdout).toMatch(/FAIL +consent +no consent page was shown/);
    expect(end.stdout).toContain('set `consent.shown` to "never"');
    expect(end.written().signIn.steps).toHaveLength(4);
    expect(end.code).toBe(3);
  });

  test('a login that the service does not know, typed once', PROVE, async () => {
    const owner = { login: 'stranger@example.test', password: { env: 'STAGING_PASSWORD' } };
    const end = await onIndependentService({}, () => ({ owner }));
    expect(end.stdout).toMatch(
      /FAIL +sign-in +signing in led to no .*which says "We know nobody by that name\."/,
    );
    expect(count(end.received, /^POST .*\/identifier$/)).toBe(1);
    expect(end.code).toBe(3);
  });

  test('a one-time code without a secret is asked for by its key', async () => {
    const end = await onIndependentService({ INDEPENDENT_SERVICE_TOTP_SECRET: TOTP });
    expect(end.stdout).toMatch(
      /FAIL +sign-in +the sign-in page asks for a one-time code, .* `owner\.totpSecret` is missing/,
    );
    expect(end.stdout).toContain('for example {"env":"STAGING_TOTP_SECRET"}');
    expect(passwords(end)).toBe(1);
    expect(end.code).toBe(3);
  });

  // The second sign-in waits for the next code, up to 30 s.
  test('a one-time code, on pages of another origin that is trusted', PROVE, async () => {
    const end = await onIndependentService(
      { INDEPENDENT_SERVICE_TOTP_SECRET: TOTP, INDEPENDENT_SERVICE_TWO_ORIGINS: '1' },
      ({ owner, pagesUrl }) => ({
        owner: { login: owner.login, password: { env: 'STAGING_PASSWORD' }, totpSecret: { env: 'TOTP' } },
        signIn: { origins: [pagesUrl] },
      }),
    );
    expect(end.code, end.stdout + end.stderr).toBe(0);
    expect(end.written().signIn).toMatchObject({ origins: [end.ready.pagesUrl] });
    expect(end.written().signIn.steps?.slice(4)).toEqual([
      { fill: 'input[name="otp"]', with: 'totp' },
      { click: { button: 'Go on' } },
    ]);
  });
});
