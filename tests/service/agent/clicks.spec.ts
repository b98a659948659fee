/** Names that stand in several buttons, and clicks that lead nowhere: each has a message of its own, and no password is spent. */
import { expect, test } from '@playwright/test';
import type { ConfigurationFile } from '../../../generated/schemas.d.ts';
import { checkLive } from '../../support/check-live.ts';
import { at } from '../../support/faulty-service/faults.ts';
import { type Form, hiddenIn, rewritten, signInPage } from '../../support/faulty-service/rewritten.ts';
import { type FaultyService, startFaultyService } from '../../support/faulty-service/service.ts';

let service: FaultyService;

test.beforeAll(async () => {
  service = await startFaultyService();
});
test.afterAll(() => service.close());
test.beforeEach(() => service.reset());

const SIGN_IN: ConfigurationFile['signIn'] = {
  form: 'input[type=password]',
  steps: [
    { fill: { label: 'Email' }, with: 'login' },
    { fill: { label: 'Password' }, with: 'password' },
    { click: { button: 'Sign in' } },
  ],
  interstitials: [{ button: 'Accept all' }],
};

const script = (text: string) => `<script>${text}</script>`;
const OVERLAY = `<div id="notice" style="position:fixed;inset:0">`;
const FEDERATED = '<form action="/elsewhere"><button>Sign in with Example ID</button></form>';

const PASSES: Readonly<Record<string, (form: Form) => string>> = {
  'another button whose name begins alike': (form) => FEDERATED + form(),
  'a link whose name begins alike': (form) => `<a href="/help">Sign in help</a>${form()}`,
  'a button that has the label of the field': (form) =>
    `<button type="button" aria-label="Show password">eye</button>${form()}`,
  'a name of which the step has a part': (form) => form('<button>Sign in now</button>'),
  'the form for telephones, hidden, first': (form) =>
    `<div style="display:none">${form().replace(/(id|for)="/g, '$1="m-')}</div>${form()}`,
};
const PASSES_IN_BROWSERS: typeof PASSES = {
  'a notice over the form': (form) =>
    `${form()}${OVERLAY}<button onclick="this.parentNode.remove()">Accept all</button></div>`,
  'a button without its script at first': (form) =>
    form('<button type="button" id="b">Sign in</button>') +
    script('setTimeout(() => { b.onclick = () => f.submit(); }, 600)'),
  'a button that says so while the form stays': (form) =>
    form() +
    script(`f.onsubmit = async (e) => { e.preventDefault(); const body = new URLSearchParams(new FormData(f));
      f.querySelector('button').textContent = 'Signing in…';
      await fetch('/sign-in', { method: 'POST', body, redirect: 'manual' });
      setTimeout(() => location.assign(f.return_to.value), 700); }`),
};

/** A deadline that a page which leads on does not meet on a busy machine. */
const DEADLINE_MS = { 'leads on': 6_000, 'leads nowhere': 1_500 } as const;

function configured(end: keyof typeof DEADLINE_MS, change: Partial<ConfigurationFile> = {}) {
  const pacing = { requestsPerSecond: 1_000, deadlineMs: DEADLINE_MS[end] };
  return service.configure(test.info().outputPath('live'), { signIn: SIGN_IN, pacing, ...change });
}

const only = ['version.prefix'];

test.describe('gets through', () => {
  for (const [what, around] of Object.entries({ ...PASSES, ...PASSES_IN_BROWSERS }))
    test(`${what}, in a browser`, async ({ browser }) => {
      service.suffer(at(/^GET \/(?:oauth|sign-in)/, rewritten(signInPage(around))));
      const { exitCode, troubles } = await checkLive(configured('leads on'), { only, browser });
      expect(troubles).toEqual([]);
      expect(exitCode).toBe(0);
    });
  for (const [what, around] of Object.entries(PASSES))
    test(`${what}, without a browser`, async () => {
      service.suffer(at(/^GET \/(?:oauth|sign-in)/, rewritten(signInPage(around))));
      const { exitCode, troubles } = await checkLive(configured('leads on'), { only });
      expect(troubles).toEqual([]);
      expect(exitCode).toBe(0);
    });
});

const SEVERAL = (form: Form) =>
  form(
    '<button name="by" value="1">Sign in by mail</button><button name="by" value="2">Sign in by key</button>',
  );

const AMBIGUOUS =
  /^authorize: signIn\.steps\[2\]: no element is called "Sign in", .*: "Sign in by mail", "Sign in by key";/;

