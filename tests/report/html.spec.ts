import { expect, type Page, test } from '@playwright/test';
import { renderHtml } from '../../src/report/html/render.ts';
import type { Results } from '../../src/report/results.ts';
import { aCatalogueOf, anExchange, aResult, aRun, aStep, aTarget } from '../support/results-builder.ts';

const HOSTILE = `</pre></script><script>window.pwned = 1</script><img src="http://127.0.0.1:9/x" onerror="window.pwned = 1">`;

/** One result of each kind, with evidence, and everything else that a page can show. */
function richRun(text = 'as usual'): Results {
  const exchange = anExchange({ order: 2, purpose: text });
  const evidence = [
    aStep({ purpose: 'open the authorization address', url: text, detail: text }),
    {
      ...exchange,
      request: {
        ...exchange.request,
        url: `http://127.0.0.1:4010/${text}`,
        headers: [[text, text] as const],
        body: text,
      },
      response: {
        status: 200,
        headers: [[text, text] as const],
        body: `${text} <refresh_token#7>`,
        bytes: 12,
      },
      validation: { schema: text, valid: false, errors: [text] },
    },
  ];
  return aRun(
    [
      aResult('authorize.redirects-with-code', 'pass', { clause: '4.1', evidence }),
      aResult('authorize.grant-needed', 'not-applicable', { clause: '4.1', missing: ['fresh-consent'] }),
      aResult('exchange.code-single-use', 'fail', { reason: text, signature: text, evidence }),
      aResult('exchange.requires-code', 'blocked', { blockedBy: 'exchange.code-single-use', reason: text }),
      aResult('token.not-cacheable', 'warning', { level: 'standard', reason: text }),
      aResult('token.no-5xx', 'not-run', { level: 'standard', reason: text }),
      aResult('refresh.chain', 'known-deviation', { clause: '4.3', reason: text }),
    ],
    {
      target: aTarget({ name: text, defects: [text], abilities: [text] }),
      observations: [{ openPoint: 'paging', aspect: text, answer: { seen: text }, seenBy: 'refresh.chain' }],
      findings: [{ kind: 'stale-deviation', requirement: text, message: text }],
      troubles: [{ kind: 'inconclusive', message: text }],
      leftBehind: [text],
    },
  );
}

async function open(page: Page, results: Results): Promise<void> {
  await page.setContent(renderHtml(results, aCatalogueOf(results)));
}

const row = (page: Page, id: string) => page.locator('details.r', { has: page.locator(`[id="${id}"]`) });
const inside = (page: Page, id: string) => page.locator(`[id="${id}"]`);

test('the verdict, honest totals and reasons come first', async ({ page }) => {
  await open(page, richRun());
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Violates');
  await expect(page.locator('header')).toContainText(
    '1 of 4 passed, 1 failed, 1 warning, 1 known deviation, 1 blocked, 1 not applicable (needs fresh-consent), 1 not run',
  );
  await expect(page.locator('header')).toContainText('1 requirement failed: exchange.code-single-use');
  await expect(page.locator('header')).toContainText('Meant to fail: the emulator carries');
  await expect(page).toHaveTitle(/^violates: /);
});

test('a failure is told in this order: what must hold, why it matters, what came', async ({ page }) => {
  const run = aRun([aResult('list.fresh', 'fail', { reason: 'expected `7200`; got `7199`' })]);
  const catalogue = aCatalogueOf(run);
  const explained = catalogue.clauses.map((clause) => ({
    ...clause,
    requirements: clause.requirements.map((requirement) => ({
      ...requirement,
      statement: 'A list shows what was `changed`.',
      why: 'Clients act on old lists.',
      how: 'By reading.',
    })),
  }));
  await page.setContent(renderHtml(run, { ...catalogue, clauses: explained }));
  const item = page.locator('.look li');
  await expect(item).toHaveText(
    /Fail list\.fresh Clause 4\.2, documented\s+Demanded\s*A list shows what was changed\.\s*Why it matters\s*Clients act on old lists\.\s*Seen\s*Expected 7200; got 7199/,
  );
  await expect(item.locator('code')).toHaveText(['changed', '7200', '7199']);
});

/** A client whose own tests leave two requirements out. */
function clientRun(): Results {
  const broken = {
    reason: 'code#1 sent twice\nafter a reload',
    effect: 'A user signs in again.',
    fix: ['Send a code once.', 'Then redirect.'],
  };
  return aRun(
    [
      aResult('code.sent-once', 'fail', broken),
      aResult('callback.reload', 'warning', { level: 'standard', ...broken }),
      aResult('state.checked', 'warning', { level: 'standard', ...broken }),
      aResult('pair.survives-restart', 'not-exercised', { reason: 'a restart shows it', missing: ['app'] }),
      aResult('denial.no-token-request', 'not-exercised', { reason: 'deny once' }),
    ],
    {
      subject: 'client',
      client: { name: 'pytest', driven: 'own-tests', requests: 5, situations: [] },
    },
  );
}

