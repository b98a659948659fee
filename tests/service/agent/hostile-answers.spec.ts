/**
 * For any answer of a service a run ends with exit 3 or a proper verdict, in bounded time and memory.
 * `npm test` runs the first row of each table in `tests/support/hostile/answers.ts`, `npm run prove` all.
 */
import { type Browser, expect, test } from '@playwright/test';
import { checkLive } from '../../support/check-live.ts';
import { at } from '../../support/faulty-service/faults.ts';
import { type FaultyService, startFaultyService } from '../../support/faulty-service/service.ts';
import { type HostileAnswers, LISTS, PAGES, TOKENS } from '../../support/hostile/answers.ts';
import { firstInTest } from '../../support/prove.ts';
import { browserFor } from '../../support/run/browser-for.ts';

/** Milliseconds; the shorter, the sooner this file is through. With the ten seconds of a real run everything takes that much longer. */
const DEADLINE_MS = 1_500;

let service: FaultyService;
let browser: Browser | undefined;

test.describe.configure({ mode: 'default', timeout: 240_000 });
test.beforeAll(async () => {
  service = await startFaultyService();
});
test.afterAll(async () => {
  await browser?.close();
  await service.close();
});
test.beforeEach(() => service.reset());

/** A browser as runs start it; a new one where a row has ended the last. */
async function ownBrowser(): Promise<Browser> {
  if (browser?.isConnected()) return browser;
  browser = await browserFor(service.settings);
  return browser;
}

function rows(
  title: string,
  pattern: RegExp,
  answers: HostileAnswers,
  inTest: number,
  inBrowser: boolean,
): void {
  for (const [[name, row], details] of firstInTest(Object.entries(answers), inTest)) {
    const [fault, exit] = typeof row === 'function' ? [row, 3] : row;
    test(`${title}: ${name} is exit ${exit}`, details, async () => {
      const written = service.configure(test.info().outputPath('live'), {
        pacing: { requestsPerSecond: 1_000, deadlineMs: DEADLINE_MS },
      });
      const used = inBrowser ? await ownBrowser() : undefined;
      service.suffer(at(pattern, fault));
      const results = await checkLive(written, {
        only: ['version.prefix', 'exchange.token-response', 'refresh.token-response'],
        ...(used === undefined ? {} : { browser: used }),
      });
      const why = results.troubles.map(({ kind, message }) => `${kind}: ${message}`).join('\n');
      expect(why).not.toContain('broken');
      expect(results.exitCode, why).toBe(exit);
    });
  }
}

rows('pages', /^(?:GET|POST) \/(?:oauth\/authorize|somewhere)/, PAGES, 1, true);
rows('form agent', /^(?:GET|POST) \/(?:oauth\/authorize|somewhere)/, PAGES, 3, false);
rows('tokens', /^POST \/oauth\/token/, TOKENS, 3, false);
rows('list', /^GET \/v2\//, LISTS, 2, false);
