/** A form that the browser would send once more: to the client it must not be, whichever form it was; within the service it may. */
import type { ServerResponse } from 'node:http';
import { type Browser, expect, test } from '@playwright/test';
import { checkLive, idsWith } from '../../support/check-live.ts';
import { at, type Fault } from '../../support/faulty-service/faults.ts';
import { type FaultyService, startFaultyService } from '../../support/faulty-service/service.ts';

const NO_307 = 'authorize.no-307';

interface Answered {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly cookies: readonly string[];
  readonly content: Buffer;
}

let service: FaultyService;

test.beforeAll(async () => {
  service = await startFaultyService();
});
test.afterAll(() => service.close());

/** The result of `authorize.no-307` where the owner has granted before, so that no consent page is shown. */
async function resultWith(fault: Fault, browser?: Browser): Promise<string> {
  service.reset();
  const configuration = service.configure(test.info().outputPath('live'));
  await checkLive(configuration, { only: ['version.prefix'] });
  service.suffer(fault);
  const results = await checkLive(configuration, { only: [NO_307], ...(browser && { browser }) });
  expect(results.troubles).toEqual([]);
  return (
    ['pass', 'warning', 'not-applicable'].find((one) => idsWith(results, one).includes(NO_307)) ?? 'other'
  );
}

const locationOf = ({ headers }: Answered) => headers.find(([name]) => name === 'location')?.[1] ?? '';

function redirect(res: ServerResponse, status: number, location: string, cookies: readonly string[]): true {
  res.writeHead(status, { Location: location, 'Set-Cookie': [...cookies] }).end();
  return true;
}

/** The sign-in form leads straight to the client, with this status. */
const straight = (status: number): Fault =>
  at(/^POST \/sign-in/, async (_req, res, passOn) => {
    const signedIn = (await passOn()) as Answered;
    const cookie = signedIn.cookies.map((one) => one.split(';')[0]).join('; ');
    const granted = await fetch(new URL(locationOf(signedIn), service.settings.authUrl), {
      headers: { cookie },
      redirect: 'manual',
    });
    return redirect(res, status, granted.headers.get('location') ?? '', signedIn.cookies);
  });

/** The sign-in form is sent on within the service, which then redirects to the client with `last`. */
const within = (last: number): Fault => {
  let cookie = '';
  const first = at(/^POST \/sign-in/, async (_req, res, passOn) => {
    const signedIn = (await passOn()) as Answered;
    cookie = signedIn.cookies.map((one) => one.split(';')[0]).join('; ');
    return redirect(res, 307, locationOf(signedIn), signedIn.cookies);
  });
  const second = at(/^POST \/oauth\/authorize/, async (req, res) => {
    if (cookie === '') return false;
    const asked = new URL(req.url ?? '', service.settings.authUrl);
    const granted = await fetch(asked, { headers: { cookie }, redirect: 'manual' });
    cookie = '';
    return redirect(res, last, granted.headers.get('location') ?? '', []);
  });
  return async (req, res, passOn) => (await first(req, res, passOn)) || second(req, res, passOn);
};

for (const [name, fault, result] of [
  ['from the sign-in form with 307', () => straight(307), 'warning'],
  ['from the sign-in form with 308', () => straight(308), 'warning'],
  ['from the sign-in form with 303', () => straight(303), 'pass'],
  ['from the sign-in form with 302', () => straight(302), 'pass'],
  ['after a form that was sent on within the service, with 302', () => within(302), 'pass'],
  ['after a form that was sent on within the service, with 307', () => within(307), 'warning'],
] as const) {
  test(`to the client ${name}: ${result}`, async () => {
    expect(await resultWith(fault())).toBe(result);
  });
}

test('the browser sees a sign-in form that would be sent to the client', async ({ browser }) => {
  expect(await resultWith(straight(307), browser)).toBe('warning');
});
