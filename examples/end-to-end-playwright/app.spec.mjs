import { once } from 'node:events';
import { test as base, expect } from '@playwright/test';
import { emulatorFixtures } from 'legacy-api-conformance/fixtures';
import { createApp } from './app.mjs';

/** The application, connected to the emulator: `app` is its address. */
const test = base.extend({
  ...emulatorFixtures,
  app: async ({ emulator }, use) => {
    const service = { authUrl: emulator.authUrl, baseUrl: emulator.baseUrl };
    const server = createApp(service).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = `http://127.0.0.1:${server.address().port}`;
    // What the service must know of the application: the address that it is sent back to, which has any port here.
    emulator.control.seed({
      owners: [{ name: 'Ada', email: 'ada@example.test' }],
      applications: [{ name: 'Members', redirectUris: [`${address}/callback`] }],
      projects: [{ id: '1', name: 'Roof', assignedUsers: ['7'] }],
      users: [{ id: '7', name: 'Bo Berg', email: 'bo@example.test' }],
    });
    const [{ clientId, clientSecret }] = emulator.seed.applications;
    Object.assign(service, { clientId, clientSecret, projectId: '1' });
    await use(address);
    server.closeAllConnections();
    server.close();
  },
});

test('connects, and shows the members', async ({ app, page, signIn, decide }) => {
  await page.goto(app);
  await page.getByRole('link', { name: 'Connect' }).click();
  await signIn(page);
  await decide(page, 'grant');
  await expect(page.getByRole('listitem')).toHaveText(['Bo Berg']);
});

test('two hours later it refreshes, again and again', async ({ app, page, signIn, decide, advance }) => {
  await page.goto(`${app}/connect`);
  await signIn(page);
  await decide(page, 'grant');
  for (const _ of [1, 2, 3]) {
    advance(7200);
    await page.goto(`${app}/members`);
    await expect(page.getByRole('listitem')).toHaveText(['Bo Berg']);
  }
});

test('a user who denies is not connected', async ({ app, page, signIn, decide }) => {
  await page.goto(`${app}/connect`);
  await signIn(page);
  await decide(page, 'deny');
  await expect(page.getByText('You did not connect')).toBeVisible();
});

test('an outage is told, and over when it is over', async ({ app, page, signIn, decide, fault }) => {
  await page.goto(`${app}/connect`);
  await signIn(page);
  await decide(page, 'grant');
  await expect(page.getByRole('listitem')).toHaveText(['Bo Berg']);
  fault({ route: 'list', kind: 'status', status: 503, count: 1 });
  await page.goto(`${app}/members`);
  await expect(page.getByRole('alert')).toHaveText('the list answered 503');
  await page.goto(`${app}/members`);
  await expect(page.getByRole('listitem')).toHaveText(['Bo Berg']);
});
