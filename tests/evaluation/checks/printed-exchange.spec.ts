/** The exchange under a finding is the one that shows it, whatever the check sent after it. */
import { expect, test } from '@playwright/test';
import type { Transport, WireResponse } from '../../../src/http/exchange.ts';
import { decisiveExchange } from '../../../src/report/words.ts';
import { timePassingText } from '../../../src/service/flow/session.ts';
import { checkBehind } from '../../support/check-live.ts';

const refusal = (error: string): WireResponse => {
  const body = JSON.stringify({ error });
  return { status: 400, headers: [['Content-Type', 'application/json']], body, bytes: body.length };
};

/** Answers an unknown code with another error than any other refusal. */
const oddErrorForUnknownCodes =
  (inner: Transport): Transport =>
  async (request, signal) => {
    const response = await inner(request, signal);
    const isRefused = response.status === 400 && response.body.includes('invalid_grant');
    const isExchange = request.body?.includes('authorization_code') === true;
    return isRefused && isExchange && request.body?.includes('redirect_uri')
      ? refusal('invalid_request')
      : response;
  };

async function printed(behind: (inner: Transport) => Transport, id: string) {
  const results = await checkBehind(behind, [id]);
  const [result] = results.requirements.filter((one) => one.id === id);
  if (result === undefined) throw new Error(`${id} has no result`);
  return { result, exchange: decisiveExchange(result) };
}

test('an unfitting error is shown by the answer that has it, not by the last refusal', async () => {
  const { result, exchange } = await printed(oddErrorForUnknownCodes, 'token.error-invalid-grant');
  expect([result.result, result.reason]).toEqual([
    'warning',
    expect.stringContaining('got "invalid_request"'),
  ]);
  expect(exchange?.response?.body).toContain('invalid_request');
  expect(result.evidence.at(-1)?.order).toBeGreaterThan(exchange?.order ?? 0);
});

test('a failure is shown by its own answer, not by the twin and the clean-up after it', async () => {
  const id = 'lifetime.alive-until-7200';
  const { requirements } = await checkBehind((inner) => inner, [id], ['lifetime-half']);
  const [result] = requirements.filter((one) => one.id === id);
  expect([result?.result, result && decisiveExchange(result)?.response?.status]).toEqual(['fail', 401]);
  expect(result?.evidence.findLast(({ kind }) => kind === 'exchange')).toMatchObject({
    response: { status: 200 },
  });
});

test('the moves of the clock stand among the exchanges', async () => {
  const { result } = await printed((inner) => inner, 'lifetime.dead-after-7200');
  const steps = result.evidence.flatMap((entry) => (entry.kind === 'step' ? entry.purpose : []));
  expect(steps).toContainEqual(timePassingText(12));
});
