/** The account area's form for a new application, as services draw it: values in fields, and more fields than two. */
import { type Browser, expect, test } from '@playwright/test';
import type { ConfigurationFile } from '../../../generated/schemas.d.ts';
import { fillField, htmlPage, requestOfClick } from '../../../src/service/agent/html-form.ts';
import { checkLive } from '../../support/check-live.ts';
import { runHere } from '../../support/command-here.ts';
import { ACCOUNT_AREA } from '../../support/emulator-settings.ts';
import { at } from '../../support/faulty-service/faults.ts';
import { rewritten } from '../../support/faulty-service/rewritten.ts';
import { type FaultyService, startFaultyService } from '../../support/faulty-service/service.ts';

let service: FaultyService;

test.beforeAll(async () => {
  service = await startFaultyService();
});
test.afterAll(() => service.close());
test.beforeEach(() => service.reset());

const PAGES = /^(?:GET|POST) \/access-keys/;
const FORM_SENT = 'POST /access-keys/applications';

/** The credentials in the values of fields. */
const inFields = (html: string) => {
  const changed = html.replace(/<code([^>]*)>([^<]*)<\/code>/g, '<input readonly $1 value="$2">');
  return changed === html ? undefined : changed;
};

const MORE = `<label for="about">Description</label><input id="about" name="about" required>
  <label>Type <select name="type" required><option value="">Choose</option><option value="w">Web</option></select></label>
  <label for="terms">Terms</label><input id="terms" type="checkbox" name="terms" required>
  <label><input type="radio" name="plan" value="free" checked>Free</label><label><input type="radio" name="plan" value="paid">Paid</label>
  <label for="news">News</label><input id="news" type="checkbox" name="news" checked>`;
const withMore = (html: string) =>
  html.includes('name="redirect_uris"') ? html.replace('<textarea', `${MORE}<textarea`) : undefined;
const FIELDS: NonNullable<NonNullable<ConfigurationFile['accountArea']>['fields']> = [
  { fill: { label: 'Description' }, with: { text: 'for the suite' } },
  { choose: { label: 'Type' }, option: 'Web' },
  { click: { label: 'Terms' } },
  { click: { label: 'Paid' } },
  { click: { label: 'News' } },
];

async function checked(
  browser?: Browser,
  change: Partial<NonNullable<ConfigurationFile['accountArea']>> = {},
) {
  const accountArea = { ...ACCOUNT_AREA, ...change };
  return checkedWith(accountArea, browser);
}

async function checkedWith(accountArea: NonNullable<ConfigurationFile['accountArea']>, browser?: Browser) {
  const pacing = { requestsPerSecond: 1_000, deadlineMs: 3_000 };
  const change = { pacing, accountArea, abilities: ['create-application' as const] };
  const file = service.configure(test.info().outputPath('live'), change);
  const results = await checkLive(file, {
    only: ['application.account-area'],
    ...(browser && { browser }),
  });
  const { requirements, troubles, exitCode } = results;
  const texts = [...troubles.map(({ message }) => message), ...requirements.map(({ reason }) => reason)];
  return { exitCode, why: texts.join('\n') };
}

for (const how of ['in a browser', 'without a browser'] as const)
  test(`id and secret are read from the values of fields, ${how}`, async ({ browser }) => {
    service.suffer(at(PAGES, rewritten(inFields)));
    const { exitCode, why } = await checked(how === 'in a browser' ? browser : undefined);
    expect(exitCode, why).toBe(0);
  });

for (const how of ['in a browser', 'without a browser'] as const)
  test(`a form on the first page of the account area needs no \`open\`, ${how}`, async ({ browser }) => {
    const { open: _, ...area } = ACCOUNT_AREA;
    const accountArea = { ...area, path: '/access-keys/applications/new' };
    const { exitCode, why } = await checkedWith(accountArea, how === 'in a browser' ? browser : undefined);
    expect(exitCode, why).toBe(0);
  });

test('further fields that the form demands are exit 3, with their names', async ({ browser }) => {
  service.suffer(at(PAGES, rewritten(withMore)));
  const { exitCode, why } = await checked(browser);
  expect(why).toMatch(/`accountArea\.fields` does not complete the form .*Description.*Type.*Terms/s);
  expect(exitCode).toBe(3);
  expect(service.asked).not.toContain(FORM_SENT);
});

for (const how of ['in a browser', 'without a browser'] as const) {
  test(`\`accountArea.fields\` fills, chooses and ticks them, ${how}`, async ({ browser }) => {
    service.suffer(at(PAGES, rewritten(withMore)));
    const { exitCode, why } = await checked(how === 'in a browser' ? browser : undefined, { fields: FIELDS });
    expect(exitCode, why).toBe(0);
  });

  test(`an option that the list lacks is exit 3, with its step, ${how}`, async ({ browser }) => {
    service.suffer(at(PAGES, rewritten(withMore)));
    const fields = [{ choose: { label: 'Type' }, option: 'Desktop' }];
    const { exitCode, why } = await checked(how === 'in a browser' ? browser : undefined, { fields });
    expect(why).toContain('accountArea.fields[0]');
    expect(exitCode).toBe(3);
    expect(service.asked).not.toContain(FORM_SENT);
  });
}

test('without a browser, the form is sent with what the steps filled, chose and ticked', () => {
  const page = htmlPage('http://service.test/', `<form method="post">${MORE}<button>Create</button></form>`);
  expect(FIELDS.map((step) => fillField(page, step, 'key'))).toEqual(FIELDS.map(() => true));
  const button = page.root.querySelector('button');
  expect(button && requestOfClick(page, button)?.body).toBe('about=for+the+suite&type=w&terms=on&plan=paid');
  expect(fillField(page, { click: { label: 'Nothing' } }, 'key')).toBe(false);
});

test('a form that comes again is exit 3', async ({ browser }) => {
  let form = '';
  service.suffer(
    at(
      PAGES,
      rewritten((html) => {
        if (html.includes('name="redirect_uris"')) form = html;
        return html.includes('client-secret') ? `<p role="alert">No type chosen</p>${form}` : undefined;
      }),
    ),
  );
  const { exitCode, why } = await checked(browser);
  expect(why).toContain('`accountArea.fields`');
  expect(why).toContain('which says "No type chosen"');
  expect(exitCode).toBe(3);
});

test('`doctor --walk` creates an application where it may, and names the key that does not fit', async () => {
  const pacing = { requestsPerSecond: 1_000, deadlineMs: 3_000 };
  const doctor = async (accountArea: ConfigurationFile['accountArea']) => {
    const change = { pacing, accountArea, abilities: ['create-application' as const] };
    const { file, env } = service.configure(test.info().outputPath('live'), change);
    return runHere(['doctor', '--target', file, '--walk', '--report', test.info().outputPath('report')], env);
  };
  const good = await doctor(ACCOUNT_AREA);
  expect(good.stdout).toMatch(/ok {4}account area {4}an application was created, and its id and secret/);
  expect(good.stdout).toContain('Left behind: grants, codes and pairs of tokens, and an application.');
  expect(good.code).toBe(0);
  const wrong = await doctor({ ...ACCOUNT_AREA, clientId: '#no-such' });
  expect(wrong.stdout).toMatch(/FAIL {2}account area {4}`accountArea\.clientId`/);
  expect(wrong.code).toBe(3);
});
