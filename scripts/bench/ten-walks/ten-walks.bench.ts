import { test as base, expect } from '@playwright/test';
import { type Emulator, startEmulator } from '../../../src/emulator/start-emulator.ts';

const test = base.extend<object, { emulator: Emulator }>({
  emulator: [
    // biome-ignore lint/correctness/noEmptyPattern: the runner reads fixtures' needs from this pattern
    async ({}, use) => {
      const emulator = await startEmulator();
      await use(emulator);
      await emulator.close();
    },
    { scope: 'worker' },
  ],
});

for (let walk = 1; walk <= 10; walk += 1) {
  test(`sign in and consent, ${walk}`, async ({ page, emulator }) => {
    const [application] = emulator.seed.applications;
    const [owner] = emulator.seed.owners;
    emulator.control.forgetConsent();
    const query = new URLSearchParams({
      client_id: application?.clientId ?? '',
      redirect_uri: application?.redirectUris[0] ?? '',
      response_type: 'code',
      scope: 'read write destroy',
    });
    await page.goto(`${emulator.authUrl}/oauth/authorize?${query}`);
    await page.getByLabel('Email').fill(owner?.email ?? '');
    await page.getByLabel('Password').fill(owner?.password ?? '');
    await page.getByRole('button', { name: 'Sign in' }).click();
    const redirected = page.waitForRequest((request) =>
      request.url().startsWith('https://client.example.test/'),
    );
    await page.getByRole('button', { name: 'Authorize' }).click();
    expect((await redirected).url()).toContain('code=');
  });
}
