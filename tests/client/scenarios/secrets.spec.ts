import { inspect } from 'node:util';
import { expect } from '@playwright/test';
import { withOutput } from '../../support/scripted-client/output.ts';
import {
  CLIENT_SECRET,
  CODE,
  empty,
  html,
  json,
  tokenError,
  tokens,
  tokensOf,
} from '../../support/scripted-client/replies.ts';
import { rejection, scenario } from '../../support/scripted-client/scenario.ts';
import type { Stage } from '../../support/scripted-client/stage.ts';

const SECRETS = [1, 2].flatMap((n) => Object.values(tokensOf(n))).concat(CLIENT_SECRET, CODE);

/** All that a logger could make of an error. */
function allOf(error: unknown): string {
  const own = error instanceof Error ? [error.message, error.stack, String(error), safeJson(error)] : [];
  return [
    inspect(error, { depth: 20, showHidden: true, maxArrayLength: null, maxStringLength: null }),
    ...own,
  ].join('\n');
}

function safeJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    return '';
  }
}

function expectNoSecretIn(text: string, where: string): void {
  const found = SECRETS.filter(
    (secret) => text.includes(secret) || text.includes(encodeURIComponent(secret)),
  );
  expect(found, `secrets in ${where}`).toEqual([]);
}

/** Errors of an exchange, of a refresh and of a call, from a refusal, an outage and an answer that makes no sense. */
async function errorsOf(stage: Stage): Promise<readonly unknown[]> {
  const errors: unknown[] = [];
  for (const reply of [tokenError(400, 'invalid_grant'), html(500), html(200)]) {
    const client = await stage.client();
    stage.service.token(reply);
    errors.push(await rejection(client.exchange(CODE), 'an exchange that cannot work'));
  }
  const connected = await stage.connectedClient();
  stage.service.list(empty(404));
  errors.push(await rejection(connected.list('project-1'), 'a call that is refused'));
  stage.service.token(tokenError(401, 'invalid_client'));
  errors.push(await rejection(connected.refresh(), 'a refresh that is refused'));
  return errors;
}

scenario('secrets.errors', async (stage) => {
  for (const error of await errorsOf(stage)) expectNoSecretIn(allOf(error), `the error ${String(error)}`);
});

scenario('secrets.echoed', async (stage) => {
  const client = await stage.client();
  stage.service.token(tokenError(400, 'invalid_grant', `code ${CODE} of secret ${CLIENT_SECRET} is used`));
  const error = await rejection(client.exchange(CODE), 'an exchange that was refused');
  expectNoSecretIn(allOf(error), 'the error');
});

scenario('secrets.addresses', async (stage) => {
  const client = await stage.connectedClient();
  stage.service.token(tokens(2));
  stage.service.list(json(200, []));
  await client.refresh();
  await client.list('project-1');
  for (const { path } of stage.service.requests) expectNoSecretIn(path, `the address ${path}`);
});

scenario('secrets.output', async (stage) => {
  const output = await withOutput(async () => {
    await errorsOf(stage);
  });
  expectNoSecretIn(output, 'the output');
});
