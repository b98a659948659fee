import { expect, type Page, test } from '@playwright/test';
import axe from 'axe-core';
import { verificationListing } from '../../src/contracts/verification-listing.ts';
import { concludeVerification } from '../../src/contracts/verify/outcome.ts';
import { comparisonListing } from '../../src/report/compare/changes.ts';
import { listingPage } from '../../src/report/html/listing-page.ts';
import { renderHtml } from '../../src/report/html/render.ts';
import { everyPage } from '../support/emulator-pages.ts';
import { firstInTest } from '../support/prove.ts';
import { aCatalogueOf, anExchange, aResult, aRun, aStep, aTarget } from '../support/results-builder.ts';

/** Every page that people see, by the rules of axe-core, at three widths, in light and in dark. */

/** Each width in one of the two: what a width changes is the arrangement, what a scheme changes the colours. */
const VIEWS = [
  [360, 'light'],
  [800, 'dark'],
  [1400, 'light'],
] as const;

/** A run with every kind of result, opened evidence and long texts. */
function report(): string {
  const long = 'a-word-that-no-line-has-room-for-'.repeat(8);
  const evidence = [
    aStep({ purpose: 'open the authorization address', url: `https://auth.example/${long}`, detail: long }),
    anExchange({ order: 2, purpose: `exchange the code ${long}` }),
  ];
  const run = aRun(
    [
      aResult('authorize.redirects-with-code', 'pass', { clause: '4.1', evidence }),
      aResult('exchange.code-single-use', 'fail', { reason: long, evidence }),
      aResult('exchange.requires-code', 'blocked', { blockedBy: 'exchange.code-single-use' }),
      aResult('token.not-cacheable', 'warning', { level: 'standard' }),
      aResult('token.no-5xx', 'not-run', { level: 'standard' }),
      aResult('refresh.chain', 'known-deviation', { clause: '4.3' }),
      aResult('authorize.grant-needed', 'not-applicable', { clause: '4.1', missing: ['fresh-consent'] }),
    ],
    {
      target: aTarget({ name: 'staging', defects: ['exchange-code-reusable'] }),
      observations: [
        { openPoint: 'paging', aspect: 'size', answer: { seen: long }, seenBy: 'refresh.chain' },
      ],
      findings: [{ kind: 'stale-deviation', requirement: 'refresh.chain', message: 'passes now' }],
    },
  );
  return renderHtml(run, aCatalogueOf(run)).replaceAll('<details class="r"', '<details open class="r"');
}

/** A comparison with every kind of change and long texts. */
function comparison(): string {
  const long = 'a-word-that-no-line-has-room-for-'.repeat(8);
  const kinds = ['broke', 'stopped', 'changed', 'started', 'healed'] as const;
  return listingPage(
    comparisonListing({
      of: 'profiles',
      before: `profile ${long}`,
      after: 'staging, observed 2026-11-22',
      changes: kinds.map((kind, index) => ({
        kind,
        what: `token-failures.${kind}`,
        about: 'Exchange of a code used before?',
        breaks: index % 2 === 0 ? 'likely' : 'unlikely',
        before: long,
        after: 'accepted',
      })),
      same: 130,
      notes: [`two targets: ${long}`],
    }),
  );
}

/** A verification with every kind of outcome and long texts. */
function verification(): string {
  const long = 'a-word-that-no-line-has-room-for-'.repeat(8);
  const results = ['verified', 'failed', 'not-run'] as const;
  const interactions = results.flatMap((result) =>
    [false, true].map((pending) => ({
      description: `${result} ${long}`,
      states: ['a code was granted', long],
      result,
      pending,
      reasons: result === 'verified' ? [] : [`the body at $.expires_in: ${long}`],
      mismatches: [],
      durationMs: 12,
    })),
  );
  const pact = {
    source: `pacts/${long}.json`,
    consumer: 'shop',
    provider: 'api',
    warnings: [long],
    interactions,
  };
  const pacts = (['counts', 'pending'] as const).map((standing) => ({
    ...pact,
    standing,
    why: [long],
  }));
  const verified = { pacts, troubles: [] };
  return listingPage(verificationListing(verified, concludeVerification(verified), [long]));
}

async function violations(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  return page.evaluate(async () => {
    const inPage = window as unknown as {
      axe: {
        run(): Promise<{ violations: { id: string; help: string; nodes: { html: string }[] }[] }>;
      };
    };
    const { violations: found } = await inPage.axe.run();
    return found.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes[0]?.html.slice(0, 200)}`);
  });
}

/** True if a reader must scroll sideways to read a line. */
const tooWide = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth + 1);

for (const [[name, markup], details] of [
  ...firstInTest(
    Object.entries(everyPage('Photo Sync')).map(
      ([page, text]) => [`the emulator's page ${page}`, text] as const,
    ),
    1,
  ),
  ...firstInTest(
    [
      ['the report', report()],
      ['the page of a comparison', comparison()],
      ['the page of a verification', verification()],
    ] as const,
    1,
  ),
]) {
  test(`${name}: no violation, and no line wider than the window`, details, async ({ page }) => {
    const wrong: string[] = [];
    for (const [width, colorScheme] of VIEWS) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      await page.setContent(markup);
      const where = `${width} pixels, ${colorScheme}`;
      if (await tooWide(page)) wrong.push(`${where}: a line is wider than the window`);
      wrong.push(...(await violations(page)).map((text) => `${where}: ${text}`));
    }
    expect(wrong).toEqual([]);
  });
}

test('the pages of a comparison and of a verification have no dead link', async ({ page }) => {
  for (const markup of [comparison(), verification()]) {
    await page.setContent(markup);
    const dead = await page
      .locator('a[href^="#"]')
      .evaluateAll(
        (links) =>
          links.filter((link) => !document.getElementById(link.getAttribute('href')?.slice(1) ?? '')).length,
      );
    expect(dead).toBe(0);
  }
});
