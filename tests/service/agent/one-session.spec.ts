/** The browser and the agent without pages are one session: who signs in by one is signed in by the other. */
import { expect, test } from '@playwright/test';
import type { Transport } from '../../../src/http/exchange.ts';
import { SecretRegistry } from '../../../src/http/secrets/registry.ts';
import { endBrowser } from '../../../src/service/agent/browser/start-chromium.ts';
import { emulatorTarget } from '../../../src/service/emulator.ts';
import { connectThrough } from '../../../src/service/flow/connect.ts';
import { authorizeAddress, DOCUMENTED } from '../../../src/service/flow/requests.ts';
import { newRecorder } from '../../../src/service/flow/session.ts';
import { browserFor } from '../../support/run/browser-for.ts';

/** Sets a cookie with each answer that is longer than a browser keeps. */
const withLongCookie =
  (inner: Transport): Transport =>
  async (request, signal) => {
    const response = await inner(request, signal);
    return {
      ...response,
      headers: [...response.headers, ['Set-Cookie', `long=${'x'.repeat(5_000)}; Path=/`]],
    };
  };

test('who signs in without pages is signed in by the browser, and back', async () => {
  const emulator = await emulatorTarget({ profile: 'doorkeeper-5', defects: [], sockets: true });
  const target = { ...emulator, transport: withLongCookie(emulator.transport) };
  const browser = await browserFor(target);
  const connection = await connectThrough(browser, target, new SecretRegistry());
  try {
    const { session } = connection;
    const visit = {
      decision: 'grant',
      signedIn: true,
      redirectUris: target.application.redirectUris,
    } as const;
    const shown: string[][] = [];
    for (const agent of [session.quickAgent, session.pageAgent, session.quickAgent]) {
      const outcome = await agent.authorize(
        authorizeAddress(target, DOCUMENTED),
        visit,
        newRecorder(session),
      );
      expect(outcome.caught?.url).toContain('code=');
      shown.push(outcome.pages.map(({ shows }) => shows).filter((shows) => shows === 'sign-in'));
    }
    expect(shown).toEqual([['sign-in'], [], []]);
  } finally {
    await connection.close();
    await endBrowser(browser);
    await emulator.close();
  }
});