const NOWHERE: Readonly<Record<string, readonly [(form: Form) => string, RegExp, sends: number]>> = {
  'several names with this part': [SEVERAL, AMBIGUOUS, 0],
  'a notice that nothing closes': [
    (form) => `${form()}${OVERLAY}We like cookies</div>`,
    /signIn\.steps\[2\]: <div id="notice"> covers the button.*"We like cookies".*`signIn\.interstitials`/,
    0,
  ],
  'a disabled button': [
    (form) => form('<button disabled>Sign in</button>'),
    /steps\[2\]: .* stays disabled/,
    0,
  ],
  'a button without a script': [
    (form) => form('<button type="button">Sign in</button>'),
    /steps\[2\], at .*: two clicks sent nothing within 1500 ms: the page's script does not listen, or not yet/,
    0,
  ],
  'a field that the page demands': [
    (form) => form('<label>Tenant <input required id="tenant"></label><button>Sign in</button>'),
    /steps\[2\], at .*: the page sends nothing before it has "Tenant" \(#tenant\)/,
    0,
  ],
  'an answer that the page keeps to itself': [
    (form) =>
      form() +
      script(`f.onsubmit = (e) => { e.preventDefault(); fetch('/kept', { method: 'POST' });
        f.insertAdjacentHTML('afterend', '<p role="alert">No such owner</p>'); }`),
    /steps\[2\], at .* which says "No such owner": the click sent POST 127\.0\.0\.1:\d+\/kept, and no other page/,
    0,
  ],
  'another window': [
    (form) => form(undefined, 'target="_blank"'),
    /opened another window .*`signIn\.module`/,
    1,
  ],
  'a form in a frame': [
    (form) => `<iframe srcdoc="${form(undefined, 'target="_top"').replaceAll('"', '&quot;')}"></iframe>`,
    /the form stands in a frame \(srcdoc\), which steps do not reach.*`signIn\.module`/,
    0,
  ],
};

function passwordsSent(): number {
  return service.asked.filter((one) => one === 'POST /sign-in').length;
}

test.describe('exit 3, and why:', () => {
  for (const [what, [around, why, sends]] of Object.entries(NOWHERE))
    test(what, async ({ browser }) => {
      service.suffer(at(/^GET \/(?:oauth|sign-in)/, rewritten(signInPage(around))));
      const { exitCode, troubles } = await checkLive(configured('leads nowhere'), { only, browser });
      expect(troubles.map(({ message }) => message).join('\n')).toMatch(why);
      expect(exitCode).toBe(3);
      expect(passwordsSent()).toBe(sends);
    });

  test('several names with this part, without a browser', async () => {
    service.suffer(at(/^GET \/(?:oauth|sign-in)/, rewritten(signInPage(SEVERAL))));
    const { exitCode, troubles } = await checkLive(configured('leads nowhere'), { only });
    expect(troubles.map(({ message }) => message).join('\n')).toMatch(AMBIGUOUS);
    expect(exitCode).toBe(3);
    expect(passwordsSent()).toBe(0);
  });

  test("a consent page whose policy forbids the client's address", async ({ browser }) => {
    const own = (html: string) => (html.includes('value="grant"') ? html : undefined);
    const policy = { 'Content-Security-Policy': "form-action 'self'" };
    service.suffer(at(/^GET \/oauth/, rewritten(own, policy)));
    const { exitCode, troubles } = await checkLive(configured('leads nowhere'), { only, browser });
    expect(troubles.map(({ message }) => message).join('\n')).toMatch(
      /consent\.grant, at .*\(`form-action`\) .* users of Chromium cannot finish either.*redirect addresses there/,
    );
    expect(exitCode).toBe(3);
  });
});

/** A consent page with these buttons, in the order in which they stand. */
const consentWith = (...[first, second]: readonly (readonly [decision: string, name: string])[]) =>
  rewritten((html) => {
    if (!html.includes('value="grant"')) return undefined;
    const buttons = [first, second].map(
      (one) => `<button name="decision" value="${one?.[0]}">${one?.[1]}</button>`,
    );
    return `<!doctype html><form method="post" action="/oauth/authorize">${hiddenIn(html)}${buttons.join(' ')}</form>`;
  });

for (const how of ['in a browser', 'without a browser'] as const)
  test.describe(`consent, ${how}`, () => {
    const consent = { grant: { button: 'Allow' }, deny: { button: "Don't allow" }, shown: 'once' } as const;

    test('the button that grants is not the one that contains its name', async ({ browser }) => {
      service.suffer(at(/^GET \/oauth/, consentWith(['deny', "Don't allow"], ['grant', 'Allow'])));
      const file = configured('leads on', { consent });
      const { exitCode } = await checkLive(file, { only, ...(how === 'in a browser' && { browser }) });
      expect(exitCode).toBe(0);
    });

    test('no button is clicked for a part of its name', async ({ browser }) => {
      service.suffer(at(/^GET \/oauth/, consentWith(['deny', "Don't allow"], ['grant', 'Permit'])));
      const file = configured('leads nowhere', { consent: { ...consent, settleMs: 300 } });
      const results = await checkLive(file, { only, ...(how === 'in a browser' && { browser }) });
      expect(results.exitCode).toBe(3);
      expect(service.asked).not.toContain('POST /oauth/authorize');
    });
  });
