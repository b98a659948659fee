/** A page that allocates memory without end: Chromium's own limit ends its process, and the run names that. */
import { type Browser, expect, test } from '@playwright/test';
import { endBrowser } from '../../../src/service/agent/browser/start-chromium.ts';
import { checkLive } from '../../support/check-live.ts';
import { answer, at } from '../../support/faulty-service/faults.ts';
import { type FaultyService, startFaultyService } from '../../support/faulty-service/service.ts';
import { browserFor } from '../../support/run/browser-for.ts';

const GROW = 'const all = []; for (;;) all.push(new Array(1e5).fill(all.length + 0.5));';

const FORM =
  '<form method=post action="/sign-in"><input name=email><input name=password type=password><button>Sign in</button></form>';

const PAGES = {
  'while it loads': `<script>${GROW}</script>`,
  'once something is typed': `${FORM}<script>document.addEventListener('input', () => { ${GROW} })</script>`,
  'once the form is sent': `${FORM}<script>document.addEventListener('submit', () => { ${GROW} })</script>`,
};

let service: FaultyService;
let browser: Browser;

test.describe.configure({ mode: 'default', timeout: 120_000 });
test.beforeAll(async () => {
  service = await startFaultyService();
  browser = await browserFor(service.settings);
});
test.afterAll(async () => {
  await endBrowser(browser);
  await service.close();
});

for (const [when, page] of Object.entries(PAGES))
  test(`a page that takes memory without end ${when} is named, exit 3`, async () => {
    service.reset();
    service.suffer(at(/^(?:GET|POST) \/(?:oauth\/authorize|sign-in)/, answer(200, `<!doctype html>${page}`)));
    const written = service.configure(test.info().outputPath('live'), {
      pacing: { requestsPerSecond: 1_000, deadlineMs: 10_000 },
    });
    const results = await checkLive(written, { only: ['exchange.token-response'], browser });
    const why = results.troubles.map(({ message }) => message).join('\n');
    expect([results.exitCode, why]).toEqual([3, expect.stringContaining("the page's process crashed")]);
    expect(why).toContain('/oauth/authorize was opened: its scripts need more than 512 MB of memory');
    expect(why).not.toMatch(/within \d+ ms/);
  });
