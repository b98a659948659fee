import { expect, test } from '@playwright/test';
import { renderHtml } from '../../src/report/html/render.ts';
import { twinOf } from '../../src/report/html/twin.ts';
import type { ExchangeEvidence } from '../../src/report/results.ts';
import { aCatalogueOf, anExchange, aResult, aRun } from '../support/results-builder.ts';

/** The accepted request beside a doubtful one, and the parameters in which they differ. */

function sent(order: number, purpose: string, body: string, answer: string, status = 200): ExchangeEvidence {
  const exchange = anExchange({ order, purpose });
  const headers = [['Content-Type', 'application/x-www-form-urlencoded'] as const];
  return {
    ...exchange,
    request: { method: 'POST', url: 'https://auth.example/oauth/token', headers, body },
    response: { status, headers: [], body: answer, bytes: answer.length },
  };
}

const EXCHANGE = sent(
  1,
  'exchange',
  'grant_type=authorization_code&code=<code#1>&client_id=c',
  '{"access_token":"<access_token#1>","refresh_token":"<refresh_token#1>"}',
);
const TWICE = sent(
  2,
  'exchange with client_id twice',
  'grant_type=authorization_code&code=<code#2>&client_id=c&client_id=c',
  '{"access_token":"<access_token#2>"}',
);
const REFRESH = sent(
  3,
  'refresh',
  'grant_type=refresh_token&refresh_token=<refresh_token#1>',
  '{"error":"x"}',
  400,
);

test('the twin is the accepted request of the same kind that differs in more than its code or token', () => {
  expect(twinOf([EXCHANGE, TWICE, REFRESH], TWICE)).toBe(EXCHANGE);
  // Another code alone is no difference; a refused request is no twin; nor is another grant.
  const again = sent(4, 'exchange', EXCHANGE.request.body?.replace('code#1', 'code#9') ?? '', '{}');
  expect(twinOf([EXCHANGE, again], again)).toBeUndefined();
  expect(
    twinOf([{ ...EXCHANGE, response: { ...EXCHANGE.response, status: 401 } as never }, TWICE], TWICE),
  ).toBeUndefined();
  expect(twinOf([EXCHANGE, REFRESH], REFRESH)).toBeUndefined();
});

test('a failure shows its twin in the page; a pass does not, and its exchanges in the middle in one line', async ({
  page,
}) => {
  const many = Array.from({ length: 12 }, (_, index) =>
    sent(index + 1, `exchange ${index + 1}`, 'grant_type=x', '{}'),
  );
  const results = aRun([
    aResult('exchange.code-single-use', 'fail', { evidence: [EXCHANGE, TWICE] }),
    aResult('exchange.token-response', 'pass', { evidence: many }),
  ]);
  await page.setContent(renderHtml(results, aCatalogueOf(results)).replaceAll('<details', '<details open'));
  const failed = page.locator('details.r[data-result=fail]');
  await expect(failed.locator('.twin')).toContainText('exchange with client_id twice');
  await expect(failed.locator('.twin tr.differs').getByRole('rowheader')).toHaveText([
    'code (differs)',
    'client_id (differs)',
  ]);
  const passed = page.locator('details.r[data-result=pass]');
  await expect(passed.locator('.draw')).toHaveCount(0);
  await expect(passed.locator('.seq > li')).toHaveCount(12);
  await expect(passed.locator('details.x')).toHaveCount(4);
});
