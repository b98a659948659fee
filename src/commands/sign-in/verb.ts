import type { Browser } from 'playwright-core';
import { UsageError } from '../../document/input/usage-error.ts';
import type { Environment } from '../../http/proxy.ts';
import { SecretRegistry } from '../../http/secrets/registry.ts';
import { EXIT, type ExitCode } from '../../report/verdict.ts';
import { closeQuietly, PageTrouble } from '../../service/agent/browser/deadline.ts';
import { isSelectorVisible } from '../../service/agent/browser/fields.ts';
import { BROWSER_VARIABLE, windowedCandidates } from '../../service/agent/browser/find-browser.ts';
import { RedirectCatcher } from '../../service/agent/browser/redirect-catcher.ts';
import { endBrowser } from '../../service/agent/browser/start-chromium.ts';
import { sessionFor, type UsableSession } from '../../service/agent/trusted-origins.ts';
import { loadConfiguration } from '../../service/configuration/load-configuration.ts';
import { sealSession } from '../../service/configuration/sealed-file.ts';
import { launcherFor, trustedOrigins } from '../../service/flow/connect.ts';
import { authorizeAddress } from '../../service/flow/requests.ts';
import { initialRequestStyle } from '../../service/flow/session.ts';
import { openConfigured } from '../../service/open-target.ts';
import { isClientAddress, redirectUrisOf, serviceOrigins } from '../../service/redirect-address.ts';
import type { Target } from '../../service/target.ts';
import { print } from '../shared/print.ts';
import { requireLive } from '../shared/target.ts';
import { requireWritableFile, writeWhole } from '../shared/write-files.ts';

interface SavingMeans {
  readonly open: (target: Target) => Promise<Browser>;
  readonly env: Environment;
  readonly say: (line: string) => void;
}

/** The verb `sign-in --save`: opens a window for a person, and saves the session encrypted. Returns 0, or 3 without a sign-in. */
export async function saveSession(
  { target: file }: { readonly target: string },
  { open, env, say }: SavingMeans = { open: openWindow, env: process.env, say: (line) => print(`${line}\n`) },
): Promise<ExitCode> {
  requireLive('sign-in', file);
  const { signIn, authUrl, ...rest } = await loadConfiguration(file, env, false);
  const { session } = signIn;
  if (session === undefined) {
    throw new UsageError(
      `${file}: signIn.session: expected where the session is kept and what it is encrypted with, got nothing; for example {"file":"staging.session","passphrase":{"env":"STAGING_SESSION_PASSPHRASE"}}`,
    );
  }
  const { file: place } = session;
  requireWritableFile('signIn.session.file', place);
  const target = await openConfigured({ ...rest, authUrl, signIn }, new SecretRegistry());
  try {
    const browser = await open(target);
    try {
      say(
        'Sign in in the window, including captcha and second factor. The window closes when the consent page appears.',
      );
      const { session: state, leftOut } = await sessionOfAHuman(browser, target);
      await writeWhole(place, await sealSession(state, authUrl, session.passphrase), 0o600);
      if (leftOut.length > 0) {
        say(
          `not saved: cookies and storage of ${leftOut.join(', ')}; if the service needs them, add the origin to \`signIn.origins\``,
        );
      }
      say(`saved, encrypted, to ${place}`);
      return EXIT.conforms;
    } finally {
      await endBrowser(browser);
    }
  } catch (error) {
    if (!(error instanceof PageTrouble)) throw error;
    say(`nothing was saved: ${error.message}`);
    return EXIT.inconclusive;
  } finally {
    await target.close();
  }
}

async function openWindow(target: Target): Promise<Browser> {
  const launch = await launcherFor(target, true);
  for (const candidate of windowedCandidates()) {
    try {
      return (await launch(candidate)).browser;
    } catch {
      // The next candidate may start.
    }
  }
  throw new UsageError(
    `sign-in --save: expected a display and a browser that opens a window, found none; run it on a desktop with Chromium or Chrome (or name one in ${BROWSER_VARIABLE}), and copy the file that it writes`,
  );
}

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
async function sessionOfAHuman(browser: Browser, target: Target): Promise<UsableSession> {
  const context = await browser.newContext({ serviceWorkers: 'block', acceptDownloads: false });
  const page = await context.newPage();
  const catcher = await RedirectCatcher.arm(page, target.pages.edgeHeaders);
  const clients = redirectUrisOf(target);
  const service = serviceOrigins(target);
  catcher.expect((address) => isClientAddress(address, clients, service));
  const requestStyle = initialRequestStyle(target);
  const { grant, pageDeadlineMs } = target.pages;
  try {
    // A slow or immediately redirected page aborts the navigation; the shown page decides.
    await page.goto(authorizeAddress(target, requestStyle)).catch(() => undefined);
    const deadline = performance.now() + HUMAN_DEADLINE_MS;
    while (catcher.caught === undefined && !(await isSelectorVisible(page, grant, pageDeadlineMs))) {
      if (page.isClosed()) throw new PageTrouble('the window was closed before the owner had signed in');
      if (performance.now() >= deadline) {
        throw new PageTrouble(
          `no sign-in was completed within ${HUMAN_DEADLINE_MS / 1_000} s: neither the consent page (\`consent.grant\`) was shown nor a redirect to the client`,
        );
      }
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
    return sessionFor(await context.storageState(), trustedOrigins(target));
  } finally {
    await closeQuietly(context);
  }
}
