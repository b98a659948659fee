import { expect, test } from '@playwright/test';
import type { Mismatch } from '../../../src/contracts/verify/native-verifier.ts';
import { reasonsOf } from '../../../src/contracts/verify/reasons.ts';
import type { Exchange } from '../../../src/http/exchange.ts';

/** The reasons for an answer that does not fit its pact. */

const answered = (status: number, body: unknown): Exchange => ({
  purpose: 'as the pact has it',
  request: { method: 'POST', url: 'https://auth.example/oauth/token', headers: [] },
  response: { status, headers: [], body: JSON.stringify(body), bytes: 1 },
  startedAt: 0,
  durationMs: 1,
});

function reasons(mismatch: Partial<Mismatch>, exchange: Exchange, isLive = true) {
  const found = { type: 'BodyMismatch', text: '', at: '', expected: '', actual: '', ...mismatch };
  return reasonsOf({ verified: false, mismatches: [found], errors: [] }, [exchange], { isLive });
}

test('a refused exchange shows its error, and nothing that is none', () => {
  const status = { type: 'StatusMismatch', expected: '200', text: '' };
  expect(reasons(status, answered(400, { error: 'invalid_grant', error_description: 'code c0de' }))).toEqual([
    { description: 'the status: expected 200, got 400 (error: invalid_grant)', attribute: 'status' },
  ]);
  for (const error of ['line\nbreak', { nested: true }, 'x'.repeat(200)])
    expect(reasons(status, answered(400, { error }))[0]?.description).toBe(
      'the status: expected 200, got 400',
    );
});

test('a regular expression stays, and what came on a live target does not', () => {
  const text = String.raw`Expected 'Ada Lovelace' to match '^\d+$'`;
  expect(
    reasons({ at: '$[0].id', text, expected: '7', actual: '"Ada Lovelace"' }, answered(200, [])),
  ).toEqual([
    {
      description: String.raw`the body at $[0].id: expected a text that matches ^\d+$, got a string that is withheld`,
      attribute: 'body',
      identifier: '$[0].id',
    },
  ]);
});

test('a body that the pact has as bytes: why, and no beginning of a token', () => {
  const text =
    'Actual body [application/json;charset=utf-8, 179 bytes, starting with 7b226163] is not equal to the expected body [*/*, 119 bytes, starting with 7b22]';
  for (const isLive of [false, true])
    expect(reasons({ at: '$', text }, answered(200, {}), isLive)[0]?.description).toBe(
      "the body: expected the example's bytes exactly, as the pact does not have it as `application/json`",
    );
});

test('a header with a regular expression: the expression, what came, and its place', () => {
  const text = "Expected 'text/html' to match 'application/json.*'";
  const mismatch = {
    type: 'HeaderMismatch',
    at: 'Content-Type',
    text,
    expected: 'application/json',
    actual: 'text/html',
  };
  expect(reasons(mismatch, answered(200, {}))).toEqual([
    {
      description: 'the header Content-Type: expected a text that matches application/json.*, got text/html',
      attribute: 'header',
      identifier: 'Content-Type',
    },
  ]);
});

test('a regular expression that cannot be read is the pact’s mistake, and is said to be', () => {
  const text =
    "'(' is not a valid regular expression - Oniguruma error: end pattern with unmatched parenthesis";
  expect(reasons({ at: '$[0].id', text, expected: '7' }, answered(200, []))[0]?.description).toBe(
    'the pact is wrong, not the target: at $[0].id it has the invalid regular expression ( (Oniguruma error: end pattern with unmatched parenthesis)',
  );
});

test('the example itself came, and a rule rejects it: Pact’s own sentence', () => {
  const type = 'application/json; charset=utf-8';
  const header = {
    type: 'HeaderMismatch',
    at: 'Content-Type',
    text: "Mismatch with header 'Content-Type': Expected contents of 'application/json' but detected 'text/plain'",
    expected: type,
    actual: type,
  };
  const status = {
    type: 'StatusMismatch',
    text: 'Unable to match 200 using Null',
    expected: '200',
    actual: '200',
  };
  expect([header, status].map((one) => reasons(one, answered(200, {}))[0]?.description)).toEqual([
    "the header Content-Type: Expected contents of 'application/json' but detected 'text/plain'",
    'the status: Unable to match 200 using Null',
  ]);
  const cookie = reasons({ ...header, at: 'Set-Cookie' }, answered(200, {}))[0]?.description;
  expect(cookie).toContain('got something else');
});
