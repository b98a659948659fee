import { expect, test } from '@playwright/test';
import { findBrowser } from '../../../src/service/agent/browser/find-browser.ts';

test.afterEach(() => {
  delete process.env.LEGACY_CONFORMANCE_SANDBOX;
});

test('a required sandbox is there, or the message names the variable', async () => {
  const usual = await findBrowser();
  process.env.LEGACY_CONFORMANCE_SANDBOX = 'required';
  if (usual?.withoutSandbox === undefined) expect(await findBrowser()).toEqual(usual);
  else await expect(findBrowser()).rejects.toThrow(/^LEGACY_CONFORMANCE_SANDBOX: .* set it to off/);
});

test('the sandbox can be switched off, and the run says so', async () => {
  process.env.LEGACY_CONFORMANCE_SANDBOX = 'off';
  expect((await findBrowser())?.withoutSandbox).toBe('LEGACY_CONFORMANCE_SANDBOX is off');
});
