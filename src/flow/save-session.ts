import type { Browser } from 'playwright-core';
import { letGo, PageTrouble } from '../agent/browser/deadline.ts';
import { visible } from '../agent/browser/fields.ts';
import { RedirectCatcher } from '../agent/browser/redirect-catcher.ts';
import { sessionFor, type UsableSession } from '../agent/trusted-origins.ts';
import { isClientAddress, redirectUrisOf } from '../targets/redirect-address.ts';
import { ALL_SCOPES, type Target } from '../targets/target.ts';
import { initialRequestStyle, serviceOrigins, trustedOrigins } from './connect.ts';
import { authorizationParameters, authorizeUrl } from './requests.ts';

/** Milliseconds for a person to sign in. */
const HUMAN_DEADLINE_MS = 10 * 60_000;

const LOOK_MS = 200;

/**
 * Opens the authorization address and waits for a person to sign in: until the consent page appears, or the redirect to the
 * client, which is caught.
 *
 * @param browser with a window, except in tests
 * @returns the browser's session, limited to `authUrl` and `signIn.origins`
 * @throws PageTrouble if the window was closed, or at the deadline
 */
export async function sessionOfAHuman(
  browser: Browser,
  target: Target,
  deadlineMs: number = HUMAN_DEADLINE_MS,
): Promise<UsableSession> {
  const context = await browser.newContext({ serviceWorkers: 'block', acceptDownloads: false });
  const page = await context.newPage();
  const catcher = await RedirectCatcher.arm(page, target.pages.edgeHeaders);
  const clients = redirectUrisOf(target);
  const service = serviceOrigins(target);
  catcher.expect((address) => isClientAddress(address, clients, service));
  const requestStyle = initialRequestStyle(target);
  const parameters = authorizationParameters(target.application, requestStyle, { scope: ALL_SCOPES });
  try {
    // A slow or immediately redirected page aborts the navigation; the shown page decides.
    await page.goto(authorizeUrl(target, requestStyle, parameters)).catch(() => undefined);
    const deadline = performance.now() + deadlineMs;
    while (catcher.caught === undefined && !(await visible(page, target.pages.grant))) {
      if (page.isClosed()) throw new PageTrouble('the window was closed before the owner had signed in');
      if (performance.now() >= deadline) {
        throw new PageTrouble(
          `no sign-in was completed within ${deadlineMs / 1_000} s: neither the consent page (\`consent.grant\`) was shown nor a redirect to the client`,
        );
      }
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
    return sessionFor(await context.storageState(), trustedOrigins(target));
  } finally {
    await letGo(context);
  }
}
