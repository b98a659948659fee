import { inspect } from 'node:util';
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
import { errorOf, expect, test } from './fixtures.ts';

const SECRETS = [1, 2].flatMap((n) => Object.values(tokensOf(n))).concat(CLIENT_SECRET, CODE);

/** All that a logger could make of an error. */
function allOf(error: unknown): string {
  const { message, stack } = error as Error;
  const inspected = inspect(error, {
    depth: 20,
    showHidden: true,
    maxArrayLength: null,
    maxStringLength: null,
  });
  return [inspected, message, stack, String(error), JSON.stringify(error)].join('\n');
}

function expectNoSecretIn(text: string, where: string): void {
  const found = SECRETS.filter(
    (secret) => text.includes(secret) || text.includes(encodeURIComponent(secret)),
  );
  expect(found, `secrets in ${where}`).toEqual([]);
}

test('no error, address or output holds a secret, a code or a token, nor what the service echoed', async ({
  make,
  connected,
  service,
}) => {
  const echo = tokenError(400, 'invalid_grant', `code ${CODE} of secret ${CLIENT_SECRET} is used`);
  const output = await withOutput(async () => {
    const errors: unknown[] = [];
    for (const reply of [tokenError(400, 'invalid_grant'), html(500), html(200), echo]) {
      service.token(reply);
      errors.push(await errorOf(make().exchange(CODE)));
    }
    service.list(json(200, []), empty(404));
    await connected.list('project-1');
    errors.push(await errorOf(connected.list('project-1')));
    service.token(tokens(2), tokenError(401, 'invalid_client'));
    await connected.refresh();
    errors.push(await errorOf(connected.refresh()));
    for (const error of errors) {
      expect(error).toBeInstanceOf(Error);
      expectNoSecretIn(allOf(error), `the error ${String(error)}`);
    }
  });
  expectNoSecretIn(output, 'the output');
  for (const { path } of service.requests) expectNoSecretIn(path, `the address ${path}`);
});