test('the fix of a finding, or else what was seen, has the strongest contrast; each label stands apart from its text', async ({
  page,
}) => {
  await open(page, clientRun());
  const item = page.locator('.look li').first();
  await expect(item.locator('dt')).toHaveText(['Demanded', 'Seen', 'Effect', 'Fix']);
  await expect(item.locator('dd').nth(1)).toHaveText('code#1 sent twice\nAfter a reload');
  await expect(item.locator('dd').last()).toHaveText('Send a code once.\nThen redirect.');
  const colours = await item
    .locator('dd')
    .evaluateAll((all) => [document.body, ...all].map((one) => getComputedStyle(one).color));
  expect(colours.at(-1)).toBe(colours[0]);
  expect(new Set(colours.slice(1, -1)).has(colours[0] ?? '')).toBe(false);
  await open(page, richRun());
  const seen = page.locator('.look dl').first().locator('dd').last();
  expect(await seen.evaluate((one) => getComputedStyle(one).color)).toBe(colours.at(-1));
  await open(page, clientRun());
  const lefts = await item
    .locator('dd, dt')
    .evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().left)));
  expect(new Set(lefts).size).toBe(2);
});

test('a table names what was not exercised, what would do it, and what only --app shows', async ({
  page,
}) => {
  const run = clientRun();
  await open(page, run);
  const table = page.getByRole('region', { name: 'Not exercised' }).getByRole('row');
  await expect(table).toHaveText([
    /Requirement\s*To exercise it\s*Only with --app/,
    /denial\.no-token-request\s*Deny once\s*$/,
    /pair\.survives-restart\s*A restart shows it\s*Only with --app/,
  ]);
});

test('the report does not send its reader to the report', async ({ page }) => {
  for (const run of [clientRun(), richRun()]) {
    await open(page, run);
    await expect(page.locator('main')).not.toContainText(/the report|--verbose|legacy-conformance explain/);
  }
});

test('an inconclusive run has a sign that no requirement has', async ({ page }) => {
  const troubles = [{ kind: 'inconclusive' as const, message: 'the service did not answer' }];
  await open(page, aRun([aResult('list.fresh', 'not-run', { reason: 'no answer' })], { troubles }));
  const signs = await page.locator('use').evaluateAll((all) => all.map((one) => one.getAttribute('href')));
  expect(signs.filter((one) => one === '#g-inconclusive')).toHaveLength(1);
  await expect(page.locator('h1 use')).toHaveAttribute('href', '#g-inconclusive');
  await expect(page.locator('#g-inconclusive')).toHaveCount(1);
});

test('of an inconclusive run the cause stands first', async ({ page }) => {
  const troubles = [{ kind: 'inconclusive' as const, message: 'the service did not answer' }];
  await open(page, aRun([aResult('list.fresh', 'not-run', { reason: 'no answer' })], { troubles }));
  await expect(page.locator('.because li').first()).toHaveText('Because the service did not answer');
});

test('a partial run says so', async ({ page }) => {
  await open(page, aRun([aResult('a.a')], { selection: 'partial' }));
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Conforms (partial)');
});

test('a sign of the matrix names its requirement and result, and opens its row', async ({ page }) => {
  await open(page, richRun());
  const row = inside(page, 'exchange.code-single-use');
  await expect(row).toBeHidden();
  const sign = page.locator('.cells a[href="#exchange.code-single-use"]');
  // As text, because build servers may strip the styles.
  await expect(sign).toHaveText('exchange.code-single-use: failed');
  await sign.click();
  await expect(row).toContainText('statement of exchange.code-single-use');
  await expect(row).toBeInViewport();
});

test('a failed row opens with its decisive exchange open, a passed one with all closed', async ({ page }) => {
  await open(page, richRun());
  const failed = inside(page, 'exchange.code-single-use');
  await row(page, 'exchange.code-single-use').locator('summary').first().click();
  await expect(failed.getByText('Request', { exact: true })).toBeVisible();
  await expect(failed.locator('pre').last()).toContainText('refresh_token#7');
  const passed = inside(page, 'authorize.redirects-with-code');
  await row(page, 'authorize.redirects-with-code').locator('summary').first().click();
  await expect(passed.getByText('open the authorization address')).toBeVisible();
  await expect(passed.getByText('Request', { exact: true })).toBeHidden();
});

test('a pass has its exchanges in the middle in one line each', async ({ page }) => {
  const evidence = Array.from({ length: 12 }, (_, index) => anExchange({ order: index + 1 }));
  await open(page, aRun([aResult('a.a', 'pass', { evidence })]));
  await expect(row(page, 'a.a').locator('.seq > li')).toHaveCount(12);
  await expect(row(page, 'a.a').locator('details.x')).toHaveCount(4);
});

