import { expect, test } from '@playwright/test';
import { differenceOf } from '../../src/client-checks/evaluate/rules/token-requests.ts';
import { evaluateSent } from '../support/own-tests/evaluate-sent.ts';

/** A value that a client sent, beside the one that the service issued. */

const GIVEN = 'secret-Zm9y/LXRo';

const SAID: readonly (readonly [sent: string, given: string | undefined, words: string])[] = [
  [`${GIVEN}\n`, GIVEN, 'the given one with a line break behind it'],
  [`${GIVEN}\r\n`, GIVEN, 'the given one with a line break behind it'],
  [` ${GIVEN}`, GIVEN, 'the given one with blanks around it'],
  [`"${GIVEN}"`, GIVEN, 'the given one in quotes'],
  [encodeURIComponent(GIVEN), GIVEN, 'the given one, encoded twice'],
  [GIVEN.slice(0, 9), GIVEN, 'the first 9 of its 16 characters'],
  [GIVEN.toUpperCase(), GIVEN, 'the given one in other letter case'],
  ['client_secret', GIVEN, 'the word "client_secret"'],
  ['<your-client-id>', GIVEN, 'the word "<your-client-id>"'],
  ['undefined', undefined, 'the word "undefined"'],
  ['"a-code"', undefined, 'one in quotes'],
  ['another-secret-of-theirs', GIVEN, 'another one, of 24 characters'],
  ['a-code-of-nobody', undefined, 'one of 16 characters that was never issued'],
];

for (const [sent, given, words] of SAID)
  test(`${JSON.stringify(sent)}: ${words}`, () => {
    expect(differenceOf(sent, given)).toBe(words);
  });

test('a client_id in place of the secret is named', () => {
  expect(differenceOf('our-client', GIVEN, ['client_id', 'our-client'])).toBe('the client_id');
});

for (const name of ['\ufeffclient_id', 'clientId', '"client_id"', ' client_id'])
  test(`a parameter under the name ${JSON.stringify(name)}: the finding has the name`, async () => {
    const { of } = await evaluateSent(async ({ emulator }) => {
      const fields = { [name]: 'a', client_secret: 'b', grant_type: 'refresh_token', refresh_token: 'c' };
      const body = new URLSearchParams(fields);
      await emulator.fetch(new Request(`${emulator.authUrl}/oauth/token`, { method: 'POST', body }));
    });
    const lines = [`refresh (request 1) has no client_id (but ${encodeURIComponent(name)})`];
    expect(of('renewal.four-parameters')).toMatchObject({ kind: 'broken', lines });
  });
