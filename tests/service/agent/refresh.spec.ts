/** Pages that lead on by `Refresh`, in the header or as `<meta>`: the form agent follows where a browser does. */
import type { ServerResponse } from 'node:http';
import { expect, test } from '@playwright/test';
import { checkLive } from '../../support/check-live.ts';
import { at, type Fault } from '../../support/faulty-service/faults.ts';
import { type FaultyService, startFaultyService } from '../../support/faulty-service/service.ts';

let service: FaultyService;

test.beforeAll(async () => {
  service = await startFaultyService();
});
test.afterAll(() => service.close());
test.beforeEach(() => service.reset());

function inPlaceOfRedirects(page: (to: string, res: ServerResponse) => string): Fault {
  return async (_req, res, passOn) => {
    const { status, headers, cookies, content } = (await passOn()) as {
      readonly status: number;
      readonly headers: readonly (readonly [string, string])[];
      readonly cookies: readonly string[];
      readonly content: Buffer;
    };
    const to = headers.find(([name]) => name === 'location')?.[1];
    if (to === undefined) for (const [name, value] of headers) res.setHeader(name, value);
    res.setHeader('Set-Cookie', cookies);
    const body = to === undefined ? content : page(to, res);
    res.writeHead(to === undefined ? status : 200).end(body);
    return true;
  };
}

const header = (text: (to: string) => string) =>
  inPlaceOfRedirects((to, res) => {
    res.setHeader('Refresh', text(to)).setHeader('Content-Type', 'text/html');
    return '<h1>One moment</h1>';
  });

const WAYS: Readonly<Record<string, Fault>> = {
  'a header': header((to) => `0; url=${to}`),
  'a header, quoted, with a comma': header((to) => `0,URL="${to}"`),
  'a header without url=': header((to) => `0; ${to}`),
  'a meta element': inPlaceOfRedirects(
    (to) => `<meta http-equiv=Refresh content="0; URL='${to.replaceAll('&', '&amp;')}'"><h1>One moment</h1>`,
  ),
};

async function checked(fault: Fault) {
  service.suffer(at(/ \/oauth\/authorize|sign-in/, fault));
  return checkLive(service.configure(test.info().outputPath('live')), { only: ['exchange.token-response'] });
}

for (const [way, fault] of Object.entries(WAYS))
  test(`${way} in place of every redirect, to the client too`, async () => {
    const { exitCode, troubles, requirements } = await checked(fault);
    const why = JSON.stringify([troubles, requirements.filter(({ id }) => id === 'exchange.token-response')]);
    expect(exitCode, why).toBe(0);
  });

test('a page that leads on in ten minutes is shown', async () => {
  const { exitCode } = await checked(header((to) => `600; url=${to}`));
  expect(exitCode).toBe(3);
});

const PAGES = / \/oauth\/authorize|sign-in|consent|never-answered/;

/** Pages that wait for what never answers. */
const waiting =
  (change: (html: string) => string): Fault =>
  async (req, res, passOn) => {
    if (req.url === '/never-answered') return true;
    const { status, headers, cookies, content } = (await passOn()) as {
      readonly status: number;
      readonly headers: readonly (readonly [string, string])[];
      readonly cookies: readonly string[];
      readonly content: Buffer;
    };
    for (const [name, value] of headers.filter(([one]) => !/^content-(?:security|length)/i.test(one)))
      res.setHeader(name, value);
    res.setHeader('Set-Cookie', cookies);
    res.writeHead(status).end(`${change(content.toString())}<img src="/never-answered">`);
    return true;
  };

test('a browser uses a form although the page waits for what never answers', async ({ browser }) => {
  service.suffer(
    at(
      PAGES,
      waiting((html) => html),
    ),
  );
  const written = service.configure(test.info().outputPath('live'), { pacing: { deadlineMs: 10_000 } });
  const { exitCode, troubles } = await checkLive(written, { only: ['exchange.token-response'], browser });
  expect(exitCode, JSON.stringify(troubles)).toBe(0);
});

test('a page without a form that waits for what never answers did not load', async ({ browser }) => {
  service.suffer(
    at(
      PAGES,
      waiting((html) => html.replaceAll('<input', '<br data-was')),
    ),
  );
  const written = service.configure(test.info().outputPath('live'), { pacing: { deadlineMs: 3_000 } });
  const { exitCode, troubles } = await checkLive(written, { only: ['exchange.token-response'], browser });
  expect(exitCode).toBe(3);
  expect(JSON.stringify(troubles)).toContain('the page did not load within 3000 ms');
});

test('a browser goes on at the redirect of a script, although its page never loads', async ({ browser }) => {
  const page = (to: string) =>
    `<script>location.replace(${JSON.stringify(to)})</script><img src="/never-answered"><h1>One moment</h1>`;
  service.suffer(
    at(
      / \/oauth\/authorize|sign-in/,
      inPlaceOfRedirects((to, res) => {
        res.setHeader('Content-Type', 'text/html');
        return page(to);
      }),
    ),
  );
  const patient = service.configure(test.info().outputPath('live'), { pacing: { deadlineMs: 120_000 } });
  const { exitCode, troubles } = await checkLive(patient, { only: ['exchange.token-response'], browser });
  expect(exitCode, JSON.stringify(troubles)).toBe(0);
});