test('each requirement has an address of its own, which its opened row shows', async ({ page }) => {
  await open(page, richRun());
  await row(page, 'refresh.chain').locator('summary').first().click();
  await inside(page, 'refresh.chain').getByRole('link', { name: 'to this requirement' }).click();
  expect(new URL(page.url()).hash).toBe('#refresh.chain');
});

test('everything works by keyboard alone', async ({ page }) => {
  await open(page, richRun());
  const until = async (wanted: string) => {
    for (let presses = 0; presses < 60; presses += 1) {
      await page.keyboard.press('Tab');
      const focused = await page.evaluate(() => document.activeElement?.textContent?.trim() ?? '');
      if (focused.includes(wanted)) return;
    }
    throw new Error(`no Tab leads to ${wanted}`);
  };
  await until('authorize.redirects-with-code');
  const ring = await page.locator(':focus').evaluate((one) => getComputedStyle(one).outlineStyle);
  expect(ring).not.toBe('none');
  await page.keyboard.press('Enter');
  await expect(inside(page, 'authorize.redirects-with-code')).toBeVisible();
});

test('hostile answers stay text, run nothing and fetch nothing', async ({ page }) => {
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  await open(page, richRun(HOSTILE));
  for (const summary of await page.locator('details.r > summary').all()) await summary.click();
  await expect(inside(page, 'exchange.code-single-use').locator('pre').last()).toContainText(HOSTILE);
  expect(await page.evaluate(() => 'pwned' in window)).toBe(false);
  expect(await page.locator('img, iframe, script').count()).toBe(0);
  expect(requests.filter((url) => !url.startsWith('data:'))).toEqual([]);
});

test('the policy stops a script even where escaping failed', async ({ page }) => {
  const results = richRun();
  const html = renderHtml(results, aCatalogueOf(results));
  await page.setContent(html.replace('<main>', '<main><script>window.pwned = 1</script>'));
  expect(await page.evaluate(() => 'pwned' in window)).toBe(false);
});

test('everything is visible in print, and closed again afterwards', async ({ page }) => {
  await open(page, richRun());
  await page.emulateMedia({ media: 'print' });
  await expect(
    inside(page, 'authorize.redirects-with-code').getByText('Request', { exact: true }),
  ).toBeVisible();
  await page.emulateMedia({ media: 'screen' });
  await expect(inside(page, 'authorize.redirects-with-code')).toBeHidden();
});

test('the colours follow the system', async ({ page }) => {
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await page.emulateMedia({ colorScheme: 'dark' });
  await open(page, richRun());
  const dark = await background();
  await page.emulateMedia({ colorScheme: 'light' });
  expect(await background()).not.toBe(dark);
});

test('nothing is wider than a phone', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await open(page, richRun(`${'x'.repeat(300)} and the rest`));
  for (const summary of await page.locator('details.r > summary').all()) await summary.click();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
});

test('a clause links to its section, and a numbered item without one is text', async ({ page }) => {
  const results = richRun();
  const view = aCatalogueOf(results);
  const clauses = view.clauses.map((clause) => ({
    ...clause,
    requirements: clause.requirements.map((one) => ({ ...one, clauses: [...one.clauses, '5.2'] })),
  }));
  await page.setContent(renderHtml(results, { ...view, clauses }));
  const dead = await page
    .locator('a[href^="#clause-"]')
    .evaluateAll((links) =>
      links
        .map((link) => link.getAttribute('href') ?? '')
        .filter((href) => !document.getElementById(href.slice(1))),
    );
  expect(dead).toEqual([]);
  await expect(inside(page, 'refresh.chain')).toContainText('4.3, 5.2');
  await expect(inside(page, 'refresh.chain').locator('a[href="#clause-4.3"]')).toHaveCount(1);
});

test('open points show what was seen, and name what was not', async ({ page }) => {
  await open(page, richRun());
  await expect(page.getByRole('row', { name: 'as usual {"seen":"as usual"} refresh.chain' })).toBeVisible();
  await expect(page.getByText('how the token is presented')).toBeVisible();
  await expect(page.getByText('Not observed in this run')).toBeVisible();
});

test('what was not selected shows in the matrix as neither', async ({ page }) => {
  const results = aRun([aResult('a.a')], { selection: 'partial' });
  const level = 'documented' as const;
  const left = { id: 'a.left-out', statement: 's', level, clauses: ['4.2'], needs: [] };
  await page.setContent(renderHtml(results, aCatalogueOf(results, [left])));
  await expect(page.getByTitle('a.left-out: not selected')).toBeVisible();
  await expect(page.getByText('Not selected 1')).toBeVisible();
});
