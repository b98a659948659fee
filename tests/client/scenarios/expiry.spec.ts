import { expect } from '@playwright/test';
import { CODE, tokens, tokensOf } from '../../support/scripted-client/replies.ts';
import { scenario } from '../../support/scripted-client/scenario.ts';
import { LEEWAY_SECONDS } from '../../support/scripted-client/stage.ts';

/** Seconds after the answer from which on the access token has to be refreshed before use. */
const DUE = 7200 - LEEWAY_SECONDS;

scenario('expiry.not-before', async (stage) => {
  const client = await stage.connectedClient();
  stage.clock.advanceSeconds(DUE - 1);
  expect(await client.accessToken()).toBe(tokensOf(1).accessToken);
});

scenario('expiry.at-the-second', async (stage) => {
  const client = await stage.connectedClient();
  stage.clock.advanceSeconds(DUE);
  stage.service.token(tokens(2));
  expect(await client.accessToken()).toBe(tokensOf(2).accessToken);
});

scenario('expiry.after-restart', async (stage) => {
  await stage.connectedClient();
  stage.clock.advanceSeconds(DUE - 1);
  const restarted = await stage.client();
  expect(await restarted.accessToken()).toBe(tokensOf(1).accessToken);
  stage.clock.advanceSeconds(1);
  stage.service.token(tokens(2));
  expect(await restarted.accessToken()).toBe(tokensOf(2).accessToken);
});

scenario('expiry.of-refreshed', async (stage) => {
  const client = await stage.connectedClient();
  stage.clock.advanceSeconds(DUE);
  stage.service.token(tokens(2));
  await client.accessToken();
  stage.clock.advanceSeconds(DUE - 1);
  expect(await client.accessToken()).toBe(tokensOf(2).accessToken);
  stage.clock.advanceSeconds(1);
  stage.service.token(tokens(3));
  expect(await client.accessToken()).toBe(tokensOf(3).accessToken);
});

scenario('expiry.as-answered', async (stage) => {
  const client = await stage.client();
  stage.service.token(tokens(1, { expires_in: 600 }), tokens(2));
  await client.exchange(CODE);
  stage.clock.advanceSeconds(600 - LEEWAY_SECONDS - 1);
  expect(await client.accessToken()).toBe(tokensOf(1).accessToken);
  stage.clock.advanceSeconds(1);
  expect(await client.accessToken()).toBe(tokensOf(2).accessToken);
});
