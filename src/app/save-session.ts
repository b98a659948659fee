import { resolve } from 'node:path';
import type { Browser } from 'playwright-core';
import { PageTrouble } from '../agent/browser/deadline.ts';
import { BROWSER_VARIABLE, windowedCandidates } from '../agent/browser/find-browser.ts';
import { endBrowser } from '../agent/browser/start-chromium.ts';
import { loadConfiguration } from '../config/load-configuration.ts';
import { sealSession } from '../config/sealed-file.ts';
import { openBrowser } from '../flow/connect.ts';
import { sessionOfAHuman } from '../flow/save-session.ts';
import { UsageError } from '../input/usage-error.ts';
import { EXIT, type ExitCode } from '../report/verdict.ts';
import { SecretRegistry } from '../secrets/registry.ts';
import { openConfigured } from '../targets/open-target.ts';
import type { Target } from '../targets/target.ts';
import { requireLive } from './prepare.ts';
import { print } from './print.ts';
import { requireWritableFile, writeWhole } from './write-files.ts';

export interface SaveRequest {
  readonly target: string;
  readonly out: string | undefined;
}

export interface SavingMeans {
  readonly open: (target: Target) => Promise<Browser>;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly say: (line: string) => void;
}

function printLine(line: string): void {
  print(`${line}\n`);
}

export async function saveSession(
  { target: file, out }: SaveRequest,
  { open, env, say }: SavingMeans = { open: openWindow, env: process.env, say: printLine },
): Promise<ExitCode> {
  requireLive('sign-in', file);
  const { signIn, authUrl, ...rest } = await loadConfiguration(file, env, false);
  const { session } = signIn;
  if (session === undefined) {
    throw new UsageError(
      `${file}: signIn.session: expected where the session is kept and what it is encrypted with, got nothing; for example {"file":"staging.session","passphrase":{"env":"STAGING_SESSION_PASSPHRASE"}}`,
    );
  }
  const place = out === undefined ? session.file : resolve(out);
  requireWritableFile(out === undefined ? 'signIn.session.file' : '--out', place);
  const target = await openConfigured({ ...rest, authUrl, signIn }, new SecretRegistry());
  try {
    const browser = await open(target);
    try {
      say(
        'Sign in in the window, including captcha and second factor. The window closes when the consent page appears.',
      );
      const { session: state, leftOut } = await sessionOfAHuman(browser, target);
      await writeWhole(place, sealSession(state, authUrl, session.passphrase), 0o600);
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
  for (const candidate of windowedCandidates()) {
    try {
      return await openBrowser(target, candidate, true);
    } catch {
      // The next candidate may start.
    }
  }
  throw new UsageError(
    `sign-in --save: expected a display and a browser that opens a window, found none; run it on a desktop with Chromium or Chrome (or name one in ${BROWSER_VARIABLE}), and copy the file that it writes`,
  );
}
