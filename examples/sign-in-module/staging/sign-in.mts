/** Signs in where the pages come in an order that steps cannot say: a notice now and then, a one-time code on a new device. */
import type { Page } from 'playwright-core';

/** What the suite hands to the module. `type` leaves no value in a log; `totp` gives each code once. */
interface Credentials {
  readonly login: string;
  readonly password: string;
  totp(): Promise<string>;
  type(field: ReturnType<Page['locator']>, value: string): Promise<void>;
}

export async function signIn(page: Page, { login, password, totp, type }: Credentials): Promise<void> {
  await type(page.locator('input[name="login"]'), login);
  await page.getByRole('button', { name: 'Next' }).click();
  await type(page.locator('input[name="passwd"]'), password);
  await page.getByRole('button', { name: 'Sign in' }).click();

  const code = page.locator('input[name="otp"]');
  const notice = page.getByRole('button', { name: 'Proceed' });
  const done = page.getByRole('button', { name: 'Allow access' });
  const refused = page.getByRole('alert');
  for (;;) {
    await code.or(notice).or(done).or(refused).first().waitFor();
    if (await refused.isVisible()) throw new Error('the sign-in page refused the credentials');
    if (await done.isVisible()) return;
    if (await code.isVisible()) {
      await type(code, await totp());
      await page.getByRole('button', { name: 'Go on' }).click();
      await code.waitFor({ state: 'detached' });
    } else {
      await notice.click();
      await notice.waitFor({ state: 'detached' });
    }
  }
}
